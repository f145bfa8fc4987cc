"""What runs found and nobody judged is offered once, and judgments are merged back."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets import asked, lines

from ragproof.core import QuestionCase, UsageError
from ragproof.datasets.pool import Found, merge, unjudged

CASES = [
    asked("a", expected_source_ids=("d1",), distractor_source_ids=("d9",)),
    asked("b", expected_answer=None, tags={"judged": "no", "x": "y"}),
]


def test_the_pool_of_several_runs_has_each_source_once_at_its_best_rank() -> None:
    found = [
        Found("a", "d1", 1, "", "r1"),
        Found("a", "d2", 3, "", "r1"),
        Found("a", "d2", 2, "text", "r2"),
        Found("a", "d9", 1, "", "r2"),
        Found("b", "d1", 1, "t", "r1"),
        Found("unknown", "d1", 1, "", "r1"),
    ]
    rows = unjudged(CASES, found)
    assert [(one.case_id, one.source_id, one.best_rank, one.runs) for one in rows] == [
        ("a", "d2", 2, ("r1", "r2")),
        ("b", "d1", 1, ("r1",)),
    ]
    assert rows[0].text == "text"


def test_grades_are_merged_and_the_case_is_no_longer_unjudged(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl",
        {"case_id": "a", "source_id": "d2", "grade": 0},
        {"case_id": "a", "source_id": "d3", "grade": None},
        {"case_id": "b", "source_id": "d1", "grade": 2},
    )
    done = merge(CASES, path)
    first, second = done.cases
    assert isinstance(first, QuestionCase)
    assert isinstance(second, QuestionCase)
    assert first.expected_source_ids == {"d1": 1, "d2": 0}
    assert (second.expected_source_ids, second.tags) == ({"d1": 2}, {"x": "y"})
    assert (done.merged, done.waiting) == (2, 1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"case_id": "a", "source_id": "d1", "grade": 0}, "got grade 0, but it has 1 already"),
        ({"case_id": "x", "source_id": "d1", "grade": 0}, "is no question of the dataset"),
        ({"case_id": "a", "source_id": "d2", "grade": True}, "grade: got true"),
        ({"case_id": "a", "source_id": "d2", "grade": 101}, "grade: got 101"),
        ({"case_id": "a", "grade": 1}, "source_id: got null"),
        ([1], "allowed: an object"),
    ],
)
def test_what_cannot_be_merged_is_told(line: object, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        merge(CASES, lines(tmp_path / "p.jsonl", line))
