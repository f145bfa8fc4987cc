"""context.cross_encoder_relevance"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ragproof.core import Better, CaseRun, Json, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import CROSS_ENCODER, QUESTION, SUPPLIED
from ragproof.metrics.parameters import one_of, positive_share
from ragproof.metrics.supplied import some_supplied

AGGREGATES = ("mean", "share")


@dataclass(frozen=True)
class CrossEncoderRelevance(ToolMetric[CaseRun]):
    """Mean relevance of the chunks that the model was given, each rated alone by a local model.

    Question: How much of the context has to do with the question, as far as a small model can tell?
    Formula: mean over distinct supplied chunks of the cross-encoder's score of question and chunk,
        brought between 0 and 1 by the logistic function; with `aggregate: share` the share of the
        chunks whose score reaches `threshold`
    Range: 0, nothing is relevant, to 1, every chunk is. Scores of different models are not
        comparable.
    Edge cases: The model is that of `local.cross_encoder`. The context is `trace.context`, else the
        answer's own `retrieved_chunks`, else that of `retrieve`; a chunk supplied twice counts
        once, one without text has the score 0. A chunk that is too long for the model is read in
        windows that overlap, of which the best counts; a question that leaves no room for one is
        an error. A context without chunks, or without any text, is not applicable. The evidence
        has each score, how they are distributed and how many reach the threshold, for which
        `ragproof calibrate --metric context.cross_encoder_relevance` finds a value on your labels.
    Not to be confused with: `context.relevance`, the same asked of a judge: the two are never one
        figure; or the scores of the pipeline's own reranker, which may be this very model.
    References: Nogueira and Cho, 2019, for cross-encoders that rank passages; Reimers and Gurevych,
        EMNLP 2019, for the library whose models these are.

    Example:
        >>> distribution([0.05, 0.99, 1.0])["0.9"]
        2
    """

    threshold: float = 0.5
    aggregate: str = "mean"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CROSS_ENCODER, SUPPLIED),
        uses=(QUESTION,),
    )
    calibrated_with: ClassVar = {"aggregate": "mean"}

    def __post_init__(self) -> None:
        positive_share("threshold", self.threshold)
        one_of("aggregate", self.aggregate, AGGREGATES)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Rate each chunk."""
        model, context = tools[CROSS_ENCODER], some_supplied(run)
        shown = [one for one in context.chunks if one.text.strip()]
        found = await model.scores([(run[QUESTION], one.text) for one in shown])
        scores = dict.fromkeys((one.id for one in context.chunks), 0.0)
        scores |= {one.id: told.value for one, told in zip(shown, found, strict=True)}
        reached = sum(one >= self.threshold for one in scores.values())
        evidence: dict[str, Json] = {
            "scores": scores,
            "logits": {one.id: told.logit for one, told in zip(shown, found, strict=True)},
            "distribution": distribution([*scores.values()]),
            "reached": reached,
            "windows": sum(told.windows for told in found),
            "without_text": len(context.chunks) - len(shown),
        }
        whole = math.fsum(scores.values()) if self.aggregate == "mean" else reached
        return Scored(whole / len(scores), evidence)


def distribution(scores: list[float]) -> dict[str, Json]:
    """How many scores there are from each tenth on to the next; the last has 1, too."""
    tenths = [min(9, int(one * 10)) for one in scores]
    return {f"{at / 10:g}": tenths.count(at) for at in range(10)}
