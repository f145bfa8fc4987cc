"""query.adaptive_route_accuracy"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_ROUTE, ROUTE

CLASSES: Mapping[str, str] = {
    **dict.fromkeys(("none", "no_retrieval", "needs_no_retrieval", "no_search"), "none"),
    **dict.fromkeys(("one_shot", "single", "single_step", "single_hop", "one_step"), "one_shot"),
    **dict.fromkeys(("iterative", "multi", "multi_step", "multi_hop"), "iterative"),
}
"""What the three classes are called; capitals, spaces and hyphens make no difference."""


@dataclass(frozen=True)
class AdaptiveRouteAccuracy(PureMetric[CaseRun]):
    """Share of the questions given as much retrieval as they need: none, one search, several.

    Question: Does the router tell easy questions from hard ones?
    Formula: |questions with `trace.route` of the class of `expected_route`| / |questions whose
        `expected_route` is one of the classes|; the classes are none, one_shot and iterative
    Range: 0, never, to 1, always.
    Edge cases: The classes go by other names too: no_retrieval, needs_no_retrieval, no_search;
        single, single_step, single_hop, one_step; multi, multi_step, multi_hop; capitals, spaces
        and hyphens make no difference. A question whose expected route is no class is not
        applicable. A route that is no class is wrong. By class see `query.route_recall`, which
        takes names as they are.
    Not to be confused with: `query.routing_correct`, for routes of any name.
    References: Jeong et al., NAACL 2024 (Adaptive-RAG).

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_route="iterative")
        >>> answer = Answer(answer_text="?", trace=Trace(route="Multi-step"))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> AdaptiveRouteAccuracy().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ROUTE, EXPECTED_ROUTE),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the classes."""
        wanted = run.get(EXPECTED_ROUTE)  # the case alone tells that it is about other routes
        if wanted is not None and _class(wanted) is None:
            raise DoesNotArise("the expected route is not none, one_shot or iterative")
        got, expected = run[ROUTE], run[EXPECTED_ROUTE]
        evidence = {"expected": expected, "got": got, "class": _class(expected)}
        return Scored(float(_class(got) == _class(expected)), evidence)


def _class(route: str) -> str | None:
    return CLASSES.get(re.sub(r"[\s_-]+", "_", route.strip()).lower())
