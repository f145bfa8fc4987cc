"""monitoring.edit_kept"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EDITS, FEEDBACK
from ragproof.metrics.signals import latest, recorded
from ragproof.text.alignment import Kind, aligned
from ragproof.text.answer_tokens import answer_tokens


@dataclass(frozen=True)
class EditKept(PureMetric[CaseRun]):
    """Share of the answer's words that the user kept when editing it.

    Question: How much of an edited answer was fit for use?
    Formula: |words of the answer that the last `edit` keeps, in order| / |words of the answer|
    Range: 0, rewritten, to 1, nothing taken out. No value is better by itself.
    Edge cases: Words are aligned with the fewest edits, without case and punctuation; in scripts
        without spaces a character is a word. What was added is counted in the evidence and does
        not lower the figure. An answer that was not edited is not applicable, as is one without
        words; with `monitoring.edited` the two say how often and how much.
    Not to be confused with: a figure of quality. Users shorten good answers and send wrong ones
        as they are: compare it with reviewed answers.
    References: Snover et al., AMTA 2006 (HTER), for edits of people as a measure of what was
        wrong, there by editors who were told to correct.

    Example:
        >>> from ragproof.core import Answer, Event, EventKind, Feedback, Observation, QuestionCase
        >>> changed = Event(kind=EventKind.EDIT, text="It costs twelve dollars.")
        >>> said = Feedback(exposed=(EventKind.EDIT,), events=(changed,))
        >>> answer = Answer(answer_text="It costs ten dollars.")
        >>> seen = Observation(case_id="q1", answer=answer, feedback=said)
        >>> EditKept().score(CaseRun(QuestionCase(id="q1", question="?"), seen)).value
        0.75
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.NEITHER, needs=(FEEDBACK, EDITS, ANSWER))

    def score(self, run: CaseRun, /) -> Scored:
        """Lay the two side by side."""
        edits, words = recorded(run, EDITS), answer_tokens(run[ANSWER].answer_text)
        if not edits:
            raise DoesNotArise("the user did not edit the answer")
        if not words:
            raise DoesNotArise("the answer has no words")
        now = answer_tokens(latest(edits).text or "")
        kept = sum(one.words for one in aligned(words, now) if one.kind is Kind.KEPT)
        return Scored(
            kept / len(words), {"kept": kept, "words": len(words), "added": len(now) - kept}
        )
