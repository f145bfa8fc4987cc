"""retrieval.recall_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import check_k, relevant_ranks


@dataclass(frozen=True)
class RecallAtK(PureMetric[CaseRun]):
    """Share of the relevant sources that are among the first k retrieved.

    Question: Of what should have been found, how much was found in time?
    Formula: |relevant ∩ first k distinct retrieved sources| / |relevant|
    Range: 0, none was found, to 1, all were.
    Edge cases: Several chunks of one source count once, at the best rank. Fewer than
        k chunks are no fault. With k below |relevant| the value cannot reach 1.
    Not to be confused with: `retrieval.hit_at_k`, which asks for any one of them.
    References: Buckley and Voorhees, SIGIR 2004; trec_eval `recall_k`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("a", "x", "b"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> RecallAtK(k=2).score(run).value
        0.5
    """

    k: int = 5

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES))

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the relevant sources in the first k."""
        found = relevant_ranks(run, self.k)
        relevant = run[EXPECTED_SOURCES]
        missed = sorted(relevant.difference(found))
        return Scored(len(found) / len(relevant), {"found": found, "missed": missed})
