"""filter.eligible_recall_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ELIGIBLE, EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.eligibility import eligible_gold
from ragproof.metrics.ranks import check_k


@dataclass(frozen=True)
class EligibleRecallAtK(PureMetric[CaseRun]):
    """Share of the expected sources that the caller may see which are among the first k.

    Question: Of what this caller should have been given, how much was found in time?
    Formula: |eligible expected sources ∩ first k distinct retrieved sources| / |eligible expected
        sources|; the denominator is that from before the filter
    Range: 0, none was found, to 1, all were.
    Edge cases: What the filter removed stays in the denominator: a source that did not survive is
        a source that was not found. Sources outside `eligible_source_ids` count neither as found
        nor as missed, but take their place among the first k. A question without an eligible
        source is not applicable. Where everybody may see everything, ask
        `retrieval.recall_at_k`.
    Not to be confused with: recall over the sources that survived, which drops the questions that
        the filter ruined and is not shipped (`docs/filters.md`).
    References: The reference on evaluating RAG systems that ragproof follows, part 5.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(
        ...     id="q1",
        ...     question="?",
        ...     expected_source_ids=("a", "b", "secret"),
        ...     eligible_source_ids=("a", "b", "x"),
        ... )
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=(Chunk(id="a"),)))
        >>> EligibleRecallAtK().score(run).value
        0.5
    """

    k: int = 5

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RETRIEVAL, EXPECTED_SOURCES, ELIGIBLE),
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the eligible sources in the first k."""
        gold = eligible_gold(run)  # a question that does not count is none, whatever was observed
        first, expected, eligible = run[RETRIEVAL][: self.k], run[EXPECTED_SOURCES], run[ELIGIBLE]
        gold = expected & eligible if gold is None else gold
        found = {source: rank for rank, source in enumerate(first, 1) if source in gold}
        missed = sorted(gold.difference(found))
        return Scored(len(found) / len(gold), {"found": found, "missed": missed})
