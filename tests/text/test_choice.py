"""A word to choose is known in any dress, and no other word is taken for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.choice import Choice
from ragproof.text.quotes import occurs


class Mode(Choice):
    NONE = "none"
    STALE_FACT = "stale_fact"


@pytest.mark.parametrize(
    "text", ["stale_fact", "Stale fact", " STALE-FACT ", "stale__fact.", "'stale fact'"]
)
def test_capitals_spaces_and_hyphens_make_no_difference(text: str) -> None:
    assert Mode(text) is Mode.STALE_FACT


@pytest.mark.parametrize("text", ["stale", "fact", "not stale_fact", "", "null", 3, None])
def test_another_word_is_no_choice(text: Any) -> None:
    with pytest.raises(ValueError, match="is not a valid Mode"):
        Mode(text)


def test_a_quote_occurs_white_space_aside_and_letter_by_letter_otherwise() -> None:
    assert occurs("two moons,\nPhobos", ["x", "Mars has two  moons, Phobos and Deimos."])
    assert occurs("两个 卫星", ["火星有两个卫星。"])
    assert not occurs("Two moons", ["two moons"])
    assert not occurs("a b", ["a", "b"])


@pytest.mark.parametrize("quote", ["", " ", "\n\t"])
def test_an_empty_quote_shows_nothing(quote: str) -> None:
    assert not occurs(quote, ["anything"])


@given(text=st.text(min_size=1), data=st.data())
def test_every_part_of_a_text_occurs_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    part = text[start : data.draw(st.integers(start + 1, len(text)))]
    assert occurs(part, [text]) == bool(part.strip())
