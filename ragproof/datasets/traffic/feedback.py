"""What is known of the user's side of an answer, put together from all that tells of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ragproof.core import EventKind
from ragproof.datasets.traffic.collect import Followed
from ragproof.datasets.traffic.events import Events

FOLLOW_UP = EventKind.FOLLOW_UP.value


def feedback(one: Followed, events: Events, exposed: Collection[str]) -> dict[str, Any] | None:
    """The feedback of a recorded line; None where nothing of it is recorded.

    `exposed` are the kinds that the interface records. That a session asked next, or did not, is
    seen in the traffic itself.
    """
    draft = one.draft
    given = draft.observation.get("feedback") or {}
    told = [*given.get("events", ())]
    told += [one for one in events.of(draft.trace, draft.span) if one not in told]
    kinds = {*given.get("exposed", ()), *exposed}
    if one.is_known:
        kinds.add(FOLLOW_UP)
    if one.after is not None and not any(_is_follow_up(event) for event in told):
        told.append({"kind": FOLLOW_UP, "text": one.after.question, "at": one.after.asked_at})
    if not kinds:
        return {**given, "events": told} if told else None
    order = [kind.value for kind in EventKind]
    known = [kind for kind in order if kind in kinds]
    strange = [kind for kind in kinds if kind not in order]  # refused where the line is checked
    return {"exposed": known + strange, "events": told}


def _is_follow_up(event: object) -> bool:
    return isinstance(event, dict) and event.get("kind") == FOLLOW_UP
