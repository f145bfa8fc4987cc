"""The passages from which the nuggets of a case are drafted, and their order."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets import asked, lines

from ragproof.core import UsageError
from ragproof.core.case import SourceSpan
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.nuggeting import (
    Drawn,
    is_asked_for,
    of_corpus,
    of_judged_pool,
    pools,
)

CASE = asked(
    "a",
    expected_source_ids={"best": 3, "good": 1, "bad": 0},
    distractor_source_ids=("lure",),
    superseded_source_ids=("old",),
    planted_source_ids=("poison",),
)


def drawn(*found: tuple[str, int]) -> list[Drawn]:
    return [Drawn("a", source, f"text of {source}", rank) for source, rank in found]


def ids(*found: Drawn, judged_only: bool = False) -> list[str]:
    return [one.source_id for one in pools([CASE], found, judged_only=judged_only)["a"]]


def test_the_higher_grade_comes_first_and_then_the_better_rank() -> None:
    found = drawn(("new", 2), ("newer", 1), ("good", 9), ("best", 8))
    assert ids(*found) == ["best", "good", "newer", "new"]
    assert ids(*found, judged_only=True) == ["best", "good"]


def test_what_is_useless_misleads_or_is_planted_is_no_pool() -> None:
    found = drawn(("bad", 1), ("lure", 2), ("old", 3), ("poison", 4), ("new", 5))
    assert ids(*found) == ["new"]


def test_a_grade_that_a_person_gave_counts_before_that_of_the_dataset() -> None:
    judged = Drawn("a", "bad", "of use after all", 1, 2)
    useless = Drawn("a", "good", "of no use", 1, 0)
    assert ids(judged, useless) == ["bad"]


def test_chunks_of_one_document_are_passages_each_and_equal_texts_one() -> None:
    found = [Drawn("a", "d", text, 1) for text in ("one", "two", "one ", " ")]
    assert [one.text for one in pools([CASE], found, judged_only=False)["a"]] == ["one", "two"]


def test_lines_of_a_judged_pool_are_drawn_and_answers_are_none(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl",
        {"case_id": "a", "source_id": "d", "grade": 1, "text": "t", "best_rank": 4},
        {"case_id": "a", "answer": "x", "verdict": None},
    )
    assert list(of_judged_pool(path, {"a"})) == [Drawn("a", "d", "t", 4, 1)]
    with pytest.raises(UsageError, match=r'p\.jsonl:1: case_id: "a" is no case of the dataset'):
        list(of_judged_pool(path, {"b"}))


def test_expected_documents_are_cut_into_passages_and_each_is_taken_once(tmp_path: Path) -> None:
    corpus = load_corpus(
        lines(
            tmp_path / "c.jsonl",
            {"id": "good", "text": "# A\n\nFirst.\n\n# B\n\nSecond."},
            {"id": "bad", "text": "Not expected."},
        )
    )
    span = SourceSpan(document_id="good", start=0, end=2)
    case = asked("a", expected_source_ids={"good": 1, "bad": 0, "lost": 1}, expected_spans=(span,))
    found = list(of_corpus([case], corpus))
    assert {one.source_id for one in found} == {"good"}
    assert "".join(one.text for one in found).count("First.") == 1
    assert any("Second." in one.text for one in found)


def test_only_questions_that_have_an_answer_want_nuggets() -> None:
    assert is_asked_for(CASE, refine=False)
    assert not is_asked_for(asked("u", kind="unanswerable"), refine=True)
