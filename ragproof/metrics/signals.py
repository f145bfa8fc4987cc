"""What the signals of users have in common: they are candidates, and no figure of quality.

Whether one of them says anything of an answer is found out by comparing it with what people who
review answers say; until then it is better neither way.
"""

from __future__ import annotations

from ragproof.core import CaseRun, Event, Need, Scored
from ragproof.core.needs import FEEDBACK, Events


def recorded(run: CaseRun, kind: Need[Events]) -> Events:
    """The events; raises MissingInput: of no event at all, or of this kind, there is a record."""
    _ = run[FEEDBACK]
    return run[kind]


def happened(events: Events) -> Scored:
    """1 where the user did it at least once, else 0; how often is the evidence."""
    return Scored(float(bool(events)), {"times": len(events)})


def latest(events: Events) -> Event:
    """The last of some events: by its time where all tell one, else by its place."""
    if all(event.at is not None for event in events):
        return max(reversed(events), key=lambda event: event.at or 0.0)
    return events[-1]
