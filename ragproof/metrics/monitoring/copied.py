"""monitoring.copied"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import COPIES, FEEDBACK
from ragproof.metrics.signals import happened, recorded


@dataclass(frozen=True)
class Copied(PureMetric[CaseRun]):
    """Whether the user copied the answer.

    Question: How often is an answer copied?
    Formula: 1 if there is an event `copy`, else 0
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: An answer for which the interface does not record `copy` is not measured: it is
        skipped, and no 0. Copied several times counts once; the times are evidence.
    Not to be confused with: a figure of quality. What is copied may be useful, be checked
        elsewhere, or be handed to someone who knows. Association with reviewed answers, and its
        interval, come before any direction.
    References: none for its meaning; the rate is a plain share.

    Example:
        >>> from ragproof.core import Event, EventKind, Feedback, Observation, QuestionCase
        >>> said = Feedback(exposed=(EventKind.COPY,), events=(Event(kind=EventKind.COPY),))
        >>> case = QuestionCase(id="q1", question="?")
        >>> Copied().score(CaseRun(case, Observation(case_id="q1", feedback=said))).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, COPIES),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for the event."""
        return happened(recorded(run, COPIES))
