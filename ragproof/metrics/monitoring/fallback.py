"""monitoring.fallback"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ROUTE

BETWEEN = "|"


@dataclass(frozen=True)
class Fallback(PureMetric[CaseRun]):
    """Whether the question was answered by falling back.

    Question: How often does the pipeline not answer by the way it was built for?
    Formula: 1 if `trace.route` is one of `routes`, else 0; several are written `fallback|human`
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: Routes are equal by every letter. Which of them are a fallback only the pipeline's
        author knows: the metric is asked for by its own name, for with other routes than its own
        it would be 0 throughout. A trace that does not tell its route is skipped. A question that
        the pipeline failed on is an error and no fallback.
    Not to be confused with: `robustness.refused`, an answer that declines by whatever route;
        `query.routing_correct`, whether the route was the expected one. A high rate may be a
        broken retriever, or questions that are rightly handed to people.
    References: none; the rate is a plain share. Read it beside a reviewed sample.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Trace
        >>> answer = Answer(answer_text="Let me hand you over.", trace=Trace(route="human"))
        >>> seen = Observation(case_id="q1", answer=answer)
        >>> run = CaseRun(QuestionCase(id="q1", question="?"), seen)
        >>> Fallback(routes="fallback|human").score(run).value
        1.0
    """

    routes: str = "fallback"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(ROUTE,),
        interval=Interval.WILSON,
        on_request=True,
    )

    def __post_init__(self) -> None:
        if not all(map(str.strip, self.routes.split(BETWEEN))):
            raise ValueError(
                f"routes: got {self.routes!r}; allowed: names of routes, as fallback|human"
            )

    def score(self, run: CaseRun, /) -> Scored:
        """Look the route up."""
        route = run[ROUTE]
        names = map(str.strip, self.routes.split(BETWEEN))
        return Scored(float(route in names), {"route": route})
