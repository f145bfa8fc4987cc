"""retrieval.graded_ndcg_at_k"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import fsum, log2

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import GRADES, RETRIEVAL
from ragproof.metrics.parameters import one_of
from ragproof.metrics.ranks import check_k, relevant_ranks

GAINS: Mapping[str, Callable[[int], int]] = {
    "exponential": lambda grade: 2**grade - 1,
    "linear": lambda grade: grade,
}


@dataclass(frozen=True)
class GradedNdcgAtK(PureMetric[CaseRun]):
    """Gain by grade of what is in the first k, discounted by rank, as a share of the ideal.

    Question: Do the best sources come first, before those that are merely relevant?
    Formula: DCG / IDCG, where DCG = sum of gain(grade) / log2(rank + 1) over the relevant
        sources in the first k, gain(grade) = 2^grade - 1, or grade with `gain: linear`, and
        IDCG is the same sum over all relevant sources in order of grade, cut at k
    Range: 0, none is in the first k, to 1, no order of the judged sources gains more.
    Edge cases: The ideal is that of all judged sources, retrieved or not. Grades below 1 gain
        nothing. In a list of expected sources each has grade 1, and the value is that of
        `retrieval.ndcg_at_k`. Several chunks of one source count once, at the best rank.
        Empty retrieval scores 0.
    Not to be confused with: `retrieval.ndcg_at_k`, to which all relevant sources are the same;
        or trec_eval's `ndcg_cut_k`, whose gain is linear.
    References: Burges et al., ICML 2005, for the exponential gain; Järvelin and Kekäläinen, ACM
        TOIS 2002, and trec_eval `ndcg_cut_k` for the linear one.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids={"a": 2, "b": 1})
        >>> found = tuple(Chunk(id=source) for source in ("x", "y", "a"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> round(GradedNdcgAtK().score(run).value, 3)  # (3 / 2) / (3 + 1 / log2(3))
        0.413
    """

    k: int = 5
    gain: str = "exponential"

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, GRADES))

    def __post_init__(self) -> None:
        check_k(self.k)
        one_of("gain", self.gain, GAINS)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the gain that is there with the gain there could be."""
        found = relevant_ranks(run, self.k)
        grades = run[GRADES]
        ideal = enumerate(sorted(grades.values(), reverse=True)[: self.k], 1)
        graded = {source: grades[source] for source in found}
        gained = self._gained(zip(found.values(), graded.values(), strict=True))
        return Scored(gained / self._gained(ideal), {"found": found, "grades": graded})

    def _gained(self, ranked: Iterable[tuple[int, int]]) -> float:
        """The discounted gain of these ranks and grades."""
        gain = GAINS[self.gain]
        return fsum([gain(grade) / log2(rank + 1) for rank, grade in ranked])
