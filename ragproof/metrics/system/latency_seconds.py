"""system.latency_seconds"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseKind, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import SECONDS


@dataclass(frozen=True)
class LatencySeconds(PureMetric[CaseRun]):
    """Seconds that the pipeline took for the case.

    Question: How long does who asks wait?
    Formula: wall-clock seconds of `answer`, else of `retrieve`, else of `parse`
    Range: 0 upwards. Lower is better.
    Edge cases: A case that timed out is an error, not a long latency: read it beside the
        completion. The time is taken with `run.concurrency` cases at once.
    Not to be confused with: `system.first_token_seconds`, when the answer begins; or throughput,
        which grows with concurrency while this gets worse.
    References: Dean and Barroso, CACM 2013, for reading p95 and p99 and not the mean.

    Example:
        >>> from ragproof.core import CaseRun, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?")
        >>> LatencySeconds().score(CaseRun(case, Observation(case_id="q1", seconds=0.25))).value
        0.25
    """

    spec = Spec(
        unit=Unit.SECONDS,
        better=Better.LOWER,
        needs=(SECONDS,),
        kinds=frozenset(CaseKind),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Take the seconds as they were measured."""
        return Scored(run[SECONDS])
