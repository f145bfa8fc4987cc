from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from fake_provider import ask
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import Reply
from ragproof.llm import quick_json
from ragproof.llm.prices import Prices, most_tokens, tokens
from ragproof.llm.replies import MemoryReplies
from ragproof.llm.schema import strict_schema
from ragproof.llm.wire import sendable


def test_the_key_depends_on_model_prompt_and_input() -> None:
    keys = [
        ask().key("f"),
        ask().key("g"),
        ask(prompt="q").key("f"),
        ask(system="Other.").key("f"),
        ask("Other?").key("f"),
        ask(system="Judge.Is", user=" it so?").key("f"),
        ask(repeat=1).key("f"),
        ask(repeat=2).key("f"),
    ]
    assert len(set(keys)) == len(keys)


def test_the_first_repeat_has_the_plain_key() -> None:
    assert ask(repeat=0).key("f") == ask().key("f")


@given(st.text(st.characters(codec=None)))
def test_every_text_has_a_key(text: str) -> None:
    assert len(ask(text).key("f")) == 64


@given(st.text(st.characters(codec=None)))
def test_every_text_can_be_sent(text: str) -> None:
    sent = sendable(text)
    sent.encode()  # and does not raise
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert sent == text


def test_halves_of_a_character_become_it_and_a_lone_half_a_mark() -> None:
    assert sendable("a\ud83d\ude00b\ud800") == "a\U0001f600b\ufffd"


@pytest.fixture(params=["python", "orjson"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read and write JSON without orjson, and with it where it is installed."""
    if request.param == "python":
        monkeypatch.setattr(quick_json, "ORJSON", None)
    else:
        module = pytest.importorskip("orjson", reason="orjson is not installed")
        monkeypatch.setattr(quick_json, "ORJSON", module)
    return


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    "value", [{"a": [1, 2.5, None, True]}, {"ä": "\u2028\x00"}, 2**80, [], "x", {"n": {"m": []}}]
)
def test_json_comes_back_as_it_was(value: Any) -> None:
    written = quick_json.dumps(value)
    assert quick_json.loads(written) == value
    assert b" " not in written


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf{}", "{}".encode("utf-16"), "{}".encode("utf-32"), b" {}\n"]
)
def test_json_is_read_in_every_encoding_of_unicode(data: bytes) -> None:
    assert quick_json.loads(data) == {}


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize("data", [b"", b"<html>", b"{", b"\xff\xfe\xfa", b"{} {}"])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        quick_json.loads(data)


def test_orjson_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert quick_json._orjson() is None


def test_a_token_is_estimated_at_four_characters() -> None:
    assert [tokens(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_a_cost_is_unknown_where_a_price_is() -> None:
    assert Prices(1.0, 4.0).cost(1_000_000, 500_000) == 3.0
    assert Prices(1.0, None).cost(1, 1) is None
    assert Prices(None, 1.0).cost(1, 1) is None
    assert Prices(0.0, 0.0).cost(1, 1) == 0.0


@given(st.text(max_size=200))
def test_the_guess_for_a_budget_is_above_the_estimate(text: str) -> None:
    assert most_tokens(ask(text)) >= tokens("Judge." + text)


def test_characters_beyond_ascii_may_take_a_token_each() -> None:
    assert most_tokens(ask("字" * 300)) - most_tokens(ask("")) == 300


def test_a_schema_counts_as_part_of_the_prompt() -> None:
    assert most_tokens(ask(schema={"type": "object"})) > most_tokens(ask())


def test_a_strict_schema_closes_every_object_and_asks_for_every_property() -> None:
    schema = {
        "type": "object",
        "title": "Verdicts",
        "properties": {
            "claims": {"type": "array", "items": {"$ref": "#/$defs/Claim"}, "minItems": 1},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["claims"],
        "$defs": {
            "Claim": {
                "type": "object",
                "properties": {"text": {"type": "string", "minLength": 1}},
            }
        },
    }
    strict, is_strict = strict_schema(schema)
    assert is_strict
    assert strict == {
        "type": "object",
        "properties": {
            "claims": {"type": "array", "items": {"$ref": "#/$defs/Claim"}},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["claims", "note"],
        "additionalProperties": False,
        "$defs": {
            "Claim": {
                "type": "object",
                "properties": {"text": {"type": "string"}},
                "required": ["text"],
                "additionalProperties": False,
            }
        },
    }
    assert schema["required"] == ["claims"]  # the one that was given is as it was


@pytest.mark.parametrize(
    "inner",
    [{"type": "object"}, {"type": "object", "additionalProperties": {"type": "number"}}, {}],
)
def test_an_object_with_free_keys_cannot_be_strict(inner: dict[str, Any]) -> None:
    strict, is_strict = strict_schema({"type": "object", "properties": {"scores": inner}})
    assert not is_strict
    assert strict["properties"]["scores"].get("additionalProperties", True)


def test_the_book_counts_what_may_have_been_paid_until_it_is_settled() -> None:
    async def act() -> None:
        book = MemoryReplies(spent=1.0)
        await book.sent("a", ask(), 0.5)
        assert book.spent() == 1.5
        await book.sent("a", ask(), 0.75)  # a second attempt: the sum, not one more
        assert book.spent() == 1.75
        await book.received("a", ask(), Reply("x", 0.1))
        assert book.spent() == 1.1
        assert await book.found("a") == Reply("x", 0.1)
        await book.sent("b", ask(), None)
        await book.failed("b", 0.0)
        assert book.spent() == 1.1
        assert await book.found("b") is None

    asyncio.run(act())


def test_a_book_without_lookup_finds_nothing() -> None:
    async def act() -> None:
        book = MemoryReplies(lookup=False)
        await book.received("a", ask(), Reply("x", 0.1))
        assert await book.found("a") is None
        assert book.spent() == 0.1

    asyncio.run(act())
