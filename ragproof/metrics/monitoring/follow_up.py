"""monitoring.follow_up"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import FEEDBACK, FOLLOW_UPS
from ragproof.metrics.signals import recorded
from ragproof.text.follow_ups import PATTERNS, patterns

ANY, UNREAD = "any", "unread"


@dataclass(frozen=True)
class FollowUp(PureMetric[CaseRun]):
    """Whether the user's next message doubts the answer, or asks of what it left out.

    Question: After how many answers does the user go on, and how?
    Formula: `any`: 1 if there is a `follow_up`, else 0; of answers that have one: for each pattern,
        1 if a message has its phrases, else 0; `unread`: 1 if none of the messages is in a language
        that has phrases, else 0
    Range: 0, never, to 1, always; a figure each for `any`, `doubt` ("Are you sure?"), `what_about`
        ("But what about refunds?") and `unread`. No value is better by itself.
    Edge cases: The phrases are a declared list in eleven languages
        (`ragproof/text/follow_ups.py`, which says how it was tried); what is said otherwise is
        not recognised. An answer after which no message came counts for `any` alone, and one
        whose messages are all in other languages for `any` and `unread`: that nobody doubts is
        never said of what was not read. A message can have both patterns.
    Not to be confused with: distrust or unmet need. A pattern is a stratum for review; its
        association with what reviewers say is measured there. `monitoring.regeneration` counts
        messages that ask the same again.
    References: Katsis et al., TACL 2025 (MTRAG), on whose later questions the list was tried.

    Example:
        >>> from ragproof.core import Event, EventKind, Feedback, Observation, QuestionCase
        >>> next_one = Event(kind=EventKind.FOLLOW_UP, text="Are you sure?")
        >>> said = Feedback(exposed=(EventKind.FOLLOW_UP,), events=(next_one,))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", feedback=said))
        >>> {name: found.value for name, found in FollowUp().score(run).items()}
        {'any': 1.0, 'unread': 0.0, 'doubt': 1.0, 'what_about': 0.0}
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, FOLLOW_UPS),
        interval=Interval.WILSON,
        each="pattern",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Look for the phrases in every message."""
        messages = [event.text or "" for event in recorded(run, FOLLOW_UPS)]
        scores = {ANY: Scored(float(bool(messages)), {"messages": len(messages)})}
        if not messages:
            return scores
        read = [shown for one in messages if (shown := patterns(one)) is not None]
        scores[UNREAD] = Scored(float(not read), {"read": len(read)})
        if read:
            found = frozenset[str]().union(*read)
            scores |= {name: Scored(float(name in found)) for name in PATTERNS}
        return scores
