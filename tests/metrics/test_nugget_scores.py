"""Scores by nuggets where there are few, none, or all alike."""

from __future__ import annotations

import pytest

from ragproof.metrics.nugget_scores import SCORES, Assigned, Label, nugget_scores

STRICT = [name for name in SCORES if name.startswith("strict_")]
LENIENT = [name for name in SCORES if name not in STRICT]


def test_without_nuggets_there_is_no_score() -> None:
    assert nugget_scores([]) == dict.fromkeys(SCORES)


def test_a_nugget_that_is_neither_vital_nor_okay_counts_in_all_alone() -> None:
    found = nugget_scores([Assigned(vital=None, label=Label.SUPPORT)])
    assert found == {**dict.fromkeys(SCORES), "all": 1.0, "strict_all": 1.0}


def test_one_vital_nugget_leaves_okay_without_a_score() -> None:
    found = nugget_scores([Assigned(vital=True, label=Label.SUPPORT)])
    okay = {"okay": None, "strict_okay": None}
    assert found == {**dict.fromkeys(SCORES, 1.0), **okay}


@pytest.mark.parametrize("times", [1, 2, 5])
def test_nuggets_there_in_part_are_half_and_strictly_nothing(times: int) -> None:
    both = [
        Assigned(vital=True, label=Label.PARTIAL_SUPPORT),
        Assigned(vital=False, label=Label.PARTIAL_SUPPORT),
    ]
    found = nugget_scores(both * times)
    assert [found[name] for name in LENIENT] == [0.5] * 4
    assert [found[name] for name in STRICT] == [0.0] * 4


def test_a_label_that_is_none_is_a_nugget_that_is_not_there() -> None:
    told = [Assigned(vital=True, label=None), Assigned(vital=True, label=Label.SUPPORT)]
    denied = [
        Assigned(vital=True, label=Label.NOT_SUPPORT),
        Assigned(vital=True, label=Label.SUPPORT),
    ]
    assert nugget_scores(told) == nugget_scores(denied)
