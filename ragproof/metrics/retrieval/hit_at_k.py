"""retrieval.hit_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import check_k, relevant_ranks


@dataclass(frozen=True)
class HitAtK(PureMetric[CaseRun]):
    """Whether any relevant source is among the first k retrieved.

    Question: Was at least something useful found in time?
    Formula: 1 if relevant ∩ first k distinct retrieved sources is not empty, else 0
    Range: 0, nothing relevant in the first k, or 1, something.
    Edge cases: Several chunks of one source take one place, the best. Empty retrieval
        scores 0.
    Not to be confused with: `retrieval.recall_at_k`, the same only where one source is relevant.
    References: trec_eval `success_k`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("x", "b"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> HitAtK(k=1).score(run).value, HitAtK(k=2).score(run).value
        (0.0, 1.0)
    """

    k: int = 5

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RETRIEVAL, EXPECTED_SOURCES),
        interval=Interval.WILSON,
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Look for a relevant source in the first k."""
        found = relevant_ranks(run, self.k)
        return Scored(float(bool(found)), {"found": found})
