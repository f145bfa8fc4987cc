"""monitoring.citation_open"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CITATIONS, FEEDBACK, OPENS
from ragproof.metrics.signals import recorded


@dataclass(frozen=True)
class CitationOpen(PureMetric[CaseRun]):
    """Whether the user opened a source that the answer cites; known as click-through rate.

    Question: How often are cited sources looked at?
    Formula: 1 if an event `open` names a cited chunk, or names none, else 0
    Range: 0, never, to 1, always. No value is better by itself.
    Edge cases: Only answers with citations count, and of these those whose interface records
        `open`; all others are skipped. Several opens count once. An `open` of what is not cited
        is no open of a citation; it stands in the evidence.
    Not to be confused with: `citation.*`, whether citations are right; or a figure of quality:
        a source is opened out of trust, out of doubt and because the answer did not suffice.
    References: none for its meaning; the rate is a plain share.

    Example:
        >>> from ragproof.core import (
        ...     Answer, Citation, Event, EventKind, Feedback, Observation, QuestionCase
        ... )
        >>> opened = Event(kind=EventKind.OPEN, chunk_id="c1")
        >>> said = Feedback(exposed=(EventKind.OPEN,), events=(opened,))
        >>> answer = Answer(answer_text="Yes.", citations=(Citation(chunk_id="c1"),))
        >>> seen = Observation(case_id="q1", answer=answer, feedback=said)
        >>> CitationOpen().score(CaseRun(QuestionCase(id="q1", question="?"), seen)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(FEEDBACK, OPENS, CITATIONS),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare what was opened with what is cited."""
        named = [event.chunk_id for event in recorded(run, OPENS)]
        cited = {citation.chunk_id for citation in run[CITATIONS]}
        opened = [one for one in named if one is None or one in cited]
        others = [one for one in named if one is not None and one not in cited]
        return Scored(
            float(bool(opened)),
            {"cited": len(cited), "times": len(opened), "opened_but_not_cited": others},
        )
