"""retrieval.ndcg_at_k"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import check_k, relevant_ranks


@dataclass(frozen=True)
class NdcgAtK(PureMetric[CaseRun]):
    """Gain of the relevant sources in the first k, discounted by rank, as a share of the ideal.

    Question: Are the relevant sources found, and do they come first?
    Formula: DCG / IDCG, where DCG = sum of 1 / log2(rank + 1) over the relevant sources in
        the first k, and IDCG is the same sum over the ranks 1 to min(k, |relevant|)
    Range: 0, none is in the first k, to 1, the first min(k, |relevant|) places are relevant.
    Edge cases: Relevance is binary: grades of 1 and above weigh the same. With k below
        |relevant| the value still reaches 1. Several chunks of one source count once, at the
        best rank. Empty retrieval scores 0.
    Not to be confused with: `retrieval.graded_ndcg_at_k`, in which a 2 gains more than a 1.
    References: Järvelin and Kekäläinen, ACM TOIS 2002; trec_eval `ndcg_cut_k` on 0/1 grades.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a",))
        >>> found = tuple(Chunk(id=source) for source in ("x", "y", "a"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> NdcgAtK().score(run).value
        0.5
    """

    k: int = 5

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES))

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the gain that is there with the gain there could be."""
        found = relevant_ranks(run, self.k)
        ideal = range(1, min(self.k, len(run[EXPECTED_SOURCES])) + 1)
        return Scored(_gain(found.values()) / _gain(ideal), {"found": found})


def _gain(ranks: Iterable[int]) -> float:
    """The discounted gain of relevant sources at these ranks."""
    return sum([1 / log2(rank + 1) for rank in ranks])
