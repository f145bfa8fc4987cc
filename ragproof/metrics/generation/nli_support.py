"""generation.nli_support"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragproof.core import Better, CaseRun, Json, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, CITED, CONTEXT, NLI, REFUSAL
from ragproof.metrics.entailed import best_of, texts_of
from ragproof.metrics.parameters import one_of, positive_share
from ragproof.metrics.statements import stated_by_markers

AGGREGATES = ("share", "mean", "min")


@dataclass(frozen=True)
class NliSupport(ToolMetric[CaseRun]):
    """Share of the answer's statements that a chunk of the context entails, by a local model.

    Question: Does the answer say only what its sources say, as far as a small model can tell?
    Formula: |statements whose score reaches `threshold`| / |statements|, the score being the
        greatest probability of entailment of the statement by any one chunk. With
        `aggregate: mean` or `min` the mean or the least of these scores, whatever the threshold.
    Range: 0, no statement is entailed, to 1, all are.
    Edge cases: The model is that of `local.nli`, its label for entailment as its own config names
        it; one output alone goes through the logistic function. A statement is a sentence of the
        answer or an item of its list, without citation marks; headings, questions and lines that
        lead to a list are none. An answer that declines, or states nothing, is not applicable.
        The context is the answer's own `retrieved_chunks`, else those of `retrieve`; where there
        are none, every score is 0 and the evidence says so; where there are some and none tells
        its text, it is not applicable. A chunk that
        is too long for the model is read in windows that overlap, of which the best counts:
        nothing is cut off. A statement too long for the model, and a score that is no number, is
        an error. A statement that needs two chunks together counts as not entailed. No threshold
        holds for every model: 0.5 is where the model itself changes sides, and
        `ragproof calibrate --metric generation.nli_support` finds the one by which your labels
        are met, from the least score of each answer.
    Not to be confused with: `generation.groundedness`, where a judge takes the answer apart and
        checks it; or `generation.correctness`: sources can be wrong.
    References: Honovich et al., NAACL 2022 (TRUE), for entailment as a measure of consistency;
        Laban et al., TACL 2022 (SummaC), for the maximum over parts of the source; Vectara's HHEM,
        for scores whose boundary is calibrated on labels.

    Example:
        >>> scores = [0.9, 0.2]
        >>> NliSupport().figure(scores), NliSupport(aggregate="min").figure(scores)
        (0.5, 0.2)
    """

    threshold: float = 0.5
    aggregate: str = "share"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(NLI, ANSWER, CONTEXT),
        uses=(CITED, REFUSAL),
    )
    calibrated_with: ClassVar = {"aggregate": "min"}

    def __post_init__(self) -> None:
        positive_share("threshold", self.threshold)
        one_of("aggregate", self.aggregate, AGGREGATES)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Hold every statement against every chunk."""
        model, told, texts = tools[NLI], stated_by_markers(run), texts_of(run)
        found = await best_of([one.plain for one in told.statements], texts, model)
        evidence: dict[str, Json] = {
            "statements": [one.account(self.threshold) for one in found],
            "empty_context": not texts,
        }
        return Scored(self.figure([one.score for one in found]), evidence)

    def figure(self, scores: Sequence[float]) -> float:
        """One figure of the scores of all statements."""
        match self.aggregate:
            case "share":
                return sum(one >= self.threshold for one in scores) / len(scores)
            case "mean":
                return math.fsum(scores) / len(scores)
            case _:
                return min(scores)
