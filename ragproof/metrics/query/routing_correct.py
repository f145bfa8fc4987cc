"""query.routing_correct"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_ROUTE, ROUTE


@dataclass(frozen=True)
class RoutingCorrect(PureMetric[CaseRun]):
    """Share of the questions for which the right downstream pipeline ran.

    Question: Does the question arrive where it can be answered?
    Formula: |questions with `trace.route` = `expected_route`| / |questions with both|
    Range: 0, never, to 1, always.
    Edge cases: Routes are equal by every letter. Tell the route that was taken, not the one that
        the classifier wished for: a fallback is another route.
    Not to be confused with: `query.intent_correct`: two intents may share a route, and then
        confusing them does no harm; `query.route_recall`, the same by expected route.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_route="sql")
        >>> answer = Answer(answer_text="?", trace=Trace(route="sql"))
        >>> RoutingCorrect().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ROUTE, EXPECTED_ROUTE),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the two."""
        got, expected = run[ROUTE], run[EXPECTED_ROUTE]
        return Scored(float(got == expected), {"expected": expected, "got": got})
