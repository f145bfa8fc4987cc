"""Edits are counted rightly, with and without the library, and bounded where texts are long."""

from __future__ import annotations

import random

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text import alignment, edits, pieces
from ragproof.text.alignment import Kind, aligned

few = st.text("abc", max_size=14)
any_text = st.text(max_size=20)


def by_table(one: str, other: str) -> int:
    """The textbook's table."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, two in enumerate(other, 1):
            cost = min(row[place] + 1, row[place - 1] + 1, before + (letter != two))
            before, row[place] = row[place], cost
    return row[-1]


@settings(max_examples=50)
@given(one=st.one_of(few, any_text), other=st.one_of(few, any_text))
def test_edits_are_those_of_the_table_with_and_without_the_library(one: str, other: str) -> None:
    expected = by_table(one, other)
    assert edits.edits(one, other) == edits.plain_distance(one, other) == expected


@settings(max_examples=50)
@given(one=st.text("abc", min_size=1, max_size=14), other=few)
def test_an_alignment_has_the_fewest_edits_and_leaves_nothing_out(one: str, other: str) -> None:
    found = aligned(list(one), list(other))
    changed = sum(part.words for part in found if part.kind is not Kind.KEPT)
    assert changed == by_table(one, other)
    assert "".join(one[part.start : part.end] for part in found) == one
    assert "".join(other[part.other_start : part.other_end] for part in found) == other
    for part in found:
        same = one[part.start : part.end] == other[part.other_start : part.other_end]
        assert same == (part.kind is Kind.KEPT)


@settings(max_examples=50)
@given(one=st.text("ab ", min_size=1, max_size=30), other=st.text("ab ", max_size=30))
def test_rates_are_those_of_jiwer(one: str, other: str) -> None:
    if not one.split():
        return
    reference, parsed = one.strip(), other.strip()
    assert edits.edits(reference, parsed) / len(reference) == pytest.approx(jiwer.cer(one, other))
    words = one.split()
    expected = jiwer.wer(" ".join(words), " ".join(other.split()))
    assert edits.edits(words, other.split()) / len(words) == pytest.approx(expected)


@settings(max_examples=50)
@given(one=few, other=few)
def test_likeness_gives_up_only_below_what_is_asked(one: str, other: str) -> None:
    whole = edits.likeness(one, other)
    assert edits.likeness(one, other, 0.5) == pytest.approx(whole if whole >= 0.5 else 0.0)


@settings(max_examples=50)
@given(one=st.text("ab", max_size=80), other=st.text("ab", max_size=80), limit=st.integers(1, 99))
def test_pieces_are_all_of_both_in_order(one: str, other: str, limit: int) -> None:
    parts = list(pieces.pieces(one, other, limit))
    assert "".join(one[mine] for mine, _ in parts) == one
    assert "".join(other[theirs] for _, theirs in parts) == other
    assert sum(by_table(one[m], other[t]) for m, t in parts) >= by_table(one, other)


def test_a_long_text_is_counted_piece_by_piece_and_hardly_too_high(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = random.Random(4)
    one = "".join(draw.choice("abcdefgh ") for _ in range(20_000))
    other = "".join(c if draw.random() > 0.03 else draw.choice(["", "x", c + "y"]) for c in one)
    exact = edits.edits(one, other)
    assert edits.is_exact(one, other)
    monkeypatch.setattr(edits, "EXACT", 10**7)
    assert not edits.is_exact(one, other)
    assert exact <= edits.edits(one, other) <= exact * 1.02
    words, others = one.split(), other.split()
    fewest = edits.distance(words, others)
    monkeypatch.setattr(alignment, "EXACT", 10**5)
    changed = sum(part.words for part in aligned(words, others) if part.kind is not Kind.KEPT)
    assert fewest <= changed <= fewest * 1.05


def test_the_work_on_long_texts_is_bounded_whatever_is_in_them() -> None:
    draw = random.Random(4)
    same = "the quick brown fox jumps over the lazy dog. " * 10_000
    noise = "".join(draw.choice("abc ") for _ in range(400_000))
    spoilt = "".join(one if draw.random() > 0.01 else "x" for one in noise)
    for one, other in [(same, noise), (noise, spoilt), (noise, same[:5])]:
        parts = list(pieces.pieces(one, other, 10**7))
        work = [(mine.stop - mine.start) * (theirs.stop - theirs.start) for mine, theirs in parts]
        assert max(work) < 2 * 10**7
        assert sum(work) < 2 * 10**10
