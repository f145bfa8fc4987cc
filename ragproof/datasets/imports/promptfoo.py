"""Tests of promptfoo, in YAML: the variable that is asked, and assertions that name an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.text.faults import shown
from ragproof.text.strict_yaml import read_yaml

ASKED = ("question", "query", "user_input", "input", "prompt", "message", "text")
ANSWERS = {
    *("equals", "contains", "icontains", "contains-any", "icontains-any"),
    *("similar", "factuality", "context-recall"),
}
"""Assertions whose value is an acceptable answer."""
PARTS = {"contains-all", "icontains-all"}
"""Assertions whose values must all be said: nuggets of an answer."""


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a test; assertions that name no answer are counted as lost."""
    found = read_yaml(asked.source)
    tests = found.value
    at: tuple[str, ...] = ()
    shared: Mapping[str, Any] = {}
    if isinstance(tests, Mapping):
        shared = tests.get("defaultTest") or {}
        tests, at = tests.get("tests"), ("tests",)
    if not isinstance(tests, list) or not tests:
        raise UsageError(
            f"{asked.source}: got {shown(tests)}; allowed: a list `tests` that stands in this file"
        )
    for number, test in enumerate(tests):
        place = found.where((*at, number))
        if not isinstance(test, Mapping):
            raise UsageError(f"{place}: got {shown(test)}; allowed: a test with `vars`")
        yield place, _case(asked, test, shared, number + 1, place)


def _case(
    asked: Asked, test: Mapping[str, Any], shared: Mapping[str, Any], number: int, place: str
) -> Fields:
    said = {**(shared.get("vars") or {}), **(test.get("vars") or {})}
    names = (asked.mapping["question"],) if "question" in asked.mapping else ASKED
    name = next((one for one in names if one in said), None)
    if name is None:
        raise UsageError(
            f"{place}: no variable is known to hold the question; there are: "
            f"{', '.join(said) or 'none'}. Say which: --map question=NAME"
        )
    answers, nuggets = _expected(
        asked, [*(shared.get("assert") or ()), *(test.get("assert") or ())]
    )
    metadata: dict[str, Any] = dict(test.get("metadata") or {})
    left = {key: value for key, value in said.items() if key != name}
    if left:
        metadata["vars"] = left
        asked.notes.kept.update(f"vars.{key}" for key in left)
    if "description" in test:
        metadata["description"] = test["description"]
        asked.notes.kept["description"] += 1
    for key in test:
        if key not in ("vars", "assert", "metadata", "description"):
            asked.notes.lost[key] += 1
    case: Fields = {
        "id": f"{asked.source.name.partition('.')[0]}-{number}",
        "question": str(said[name]),
        "metadata": metadata,
    }
    if answers:
        case["expected_answer"] = answers[0] if len(answers) == 1 else answers
    if nuggets:
        case["expected_nuggets"] = [{"text": one, "vital": True} for one in nuggets]
    return case


def _expected(asked: Asked, assertions: list[Any]) -> tuple[list[str], list[str]]:
    answers: list[str] = []
    nuggets: list[str] = []
    for one in assertions:
        kind = str(one.get("type")) if isinstance(one, Mapping) else "without a type"
        value = one.get("value") if isinstance(one, Mapping) else None
        values = [str(part) for part in (value if isinstance(value, list) else [value]) if part]
        plain = [part for part in values if "{{" not in part and not part.startswith("file://")]
        if kind in ANSWERS and plain:
            answers += plain
        elif kind in PARTS and plain:
            nuggets += plain
        else:
            asked.notes.lost[f"assert {kind}"] += 1
    return list(dict.fromkeys(answers)), list(dict.fromkeys(nuggets))
