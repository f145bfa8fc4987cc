"""retrieval.precision_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import check_k, relevant_ranks


@dataclass(frozen=True)
class PrecisionAtK(PureMetric[CaseRun]):
    """Share of the first k retrieved places that hold a relevant source.

    Question: How much of what the pipeline puts forward is worth reading?
    Formula: |relevant ∩ first k distinct retrieved sources| / k
    Range: 0, none of the k is relevant, to 1, all are.
    Edge cases: The denominator is always k: fewer than k retrieved sources leave places
        empty, one relevant source alone scores 1/k, none scores 0. With k above |relevant|
        the value cannot reach 1. Several chunks of one source count once, at the best rank.
    Not to be confused with: `retrieval.recall_at_k`, which divides by the relevant sources.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.4;
        trec_eval `P_k`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("a", "x", "y"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> PrecisionAtK(k=4).score(run).value
        0.25
    """

    k: int = 5

    spec = Spec(
        unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES), blames=False
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the relevant sources in the first k places."""
        found = relevant_ranks(run, self.k)
        return Scored(len(found) / self.k, {"found": found})
