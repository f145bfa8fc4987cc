"""monitoring.edited"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EDITS, FEEDBACK
from ragproof.metrics.signals import latest, recorded


@dataclass(frozen=True)
class Edited(PureMetric[CaseRun]):
    """Whether the user changed the text of the answer.

    Question: How often is an answer not taken as it is?
    Formula: 1 if the text of the last `edit` differs from the answer, else 0
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: The white space around a text makes no difference. An answer that was opened for
        editing and saved as it was is not changed. One whose interface does not record `edit` is
        skipped.
    Not to be confused with: `monitoring.edit_kept`, how much was left of it; or a figure of
        quality: an answer worth editing may be better than one that is thrown away.
    References: none for its meaning; the rate is a plain share.

    Example:
        >>> from ragproof.core import Answer, Event, EventKind, Feedback, Observation, QuestionCase
        >>> changed = Event(kind=EventKind.EDIT, text="It costs $12.")
        >>> said = Feedback(exposed=(EventKind.EDIT,), events=(changed,))
        >>> answer = Answer(answer_text="It costs $10.")
        >>> seen = Observation(case_id="q1", answer=answer, feedback=said)
        >>> Edited().score(CaseRun(QuestionCase(id="q1", question="?"), seen)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, EDITS, ANSWER),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the last text with the first."""
        edits, first = recorded(run, EDITS), run[ANSWER].answer_text.strip()
        last = (latest(edits).text or "").strip() if edits else first
        return Scored(float(last != first), {"times": len(edits)})
