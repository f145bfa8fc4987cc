"""filter.predicate_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_FILTER, FILTER
from ragproof.metrics.predicates import predicates, shown


@dataclass(frozen=True)
class PredicatePrecision(PureMetric[CaseRun]):
    """Share of the predicates that were applied which were to be applied, over all questions.

    Question: When a filter is read from the question, how much of it does the question ask for?
    Formula: sum of |applied ∩ expected predicates| / sum of |applied predicates|; a predicate is
        a pair of field and value, of `trace.filter` and of `expected_filter`
    Range: 0, none was right, to 1, all were.
    Edge cases: A field with a list of values is a predicate a value; a value of null is none.
        Numbers are equal by value, text by every letter. A question without an applied predicate
        contributes nothing; without any there is no figure. An empty `expected_filter` says that
        none is right.
    Not to be confused with: `filter.predicate_recall`, which misses what was not applied; a wrong
        predicate costs most where it excludes a source: `filter.predicate_error_exclusion`.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.3, with
        predicates for documents, pooled over questions (micro-averaged).

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_filter={"locale": "en-US"})
        >>> trace = Trace(filter={"locale": "en-US", "year": 2024})
        >>> answer = Answer(answer_text="?", trace=trace)
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> PredicatePrecision().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(FILTER, EXPECTED_FILTER),
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute the applied predicates, right and all."""
        applied, expected = predicates(run[FILTER]), predicates(run[EXPECTED_FILTER])
        if not applied:
            raise DoesNotArise("no predicate was applied", {"missed": shown(expected)})
        right = applied & expected
        evidence = {"right": shown(right), "wrong": shown(applied - expected)}
        return Scored(len(right) / len(applied), evidence, weight=len(applied))
