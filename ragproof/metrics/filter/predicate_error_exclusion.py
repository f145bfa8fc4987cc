"""filter.predicate_error_exclusion"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Interval,
    Pool,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import (
    ELIGIBLE,
    EXPECTED_FILTER,
    EXPECTED_SOURCES,
    FILTER,
    PARTS,
    SURVIVORS,
)
from ragproof.metrics.eligibility import eligible_gold, gold_and_kept
from ragproof.metrics.predicates import predicates, shown


@dataclass(frozen=True)
class PredicateErrorExclusion(PureMetric[CaseRun]):
    """Share of the questions with a wrong filter that lost an expected source to it.

    Question: When the filter is read wrongly, how often does it cost evidence?
    Formula: |questions whose filter is wrong and of which an eligible expected source did not
        survive| / |questions whose filter is wrong|; wrong is a filter with a predicate too many,
        too few or other than in `expected_filter`
    Range: 0, no error cost a source, to 1, each did. Lower is better.
    Edge cases: One lost source is enough, others may survive. A right filter contributes nothing,
        and neither does a question without an eligible expected source. Without a wrong filter
        there is no figure. What counts as eligible and as surviving is as in
        `filter.false_exclusion_rate`, what as a predicate as in `filter.predicate_precision`.
    Not to be confused with: the rate of errors itself (`filter.predicate_precision`,
        `filter.predicate_recall`): a tenth of wrong predicates is not a tenth less recall.
    References: The reference on evaluating RAG systems that ragproof follows, part 5.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(
        ...     id="q1",
        ...     question="?",
        ...     expected_source_ids=("d2",),
        ...     expected_filter={"locale": "en-GB"},
        ... )
        >>> trace = Trace(filter={"locale": "en-US"}, survivors=("d1", "d4"))
        >>> answer = Answer(answer_text="?", trace=trace)
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> PredicateErrorExclusion().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(FILTER, SURVIVORS, EXPECTED_FILTER, EXPECTED_SOURCES),
        uses=(ELIGIBLE, PARTS),
        pool=Pool.RATIO,
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute one wrong filter, costly or not."""
        eligible_gold(run)  # a question that does not count is none, whatever was observed
        applied = predicates(run[FILTER])
        run[SURVIVORS]  # in the order of the needs
        expected = predicates(run[EXPECTED_FILTER])
        gold, kept = gold_and_kept(run)
        if applied == expected:
            raise DoesNotArise("the filter is as expected")
        evidence = {
            "wrong": shown(applied - expected),
            "missed": shown(expected - applied),
            "lost": sorted(gold - kept),
        }
        return Scored(float(kept != gold), evidence)
