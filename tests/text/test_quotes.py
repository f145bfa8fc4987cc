"""Which sentences of a text are quoted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.quotes import occurs, unquoted
from ragproof.text.sentence_spans import sentence_spans

texts = st.lists(st.sampled_from(["It is red.", "It\nhums!", "店。", "Dr. Ode left", " "])).map(
    " ".join
)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@given(texts | st.text(max_size=30))
def test_each_sentence_is_quoted_by_itself_and_none_by_nothing(text: str) -> None:
    assert unquoted(text, sentences(text)) == []
    assert unquoted(text, []) == sentences(text) == unquoted(text, ["", " "])


@given(texts, st.lists(st.sampled_from(["It is red.", "hums! 店", "left", "Ode", "is\nred"])))
def test_a_sentence_in_which_a_quote_occurs_is_quoted(text: str, quotes: list[str]) -> None:
    left = unquoted(text, quotes)
    assert [one for one in left if any(occurs(quote, [one]) for quote in quotes)] == []
    assert len(left) <= len(sentences(text))
