"""A list of messages as a case has it: the last question, and what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ragproof.datasets.imports.asked import Fields
from ragproof.text.strict_json import parse

ROLES = {"human": "user", "ai": "assistant"}


def spoken(cases: Iterable[tuple[str, Fields]]) -> Iterator[tuple[str, Fields]]:
    """Take question and history apart wherever the question is a list of messages."""
    for place, case in cases:
        found = conversation(case.get("question"))
        if found is not None:
            case["question"] = found[0]
            case["history"] = [*(case.get("history") or ()), *found[1]] or None
        yield place, case


def conversation(turns: object) -> tuple[str, list[dict[str, str]]] | None:
    """Question and history; None where this is no list of messages with a question in it.

    >>> conversation('[{"type": "human", "content": "Hi"}, {"role": "user", "content": "When?"}]')
    ('When?', [{'role': 'user', 'content': 'Hi'}])
    """
    if not isinstance(turns, str) or not turns.lstrip().startswith(("[", "{")):
        return None
    try:
        told = parse(turns)
    except ValueError:
        return None
    if isinstance(told, Mapping):
        told = told.get("messages")
    found = [_turn(one) for one in told] if isinstance(told, list) else []
    asked = [at for at, one in enumerate(found) if one.get("role") == "user"]
    if not asked or not all(found):
        return None
    return found[asked[-1]]["content"], found[: asked[-1]]


def _turn(one: object) -> dict[str, str]:
    if not isinstance(one, Mapping):
        return {}
    content: Any = one.get("content")
    role = str(one.get("role") or one.get("type") or "user")
    return {"role": ROLES.get(role, role), "content": content} if isinstance(content, str) else {}
