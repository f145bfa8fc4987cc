"""monitoring.regeneration"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, EventKind, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ASKED_AGAIN, FEEDBACK, LAST_QUESTION
from ragproof.metrics.signals import recorded
from ragproof.text.same_question import asks_the_same

KINDS = (EventKind.REGENERATE, EventKind.FOLLOW_UP)


@dataclass(frozen=True)
class Regeneration(PureMetric[CaseRun]):
    """Whether the user had the answer made again, or asked the same again.

    Question: How often does an answer not end the matter?
    Formula: 1 if there is an event `regenerate`, or a `follow_up` whose text asks what the
        question asked; else 0
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: The same is asked where the words that do not merely ask are the same but for
        spelling, and in the same order but for one; numbers have to be equal. A question put in
        other words is not recognised, so that the rate is a lower bound of re-asking. Where only
        one of the two kinds is recorded the other is not looked for; an answer with neither is
        skipped. Once counts as often as thrice. Compare windows that record the same kinds:
        `recorded` in the evidence.
    Not to be confused with: a figure of quality. It is one sign of dissatisfaction, to be
        calibrated on reviewed conversations; who likes to see variants regenerates good answers.
    References: none for its meaning; the rate is a plain share. By intent it is a slice of the
        tag `intent`.

    Example:
        >>> from ragproof.core import Event, Feedback, Observation, QuestionCase
        >>> asked = Event(kind=EventKind.FOLLOW_UP, text="please: how can I reset the pasword?")
        >>> said = Feedback(exposed=(EventKind.FOLLOW_UP,), events=(asked,))
        >>> case = QuestionCase(id="q1", question="How do I reset my password?")
        >>> Regeneration().score(CaseRun(case, Observation(case_id="q1", feedback=said))).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, ASKED_AGAIN),
        uses=(LAST_QUESTION,),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for the button, then for the same question."""
        events, question = recorded(run, ASKED_AGAIN), run.get(LAST_QUESTION) or ""
        pressed = sum(event.kind is EventKind.REGENERATE for event in events)
        messages = [event.text or "" for event in events if event.kind is EventKind.FOLLOW_UP]
        again = [one for one in messages if asks_the_same(question, one)]
        known = [kind.value for kind in KINDS if kind in run[FEEDBACK].exposed]
        return Scored(
            float(bool(pressed or again)),
            {"recorded": known, "regenerated": pressed, "asked_again": again},
        )
