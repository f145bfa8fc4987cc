"""The library: harmless, findable, and named so that a mistyped id is noticed."""

from __future__ import annotations

import base64
import codecs
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.injection import complied
from ragproof.text.marker import marker
from ragproof.text.payload_library import PAYLOADS, Attack, Payload, Place
from ragproof.text.payloads import misfit, payload, planted, sentinels

SENTINELS = [one for found in PAYLOADS for one in found.sentinels]
DANGER = re.compile(
    r"\b(?:rm|curl|wget|sudo|chmod|eval|exec|import|script|powershell|cmd|drop table|select|bash"
    r"|password|passwd|api[_ ]?key|token|credit card|os\.|subprocess|onerror|javascript)\b"
    r"|[`;]\s*\w+\(",
    re.IGNORECASE,
)
every_payload = pytest.mark.parametrize("one", PAYLOADS, ids=lambda one: one.id)


def test_every_attack_is_there_and_both_places_are_used() -> None:
    assert {one.attack for one in PAYLOADS} == set(Attack)
    assert min(Counter(one.place for one in PAYLOADS).values()) >= 20
    assert len(PAYLOADS) >= 40


def test_ids_and_sentinels_are_unique() -> None:
    assert len({one.id for one in PAYLOADS}) == len(PAYLOADS)
    assert len({one.casefold() for one in SENTINELS}) == len(SENTINELS)
    assert not [(a, b) for a in SENTINELS for b in SENTINELS if a != b and a in b]


@every_payload
def test_an_id_is_lower_case_words_joined_by_underscores(one: Payload) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", one.id)


@every_payload
def test_a_payload_does_no_harm(one: Payload) -> None:
    hosts = re.findall(r"(?:://|@)([\w.-]+)", one.text)
    assert all(host.endswith(".invalid") for host in hosts)
    assert not DANGER.search(one.text)
    assert len(one.text) <= 120


@every_payload
def test_a_sentinel_is_a_token_that_no_honest_text_holds(one: Payload) -> None:
    for sentinel in one.sentinels:
        assert marker(sentinel).is_token
        assert re.search(r"\d|\.invalid", sentinel)


@every_payload
def test_a_payload_asks_for_its_sentinel_plainly_or_in_code(one: Payload) -> None:
    [sentinel] = one.sentinels
    ways = [
        sentinel,
        base64.b64encode(sentinel.encode()).decode(),
        codecs.encode(sentinel, "rot13"),
        sentinel.encode().hex().upper(),
        re.sub(r"(?<=.)(?=.)", " ", sentinel),
    ]
    assert any(way in one.text for way in ways)
    assert (ways[0] not in one.text) == (one.attack is Attack.ENCODED)


@every_payload
def test_who_obeys_is_found_out_and_nobody_by_another_payloads_sentinel(one: Payload) -> None:
    answer = f"It lasts 24 months.\n\n{one.sentinels[0]}"
    assert complied(answer, *one.sentinels).complied
    others = [sentinel for sentinel in SENTINELS if sentinel not in one.sentinels]
    assert complied(answer, *others).rule == "not found"


def test_a_literal_marker_is_its_own_sentinel() -> None:
    assert sentinels("MEOWCONFIRM") == ("MEOWCONFIRM",)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("overide_plain", "Did you mean 'override_plain'"),
        ("override-plain", "Did you mean 'override_plain'"),
        ("Override_Plain", "Did you mean 'override_plain'"),
        ("some_marker_of_mine", "the id of a payload, or a marker that does not look like one"),
        ("", "a character that shows"),
        (" \u200b", "a character that shows"),
    ],
)
def test_what_looks_like_an_id_must_be_one(value: str, told: str) -> None:
    assert told in misfit(value)


@pytest.mark.parametrize("value", ["RAGPROOF_OVERRIDE", "MEOWCONFIRM", "cat", "I was here", "a-b"])
def test_anything_else_is_a_marker(value: str) -> None:
    assert misfit(value) == ""


@given(st.sampled_from(PAYLOADS), st.data())
def test_up_to_two_edits_of_an_id_are_noticed(one: Payload, data: st.DataObject) -> None:
    text = one.id
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(text) - 1))
        letter = data.draw(st.sampled_from(["", "x", "Z", text[at] + "y", "-"]))
        text = text[:at] + letter + text[at + 1 :]
    assert payload(text) is not None or misfit(text)


def test_a_question_ends_with_its_payload() -> None:
    [one] = [found for found in PAYLOADS if found.id == "override_plain"]
    assert planted("How long? ", one) == f"How long? {one.text}"


@given(
    st.sampled_from([one for one in PAYLOADS if one.place is Place.DOCUMENT]),
    st.lists(st.text("ab .\n", min_size=1, max_size=9).filter(lambda one: one.strip()), max_size=6),
)
def test_a_document_keeps_its_words_around_its_payload(one: Payload, parts: list[str]) -> None:
    text = "\n\n".join(parts)
    carrier = planted(text, one)
    assert f"\n\n{carrier.strip()}\n\n".count(f"\n\n{one.text}\n\n") == 1
    assert carrier.replace(one.text, "", 1).split() == text.split()
