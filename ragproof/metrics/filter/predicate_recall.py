"""filter.predicate_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_FILTER, FILTER
from ragproof.metrics.predicates import predicates, shown


@dataclass(frozen=True)
class PredicateRecall(PureMetric[CaseRun]):
    """Share of the predicates that were to be applied which were, over all questions.

    Question: When a filter is read from the question, how much of what it asks for is read?
    Formula: sum of |applied ∩ expected predicates| / sum of |expected predicates|; a predicate is
        a pair of field and value, of `trace.filter` and of `expected_filter`
    Range: 0, none was applied, to 1, all were.
    Edge cases: A question that expects no predicate contributes nothing; without any there is no
        figure. Lists, null and equality as in `filter.predicate_precision`.
    Not to be confused with: `filter.predicate_precision`, which falls with predicates that were
        made up.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.3, with
        predicates for documents, pooled over questions (micro-averaged).

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> expected = {"locale": ["en-US", "en-GB"]}
        >>> case = QuestionCase(id="q1", question="?", expected_filter=expected)
        >>> answer = Answer(answer_text="?", trace=Trace(filter={"locale": "en-US"}))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> PredicateRecall().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(FILTER, EXPECTED_FILTER),
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute the expected predicates, applied and all."""
        wanted = run.get(EXPECTED_FILTER)  # a question that asks for none is none to be scored
        if wanted is not None and not predicates(wanted):
            raise DoesNotArise("no predicate is expected")
        applied, expected = predicates(run[FILTER]), predicates(run[EXPECTED_FILTER])
        right = applied & expected
        evidence = {"right": shown(right), "missed": shown(expected - applied)}
        return Scored(len(right) / len(expected), evidence, weight=len(expected))
