"""system.service_seconds"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import QUEUED

LEFT_OUT = "a stage waited longer than it took: set includes_wait to false"


@dataclass(frozen=True)
class ServiceSeconds(PureMetric[CaseRun]):
    """Seconds that each stage worked, the waiting before it left out.

    Question: Would a stage be fast if nothing stood before it in the queue?
    Formula: for each stage name, the sum over its calls of seconds - queue_seconds, or with
        `includes_wait: false` of seconds
    Range: 0 upwards, one figure a stage. Lower is better.
    Edge cases: Only calls that tell their `queue_seconds` count, and a trace without any is
        skipped. Only the pipeline's author knows whether its `seconds` hold the waiting, so it is
        left out unless the config names it. A case with a call that waited longer than it took is
        not applicable: its seconds leave the waiting out, and `includes_wait` is to be false.
    Not to be confused with: `system.stage_seconds`, as the stage is timed; `system.queue_seconds`,
        the waiting alone.
    References: Dean and Barroso, CACM 2013, for queueing as a source of long tails.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> stages = (Stage(name="rerank", seconds=0.5, queue_seconds=0.125),)
        >>> answer = Answer(answer_text="", trace=Trace(stages=stages))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> ServiceSeconds().score(run)["rerank"].value
        0.375
    """

    includes_wait: bool = True
    """Whether the `seconds` of a stage hold its `queue_seconds`."""

    spec = Spec(
        unit=Unit.SECONDS, better=Better.LOWER, needs=(QUEUED,), each="stage", on_request=True
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Take the waiting off each call and add up by stage."""
        worked: dict[str, float] = defaultdict(float)
        for stage in run[QUEUED]:
            wait = (stage.queue_seconds or 0.0) if self.includes_wait else 0.0
            if wait > stage.seconds:
                raise DoesNotArise(LEFT_OUT, {"stage": stage.name, "queue_seconds": wait})
            worked[stage.name] += stage.seconds - wait
        return {name: Scored(seconds) for name, seconds in worked.items()}
