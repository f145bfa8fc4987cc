"""monitoring.shared"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import FEEDBACK, SHARES
from ragproof.metrics.signals import happened, recorded


@dataclass(frozen=True)
class Shared(PureMetric[CaseRun]):
    """Whether the user shared the answer.

    Question: How often is an answer shared?
    Formula: 1 if there is an event `share`, else 0
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: An answer for which the interface does not record `share` is not measured: it is
        skipped, and no 0. Shared several times counts once; the times are evidence.
    Not to be confused with: a figure of quality. What is shared may be useful, or be passed on
        to ask whether it is true. Association with reviewed answers, and its interval, come
        before any direction.
    References: none for its meaning; the rate is a plain share.

    Example:
        >>> from ragproof.core import Event, EventKind, Feedback, Observation, QuestionCase
        >>> said = Feedback(exposed=(EventKind.SHARE,), events=(Event(kind=EventKind.SHARE),))
        >>> case = QuestionCase(id="q1", question="?")
        >>> Shared().score(CaseRun(case, Observation(case_id="q1", feedback=said))).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, SHARES),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for the event."""
        return happened(recorded(run, SHARES))
