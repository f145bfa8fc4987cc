"""Messages of faults: without jargon, one a place, no secret repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ragproof.core import UsageError
from ragproof.text.faults import faults, is_secret, raise_all, shown
from ragproof.text.shape import describe


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


@dataclass
class Part:
    start: int
    api_key: str = ""


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = ""
    names: str | tuple[str, ...] | None = None
    grades: tuple[str, ...] | Mapping[str, int] | None = None
    colour: Colour = Colour.RED
    day: date | None = None
    pair: tuple[int, int] = (0, 0)
    part: Part | tuple[Part, ...] | None = None
    flag: bool | None = None
    limit: float | Literal["omit"] = 0.0


def told(text: str) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Whole).validate_json(text, strict=True)
    return [str(fault) for fault in faults(caught.value, Whole)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"name": 5}', 'name: got 5; allowed: a string. Put quotes around it: "5"'),
        ('{"name": null}', "name: got null; allowed: a string"),
        (
            '{"names": true}',
            'names: got true; allowed: a string or a list of strings. Put quotes around it: "true"',
        ),
        ('{"names": ["a", {}]}', "names.1: got an empty mapping; allowed: a string"),
        ('{"grades": {"a": 1.5}}', "grades.a: got 1.5; allowed: a whole number"),
        (
            '{"grades": 3}',
            "grades: got 3; allowed: a list of strings or a mapping of names to whole numbers",
        ),
        (
            '{"colour": "reed"}',
            "colour: got \"reed\"; allowed: red or green. Did you mean 'red'?",
        ),
        ('{"day": "2026-02-30"}', 'day: got "2026-02-30"; allowed: a date (YYYY-MM-DD)'),
        ('{"pair": [1, 2, 3]}', "pair: got a list of 3; allowed: a list of 2 whole numbers"),
        ('{"pair": [1]}', "pair.1: missing; needed: a whole number"),
        ('{"part": {"start": "1"}}', 'part.start: got "1"; allowed: a whole number'),
        ('{"part": [{"start": null}]}', "part.0.start: got null; allowed: a whole number"),
        ('{"part": 1}', "part: got 1; allowed: a mapping or a list of mappings"),
        ('{"flag": "yes"}', 'flag: got "yes"; allowed: true or false'),
        (
            '{"limit": "omitt"}',
            "limit: got \"omitt\"; allowed: a number or omit. Did you mean 'omit'?",
        ),
        ('{"nmae": 1}', "nmae: unknown key. Did you mean 'name'?"),
        (
            '{"zzz": 1}',
            "zzz: unknown key. Allowed: name, names, grades, colour, day, pair, part, flag, limit",
        ),
        ("[1]", "got a list of 1; allowed: a mapping"),
    ],
)
def test_a_fault_says_what_was_got_and_what_is_allowed(text: str, message: str) -> None:
    assert told(text) == [message]


def test_all_faults_are_told() -> None:
    assert told('{"name": 5, "flag": 1}') == [
        'name: got 5; allowed: a string. Put quotes around it: "5"',
        "flag: got 1; allowed: true or false",
    ]


def test_a_secret_is_never_repeated() -> None:
    assert told('{"part": {"start": 1, "api_key": 12345}}') == [
        "part.api_key: got a value that is not shown; allowed: a string"
    ]


@pytest.mark.parametrize(
    "name", ["api_key", "X-API-Key", "apiKey", "Authorization", "token", "access_token", "password"]
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name", ["max_output_tokens", "eos_token", "tokenizer", "token_count", "question", 3]
)
def test_other_names_are_no_secrets(name: object) -> None:
    assert not is_secret(name)


def test_long_values_are_cut() -> None:
    assert len(shown("x" * 1_000)) < 70
    assert len(shown(10**200)) <= 60
    assert shown({str(i): i for i in range(9)}) == "a mapping with 0, 1, 2, 3, 4 and 4 more"


def test_twenty_faults_are_shown_and_the_rest_counted() -> None:
    with pytest.raises(UsageError) as caught:
        raise_all([f"fault {i}" for i in range(30)])
    assert str(caught.value).splitlines()[19:] == ["fault 19", "... 30 faults in all"]
    raise_all([])


def test_types_are_told_in_words() -> None:
    assert describe(tuple[tuple[str, str, str], ...]) == "a list of lists of 3 strings"
    assert describe(Mapping[str, Any]) == "a mapping"
    assert describe(Any) == "any value"
    assert describe(list[int]) == "a list of whole numbers"
