"""retrieval.tie_rate"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import SCORES


@dataclass(frozen=True)
class TieRate(PureMetric[CaseRun]):
    """Share of the retrieved sources whose score is also that of the source before or after.

    Question: How much of the ranking is left to chance, because its scores are the same?
    Formula: |sources with a neighbour in the ranked list of exactly the same score| / |sources|
    Range: 0, every score differs from its neighbours', to 1, none does. Lower is better: among
        tied sources the order is arbitrary, and so is any figure that depends on it.
    Edge cases: Sources are distinct, each with the score of its best rank. Equal scores that are
        not side by side are no tie: there the list was not ordered by these scores. The whole
        list counts, not the first k. Without a source it is not applicable. A chunk without a
        score leaves the question open for the list: skipped.
    Not to be confused with: a measure of quality; a retriever with ties may be right.
    References: McSherry and Najork, ECIR 2008, for what ties do to ranking measures.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> scores = {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1}
        >>> found = tuple(Chunk(id=source, score=score) for source, score in scores.items())
        >>> case = QuestionCase(id="q1", question="?")
        >>> TieRate().score(CaseRun(case, Observation(case_id="q1", retrieved=found))).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.LOWER, needs=(SCORES,), blames=False)

    def score(self, run: CaseRun, /) -> Scored:
        """Find the stretches of equal scores."""
        scores = run[SCORES]
        if not scores:
            raise DoesNotArise("nothing was retrieved")
        stretches = [list(same) for _, same in groupby(scores, key=scores.__getitem__)]
        tied = [same for same in stretches if len(same) > 1]
        return Scored(sum(map(len, tied)) / len(scores), {"tied": tied})
