"""Near-duplicates are found without comparing each with each, and none is invented."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.datasets.alike import WINDOW, alike
from ragproof.text.shingles import jaccard, shingles

WORDS = [f"{one}{two}" for one in ("pump", "seal", "motor", "valve") for two in range(60)]


def sentences(number: int, seed: int = 1) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choice(WORDS) for _ in range(9)) for _ in range(number)]


def test_a_question_with_a_word_more_is_found_among_many() -> None:
    texts = sentences(2000)
    texts[1700] = texts[3] + " now"
    texts[40] = texts[3] + " yet"
    found = alike(texts)
    assert [one.members for one in found.groups] == [(3, 40, 1700)]
    assert found.groups[0].similarity >= 0.8
    assert not found.crowded


def test_nothing_is_like_nothing_and_short_texts_like_none() -> None:
    assert alike([]).groups == ()
    assert alike(["a", "a", "ab"]).groups == ()
    assert alike(["only one text"]).groups == ()


def test_where_a_crowd_resembles_each_other_that_is_said() -> None:
    texts = [f"what does the item with number {at} cost today" for at in range(WINDOW * 40)]
    assert alike(texts, 0.9).crowded


@given(st.lists(st.text("abcd ", min_size=5, max_size=14), max_size=12), st.integers(0, 3))
@settings(max_examples=50, deadline=None)
def test_every_pair_that_is_tied_shares_enough_and_equal_texts_are_tied(
    texts: list[str], twice: int
) -> None:
    texts = [*texts, *texts[:twice]]
    for one in alike(texts, 0.8).groups:
        shared = [
            jaccard(shingles(texts[a]), shingles(texts[b])) or 0.0
            for a in one.members
            for b in one.members
            if a < b
        ]
        assert max(shared) >= 0.8
        assert one.similarity >= 0.8
    member = {at for one in alike(texts, 0.8).groups for at in one.members}
    assert all(at in member for at in range(len(texts)) if texts.count(texts[at]) > 1)
