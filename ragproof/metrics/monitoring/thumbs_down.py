"""monitoring.thumbs_down"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    EventKind,
    Interval,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import FEEDBACK, VOTES
from ragproof.metrics.signals import latest, recorded


@dataclass(frozen=True)
class ThumbsDown(PureMetric[CaseRun]):
    """Share of thumbs down among the answers on which users voted.

    Question: How do those judge who vote?
    Formula: |answers whose last vote is `thumbs_down`| / |answers with a vote|
    Range: 0, all up, to 1, all down. No value is better by itself.
    Edge cases: The last vote counts, by `at` where all votes tell it. An answer without a vote is
        not applicable; how many there are stands with the figure, and few users vote. Where the
        interface records only one of the two thumbs, the share would be 0 or 1 whatever users
        think: skipped.
    Not to be confused with: the share of bad answers. Who votes is no sample of who asks, and a
        thumb may be about the price and not the answer: compare it with reviewed answers.
    References: none; the share is that of votes.

    Example:
        >>> from ragproof.core import Event, Feedback, Observation, QuestionCase
        >>> both = (EventKind.THUMBS_UP, EventKind.THUMBS_DOWN)
        >>> votes = (Event(kind=both[0], at=1.0), Event(kind=both[1], at=2.0))
        >>> said = Feedback(exposed=both, events=votes)
        >>> case = QuestionCase(id="q1", question="?")
        >>> ThumbsDown().score(CaseRun(case, Observation(case_id="q1", feedback=said))).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, VOTES),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Take the last vote."""
        votes = recorded(run, VOTES)
        if not votes:
            raise DoesNotArise("the user did not vote")
        return Scored(float(latest(votes).kind is EventKind.THUMBS_DOWN), {"votes": len(votes)})
