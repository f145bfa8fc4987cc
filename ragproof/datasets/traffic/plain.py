"""Traffic as plain lines, for logs that are no traces: one object a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof.datasets.traffic.draft import Draft
from ragproof.datasets.traffic.spans import SpanFault, bare_id, time_of
from ragproof.text.nearest import nearest

SEEN = ("retrieved", "answer", "error", "timeout", "seconds", "feedback")
"""Fields that are those of a recorded line."""
KEYS = ("id", "question", "at", "session", "tags", "history", *SEEN)


def read(line: Mapping[str, Any], place: str) -> Draft:
    """Read one line; raises SpanFault with place and field. What is recorded is checked later."""
    for key in line.keys() - set(KEYS):
        hint = nearest(key, KEYS) or f" Allowed: {', '.join(KEYS)}"
        raise SpanFault(place, key, line[key], f"no such key.{hint}")
    own = line.get("id")
    if isinstance(own, bool) or not isinstance(own, str | int) or not str(own).strip():
        raise SpanFault(place, "id", own, "a text that is not empty")
    question = line.get("question")
    if not isinstance(question, str) or not question.strip():
        raise SpanFault(place, "question", question, "a text that is not empty")
    history = line.get("history") or []
    if not isinstance(history, list):
        raise SpanFault(place, "history", history, "a list of objects with role and content")
    _refuse_shapeless(line.get("feedback") or {}, place)
    seen = {name: line[name] for name in SEEN if line.get(name) is not None}
    if "at" in line:
        seen["asked_at"] = time_of(line["at"], place, "at")
    session = line.get("session")
    return Draft(
        id=str(own),
        place=place,
        trace=bare_id(str(own)),
        span=None,
        question=question,
        history=history,
        group=None if session is None else str(session),
        tags=_tags(line.get("tags") or {}, place),
        observation=seen,
    )


def _refuse_shapeless(feedback: object, place: str) -> None:
    """Raise SpanFault for feedback to which nothing could be added."""
    if not isinstance(feedback, Mapping) or not all(
        isinstance(feedback.get(name, []), list) for name in ("exposed", "events")
    ):
        raise SpanFault(place, "feedback", feedback, "an object with lists exposed and events")


def _tags(told: object, place: str) -> dict[str, str]:
    if not isinstance(told, Mapping) or not all(isinstance(one, str) for one in told.values()):
        raise SpanFault(place, "tags", told, "an object of texts")
    return dict(told)
