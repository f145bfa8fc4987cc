"""Which text of one list is which of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text import counterparts
from ragproof.text.counterparts import matched
from ragproof.text.edits import likeness

texts = st.lists(st.text("ab cé\u0301😀", max_size=30), max_size=7)


def one_by_one(expected: list[str], got: list[str], least: float) -> list[int | None]:
    """The definition: of all pairs the most alike first, among equals the nearest places."""
    found: list[int | None] = [None] * len(expected)
    taken: set[int] = set()
    for at, one in enumerate(expected):  # equal texts in order
        place = next((n for n, other in enumerate(got) if other == one and n not in taken), None)
        if place is not None:
            found[at] = place
            taken.add(place)
    pairs = sorted(
        (-alike, abs(at - place), at, place)
        for at, one in enumerate(expected)
        for place, other in enumerate(got)
        if (alike := likeness(one, other)) >= least
    )
    for _, _, at, place in pairs:
        if found[at] is None and place not in taken:
            found[at] = place
            taken.add(place)
    return found


@given(texts, texts, st.sampled_from([0.3, 0.5, 0.75, 0.8, 0.9, 0.93, 0.96, 1.0]))
def test_the_shortcuts_find_what_comparing_all_pairs_finds(
    expected: list[str], got: list[str], least: float
) -> None:
    assert matched(expected, got, least) == one_by_one(expected, got, least)


@given(
    st.lists(st.text("abcdefgh ", min_size=20, max_size=60), min_size=1, max_size=6, unique=True),
    st.data(),
)
def test_long_texts_with_a_few_edits_are_found_by_the_pieces_that_are_left(
    expected: list[str], data: st.DataObject
) -> None:
    got = []
    for text in data.draw(st.permutations(expected)):
        letters = list(text)
        for at in data.draw(st.lists(st.integers(0, len(text) - 1), max_size=4)):
            letters[at] = data.draw(st.sampled_from(["", "x", letters[at] + "y"]))
        got.append("".join(letters))
    for least in (0.8, 0.92):
        assert matched(expected, got, least) == one_by_one(expected, got, least)


def test_of_a_long_document_few_pairs_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 400 paragraphs lost two letters: all pairs would be 160,000."""
    compared = 0

    def counting(one: str, other: str, least: float = 0.0) -> float:
        nonlocal compared
        compared += 1
        return likeness(one, other, least)

    monkeypatch.setattr(counterparts, "likeness", counting)
    expected = [f"{at * 7919:06d} is what paragraph {at * 104729:08d} tells" for at in range(400)]
    got = [f"{one[:9]}{one[10:20]}{one[21:]}" for one in reversed(expected)]
    assert matched(expected, got, 0.8) == list(range(399, -1, -1))
    assert compared < 20_000
