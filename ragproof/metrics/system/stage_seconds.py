"""system.stage_seconds"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import STAGES


@dataclass(frozen=True)
class StageSeconds(PureMetric[CaseRun]):
    """Seconds that each stage of the pipeline took.

    Question: Where does the time go?
    Formula: for each stage name, the sum of its seconds
    Range: 0 upwards, one figure a stage. Lower is better.
    Edge cases: A stage that ran twice counts its sum. One that did not run in a case is not
        applicable there. An empty list of stages is not applicable. Stages that run side by
        side add up to more than the latency. As a start hold p95 to the objective and let p99
        alert; by nearest rank p95 of fewer than 20 cases, and p99 of fewer than 100, is the
        slowest of them.
    Not to be confused with: `system.latency_seconds`, the whole as the caller waits for it; or
        `system.queue_seconds`, the waiting before a stage.
    References: Dean and Barroso, CACM 2013, for reading p95 and p99 and not the mean.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> stages = (Stage(name="retrieve", seconds=0.25), Stage(name="retrieve", seconds=0.5))
        >>> answer = Answer(answer_text="", trace=Trace(stages=stages))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> StageSeconds().score(run)["retrieve"].value
        0.75
    """

    spec = Spec(unit=Unit.SECONDS, better=Better.LOWER, needs=(STAGES,), each="stage")

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Add up the seconds by stage."""
        seconds: dict[str, float] = defaultdict(float)
        for stage in run[STAGES]:
            seconds[stage.name] += stage.seconds
        if not seconds:
            raise DoesNotArise("no stage ran")
        return {name: Scored(total) for name, total in seconds.items()}
