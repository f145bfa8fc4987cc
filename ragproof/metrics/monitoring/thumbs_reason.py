"""monitoring.thumbs_reason"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Interval,
    Json,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import COMPLAINTS, FEEDBACK
from ragproof.metrics.signals import recorded

REASONS = ("wrong", "incomplete", "off-topic", "harmful", "slow")
OTHER, NONE = "other", "none"


@dataclass(frozen=True)
class ThumbsReason(PureMetric[CaseRun]):
    """Share of the thumbs down that give a reason, a figure a reason.

    Question: What do those complain of who vote down?
    Formula: for each reason, |answers voted down for it| / |answers voted down|
    Range: 0, never, to 1, always; a figure each for `wrong`, `incomplete`, `off-topic`,
        `harmful`, `slow`, `other` and `none`. No value is better by itself.
    Edge cases: A reason is optional: a vote without one counts for `none`. Any further word
        counts for `other` and stands in the evidence. Capitals, underscores and white space make
        no difference. An answer voted down for two reasons counts for both, so the shares may
        add up to more than 1. A vote that was turned into a thumb up later still had its reason
        and counts. An answer without a thumb down is not applicable.
    Not to be confused with: what is wrong with the answers. A reason is a user's word, to be
        compared with what reviewers say.
    References: none; the five reasons are a common menu.

    Example:
        >>> from ragproof.core import Event, EventKind, Feedback, Observation, QuestionCase
        >>> down = Event(kind=EventKind.THUMBS_DOWN, reason="slow")
        >>> said = Feedback(exposed=(EventKind.THUMBS_DOWN,), events=(down,))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", feedback=said))
        >>> [name for name, found in ThumbsReason().score(run).items() if found.value]
        ['slow']
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, COMPLAINTS),
        interval=Interval.WILSON,
        each="reason",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count the answer for every reason that was given."""
        given = [_folded(event.reason) for event in recorded(run, COMPLAINTS)]
        if not given:
            raise DoesNotArise("the user did not vote the answer down")
        said = [one for one in given if one]
        others: list[Json] = [one for one in said if one not in REASONS]
        scores = {reason: Scored(float(reason in said)) for reason in REASONS}
        scores[OTHER] = Scored(float(bool(others)), {"said": others})
        scores[NONE] = Scored(float(not said))
        return scores


def _folded(reason: str | None) -> str:
    return "-".join((reason or "").casefold().replace("_", " ").replace("-", " ").split())
