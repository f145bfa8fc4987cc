"""reranking.seconds"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Stage, Unit
from ragproof.core.needs import CANDIDATES, STAGES
from ragproof.metrics.reranked import depth, reranking_stages


@dataclass(frozen=True)
class Seconds(PureMetric[CaseRun]):
    """Seconds that reranking took, a figure for each hardware and batch size.

    Question: What does the reranker cost in time, and on what was that measured?
    Formula: for each pair of `device` and `batch` among the stages of the trace whose name holds
        `rerank`, the sum of their seconds
    Range: 0 upwards. Lower is better.
    Edge cases: The label is device and batch as the trace tells them, such as `cuda:0, batch 32`;
        what it does not tell is called unknown: name the hardware, or the figure transfers to
        nothing. The number of candidates is evidence, where it is exposed; see `reranking.depth`.
        A question that was not reranked is not applicable.
    Not to be confused with: `system.stage_seconds`, by stage, without the hardware.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> stages = (Stage(name="rerank", seconds=0.25, device="cuda:0", batch=32),)
        >>> case = QuestionCase(id="q1", question="?")
        >>> answer = Answer(answer_text="?", trace=Trace(stages=stages))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> {setup: one.value for setup, one in Seconds().score(run).items()}
        {'cuda:0, batch 32': 0.25}
    """

    spec = Spec(
        unit=Unit.SECONDS,
        better=Better.LOWER,
        needs=(STAGES,),
        uses=(CANDIDATES,),
        each="setup",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Add up the seconds by hardware and batch size."""
        seconds: dict[str, float] = defaultdict(float)
        for stage in reranking_stages(run):
            seconds[_setup(stage)] += stage.seconds
        if not seconds:
            raise DoesNotArise("no stage is called rerank")
        told = {} if run.get(CANDIDATES) is None else {"depth": depth(run)}
        return {setup: Scored(total, told) for setup, total in seconds.items()}


def _setup(stage: Stage) -> str:
    batch = "unknown" if stage.batch is None else str(stage.batch)
    return f"{stage.device or 'unknown device'}, batch {batch}"
