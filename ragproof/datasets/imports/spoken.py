"""A list of messages as a case has it: the last question, and what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.literals import literal

ROLES = {"human": "user", "ai": "assistant"}
AFTER = "message after the last question"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list of messages with a question in it."""

    question: str
    history: list[dict[str, str]]
    after: int
    """Messages that follow the question: what a system answered."""


def spoken(
    asked: Asked, cases: Iterable[tuple[str, Fields]], column: str = "question"
) -> Iterator[tuple[str, Fields]]:
    """Take question and history apart wherever the column is a list of messages."""
    for place, case in cases:
        found = conversation(case.get(column))
        if found is not None:
            case["question"] = found.question
            case["history"] = [*(case.get("history") or ()), *found.history] or None
            if found.after:
                asked.notes.lost[AFTER] += found.after
        yield place, case


def conversation(turns: object) -> Conversation | None:
    """Question and history; None where this is no list of messages with a question in it.

    >>> conversation('[{"type": "human", "content": "Hi"}, {"role": "user", "content": "When?"}]')
    Conversation(question='When?', history=[{'role': 'user', 'content': 'Hi'}], after=0)
    """
    told: Any = turns
    if isinstance(turns, str):
        if not turns.lstrip().startswith(("[", "{")):
            return None
        try:
            told = literal(turns.strip())
        except ValueError:
            return None
    if isinstance(told, Mapping):
        told = told.get("messages")
    found = [_turn(one) for one in told] if isinstance(told, list) else []
    asked = [at for at, one in enumerate(found) if one.get("role") == "user"]
    if not asked or not all(found):
        return None
    last = asked[-1]
    return Conversation(found[last]["content"], found[:last], len(found) - last - 1)


def _turn(one: object) -> dict[str, str]:
    if not isinstance(one, Mapping):
        return {}
    content: Any = one.get("content")
    role = str(one.get("role") or one.get("type") or "user")
    return {"role": ROLES.get(role, role), "content": content} if isinstance(content, str) else {}
