"""Expansion without a model, and what it does to a search."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.demo.feedback import (
    EXPANSIONS,
    Expansion,
    Feedback,
    FeedbackSearch,
    bo1,
    rm3,
    search_corpus,
)

TEXTS = ["red lamp lamp", "red lamp", "blue chair", "lamp shade shade"]
words = st.text(alphabet="abcd ", max_size=12)


def test_rm3_by_hand() -> None:
    index = Feedback(["red lamp", "blue chair"])
    # The only text with "red" has all of the scores; its words have half of it each. So the model
    # is {red: 1/2, lamp: 1/2}, and mixed half and half with {red: 1}: {red: 3/4, lamp: 1/4}.
    assert rm3("red", index) == pytest.approx({"red": 0.75, "lamp": 0.25})
    assert rm3("red", index, original=1.0) == pytest.approx({"red": 1.0, "lamp": 0.0})
    assert rm3("red", index, words=1, original=0.0) == pytest.approx({"red": 0.0, "lamp": 1.0})


def test_bo1_by_hand() -> None:
    index = Feedback(["red lamp lamp", "red lamp", "blue chair"])
    # red: 2 in the best texts, p = 2/3; lamp: 3, p = 1, so that log2((1 + p) / p) is 1.
    red, lamp = 2 * log2(2.5) + log2(5 / 3), 3 + 1
    assert bo1("red", index) == pytest.approx({"red": 1 + red / lamp, "lamp": 1.0})


@pytest.mark.parametrize("expansion", EXPANSIONS)
def test_where_nothing_is_found_the_query_stays(expansion: Expansion) -> None:
    index = Feedback(TEXTS)
    assert EXPANSIONS[expansion]("green", index) == {"green": 1.0}
    assert index.search("green", 3, expansion) == []
    assert index.search("the", 3, expansion) == []


def test_an_expansion_finds_what_shares_no_word_with_the_question() -> None:
    index = Feedback(TEXTS)
    assert 3 not in {text for text, _ in index.search("red", 9)}
    for expansion in ("rm3", "bo1"):
        assert 3 in {text for text, _ in index.search("red", 9, expansion)}


@settings(max_examples=50)
@given(texts=st.lists(words, max_size=6), query=words)
def test_an_expansion_never_loses_a_text_of_the_question(texts: list[str], query: str) -> None:
    index = Feedback(texts)
    plain = {text for text, _ in index.search(query, 99)}
    assert plain == {text for text, _ in index.index.best(query, 99)}
    for expansion in ("rm3", "bo1"):
        found = index.search(query, 99, expansion)
        assert plain <= {text for text, _ in found}
        assert all(score >= 0 for _, score in found)


def test_the_trace_names_both_lanes() -> None:
    pipeline = FeedbackSearch(dict(zip("abcd", TEXTS, strict=True)), "rm3", depth=2)
    lanes = pipeline.answer("red")["trace"]["lanes"]
    assert {name: [one["id"] for one in lane] for name, lane in lanes.items()} == {
        "raw": ["b", "a"],
        "rm3": [one["id"] for one in pipeline.retrieve("red", 2)],
    }
    plain = FeedbackSearch(dict(zip("abcd", TEXTS, strict=True)))
    assert list(plain.answer("red")["trace"]["lanes"]) == ["raw"]


def test_a_corpus_is_read_and_an_unknown_expansion_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "a", "text": "red lamp"}\n{"_id": "b", "text": "blue"}\n')
    assert [one["id"] for one in search_corpus(str(corpus)).retrieve("lamps", 5)] == ["a"]
    with pytest.raises(UsageError, match="expansion must be none, rm3, bo1, got 'rm4'"):
        search_corpus(str(corpus), "rm4")  # type: ignore[arg-type]
