"""context.irrelevant_share"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.context.relevance import MOST, PROMPT, account, ratings
from ragproof.metrics.parameters import positive_share
from ragproof.metrics.supplied import some_supplied


@dataclass(frozen=True)
class IrrelevantShare(ToolMetric[CaseRun]):
    """Share of the chunks that the model was given whose relevance is below a threshold.

    Question: How much of the context is ballast?
    Formula: |distinct supplied chunks with rating / 3 < `threshold`| / |distinct supplied chunks|,
        the ratings being those of `context.relevance`, asked for once for both
    Range: 0, every chunk reaches the threshold, to 1, none does.
    Edge cases: The default threshold, 0.5, lies between "on the subject" and "a part of an
        answer"; calibrate your own on labelled pairs of a question and a chunk. A chunk at the
        threshold reaches it. Chunks without text are below any threshold above 0. Else as
        `context.relevance`.
    Not to be confused with: 1 - `context.relevance`, in which a chunk on the subject is not yet
        ballast; or `context.precision`, which asks for the order.
    References: Cuconasu et al., SIGIR 2024, for what ballast does to answers.

    Example:
        >>> share({"a": 3, "b": 1, "c": 0, "d": 2}, 0.5)
        0.5
    """

    threshold: float = 0.5

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(JUDGE, SUPPLIED),
        uses=(QUESTION,),
        on_request=True,
    )

    def __post_init__(self) -> None:
        positive_share("threshold", self.threshold)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Count the chunks that were rated below the threshold."""
        judge, context = tools[JUDGE], some_supplied(run)
        rated = await ratings(context, run[QUESTION], judge)
        return Scored(share(rated, self.threshold), account(context, rated))


def share(rated: dict[str, int], threshold: float) -> float:
    """Share of the ratings below the threshold, which is a fraction of the highest rating."""
    return sum(one / MOST < threshold for one in rated.values()) / len(rated)
