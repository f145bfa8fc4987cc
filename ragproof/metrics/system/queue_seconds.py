"""system.queue_seconds"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import WAITING


@dataclass(frozen=True)
class QueueSeconds(PureMetric[CaseRun]):
    """Seconds that a request waited for each stage before its work began.

    Question: Which stage is short of capacity, as opposed to slow?
    Formula: for each stage name, the sum of its queue_seconds
    Range: 0 upwards, one figure a stage. Lower is better.
    Edge cases: A stage that ran twice counts its sum. A stage that does not tell its
        `queue_seconds` is left out, and a trace without any is skipped; 0 is a measurement.
        Whether a stage's `seconds` include the waiting is as the pipeline counts them.
    Not to be confused with: `system.stage_seconds`, how long a stage took.
    References: Dean and Barroso, CACM 2013, for queueing as a source of long tails.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> stages = (Stage(name="rerank", seconds=0.5, queue_seconds=0.25),)
        >>> answer = Answer(answer_text="", trace=Trace(stages=stages))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> QueueSeconds().score(run)["rerank"].value
        0.25
    """

    spec = Spec(unit=Unit.SECONDS, better=Better.LOWER, needs=(WAITING,), each="stage")

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Add up the waiting by stage."""
        waited: dict[str, float] = defaultdict(float)
        for name, seconds in run[WAITING]:
            waited[name] += seconds
        return {name: Scored(total) for name, total in waited.items()}
