"""Tests of promptfoo, in YAML: the variable that is asked, and assertions that name an answer."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.text.faults import shown
from ragproof.text.strict_yaml import read_yaml

ASKED = ("question", "query", "user_input", "input", "prompt", "message", "text")
ANSWERS = {
    *("equals", "contains", "icontains", "contains-any", "icontains-any"),
    *("similar", "factuality", "context-recall"),
    *("rouge-n", "bleu", "gleu", "meteor", "levenshtein"),
}
"""Assertions whose value is an acceptable answer."""
PARTS = {"contains-all", "icontains-all"}
"""Assertions whose values must all be said: nuggets of an answer."""
SEVERAL = {"contains-any", "icontains-any", *PARTS}
"""Assertions whose value, where it is one text, is a list parted by commas."""
ELSEWHERE = "file://"


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a test; assertions that name no answer are counted as lost."""
    found = read_yaml(asked.source)
    tests = found.value
    at: tuple[str, ...] = ()
    shared: Mapping[str, Any] = {}
    if isinstance(tests, Mapping):
        shared = _shared(asked, tests)
        if scenarios := tests.get("scenarios"):
            asked.notes.lost["scenario"] += len(scenarios) if isinstance(scenarios, list) else 1
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


def _shared(asked: Asked, config: Mapping[str, Any]) -> Mapping[str, Any]:
    """What holds for all tests; counted as lost where it stands in another file."""
    shared = config.get("defaultTest") or {}
    if isinstance(shared, Mapping):
        return shared
    asked.notes.lost["defaultTest in another file"] += 1
    return {}


def _case(
    asked: Asked, test: Mapping[str, Any], shared: Mapping[str, Any], number: int, place: str
) -> Fields:
    said = {**_named(shared, "vars", place), **_named(test, "vars", place)}
    names = (asked.mapping["question"],) if "question" in asked.mapping else ASKED
    name = next((one for one in names if one in said), None)
    if name is None:
        raise UsageError(
            f"{place}: no variable is known to hold the question; there are: "
            f"{', '.join(said) or 'none'}. Say which: --map question=NAME"
        )
    if not isinstance(said[name], str | int | float):
        raise UsageError(
            f"{place}: vars.{name}: got {shown(said[name])}; allowed: a text. A list stands for "
            "several tests: write each"
        )
    answers, nuggets = _expected(asked, [*_assertions(asked, shared), *_assertions(asked, test)])
    case: Fields = {
        "id": f"{asked.source.name.partition('.')[0]}-{number}",
        "question": str(said[name]),
        "metadata": _metadata(asked, test, {key: said[key] for key in said if key != name}, place),
    }
    if answers:
        case["expected_answer"] = answers[0] if len(answers) == 1 else answers
    if nuggets:
        case["expected_nuggets"] = [{"text": one, "vital": True} for one in nuggets]
    return case


def _metadata(
    asked: Asked, test: Mapping[str, Any], left: Mapping[str, Any], place: str
) -> Mapping[str, Any]:
    """The other variables and the description; what else a test has is counted as lost."""
    metadata = {**_named(test, "metadata", place)}
    if left:
        metadata["vars"] = left
        asked.notes.kept.update(f"vars.{key}" for key in left)
    if "description" in test:
        metadata["description"] = test["description"]
        asked.notes.kept["description"] += 1
    for key in test:
        if key not in ("vars", "assert", "metadata", "description"):
            asked.notes.lost[key] += 1
    return metadata


def _named(test: Mapping[str, Any], what: str, place: str) -> Mapping[str, Any]:
    found = test.get(what) or {}
    if not isinstance(found, Mapping):
        raise UsageError(
            f"{place}: {what}: got {shown(found)}; allowed: names and values that stand in this "
            "file"
        )
    return found


def _assertions(asked: Asked, test: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The assertions of a test, those of a set in it among them."""
    listed = test.get("assert") or []
    for one in listed if isinstance(listed, list) else [listed]:
        if not isinstance(one, Mapping):
            asked.notes.lost["assert in another place"] += 1
        elif one.get("type") == "assert-set":
            yield from _assertions(asked, one)
        else:
            yield one


def _expected(asked: Asked, assertions: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    answers: list[str] = []
    nuggets: list[str] = []
    for one in assertions:
        kind = str(one.get("type", "without a type"))
        values = _values(kind, one.get("value"))
        plain = [part for part in values if "{{" not in part and not part.startswith(ELSEWHERE)]
        if kind in ANSWERS and plain:
            answers += plain
        elif kind in PARTS and plain:
            nuggets += plain
        else:
            asked.notes.lost[f"assert {kind}"] += 1
    return list(dict.fromkeys(answers)), list(dict.fromkeys(nuggets))


def _values(kind: str, value: object) -> list[str]:
    """The texts of an assertion; `a, "b, c"` are two where it takes several."""
    if isinstance(value, str) and kind in SEVERAL and not value.startswith(ELSEWHERE):
        value = next(csv.reader([value], skipinitialspace=True), [])
    listed = value if isinstance(value, list) else [value]
    return [str(part).strip() for part in listed if part is not None and str(part).strip()]
