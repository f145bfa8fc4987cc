"""JSON is found wherever a model puts it, and hostile text costs no more than its length."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.embedded_json import objects

OBJECT = {"verdict": "ok", "reason": 'a "quoted" {brace}'}
TEXT = json.dumps(OBJECT)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"  {TEXT}\n",
        f"Sure! Here it is: {TEXT} I hope that helps.",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```\nLet me know {{if}} you need more.",
        f"<think>hm {{...}} hm</think>{TEXT}",
        f"hm, the opening tag was swallowed</think>\n\n{TEXT}",
        f"<thinking>\nhm\n</thinking>\n{TEXT}",
        f"{TEXT}}}",
        f"{TEXT} }} ]",
        f"{{ {TEXT}",
        f"the set {{a, b}} and then {TEXT}",
    ],
)
def test_an_object_is_found_amid_other_text(text: str) -> None:
    assert objects(text) == [OBJECT]


def test_a_draft_in_a_thought_is_left_out() -> None:
    assert objects(f'<think>{{"verdict": "no"}}</think>{TEXT}') == [OBJECT]


def test_a_thought_that_never_ends_holds_no_reply() -> None:
    assert objects(f"<think>perhaps {TEXT}") == []


def test_tags_of_thought_inside_an_object_are_part_of_it() -> None:
    quoting = {"quote": "he wrote </think> and <think>"}
    assert objects(f"Here: {json.dumps(quoting)}.") == [quoting]


def test_several_objects_come_in_order_and_inner_ones_not_at_all() -> None:
    assert objects('{"a": {"b": 1}} and {"c": 2}') == [{"a": {"b": 1}}, {"c": 2}]


def test_typographic_quotes_are_straightened_where_nothing_else_is_found() -> None:
    assert objects("{“verdict”: “ok”}") == [{"verdict": "ok"}]


def test_quotes_inside_an_object_stay_as_they_are() -> None:
    assert objects('{"quote": "“so”"}') == [{"quote": "“so”"}]


def test_a_line_break_inside_a_string_is_let_pass() -> None:
    assert objects('Here: {"reason": "two\nlines"}') == [{"reason": "two\nlines"}]


def test_a_key_twice_is_a_fault_and_not_the_last_of_them() -> None:
    [fault] = objects('{"verdict": "ok", "verdict": "wrong"}')
    assert isinstance(fault, ValueError)
    assert str(fault) == 'key "verdict" is there twice'


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", "{", '{"a": 1', "null", '"{}"'])
def test_where_there_is_no_object_none_is_found(text: str) -> None:
    assert objects(text) == []


def test_a_reply_of_5_mb_is_read() -> None:
    large = {"reason": "x" * 5_000_000}
    assert objects(json.dumps(large)) == [large]


@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 900_000,
        '{"a":' * 180_000,
        '{"' * 450_000,
        '{"a": "' * 128_000,
        '{"a": 1, "a": 2}' * 55_000,
        "<think>" * 120_000,
        "</think>" * 110_000,
        "x" * 5_000_000 + "{",
    ],
)
def test_hostile_text_takes_no_more_than_its_length(hostile: str) -> None:
    started = time.process_time()
    objects(hostile)
    assert time.process_time() - started < 5  # quadratic time would be hours


@given(prose=st.text(st.characters(exclude_characters="{}“”„‟«»<>")))
def test_prose_around_an_object_changes_nothing(prose: str) -> None:
    assert objects(f"{prose}{TEXT}{prose}") == [OBJECT]
