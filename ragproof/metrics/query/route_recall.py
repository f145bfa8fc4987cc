"""query.route_recall"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_ROUTE, ROUTE


@dataclass(frozen=True)
class RouteRecall(PureMetric[CaseRun]):
    """Share of the questions that need a route which took it, a figure a route.

    Question: Which kind of question is sent the wrong way?
    Formula: for each expected route, |questions that took it| / |questions that need it|
    Range: 0, never, to 1, always.
    Edge cases: A question counts for the route that it needs. A route that no question needs has
        no figure. Routes are equal by every letter.
    Not to be confused with: `query.routing_correct`, all routes together: where most questions
        need the same route it hides that the others are always missed.
    References: Jeong et al., NAACL 2024 (Adaptive-RAG), for accuracy by class.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_route="iterative")
        >>> answer = Answer(answer_text="?", trace=Trace(route="one_shot"))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> RouteRecall().score(run)["iterative"].value
        0.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ROUTE, EXPECTED_ROUTE),
        interval=Interval.WILSON,
        each="route",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count the question for the route that it needs."""
        got, expected = run[ROUTE], run[EXPECTED_ROUTE]
        return {expected: Scored(float(got == expected), {"got": got})}
