"""A detector's precision and recall at every score."""

from __future__ import annotations

import pytest
from sklearn.metrics import precision_recall_curve

from ragproof.analysis.operating_point import OperatingPoint, at_least, operating_points

FINDS = [(0.9, True), (0.4, True), (0.6, False), (0.6, True), (0.2, False)]


def test_a_table_by_hand() -> None:
    points = operating_points(FINDS, labelled=4)
    assert points == (
        OperatingPoint(0.9, found=1, right=1, labelled=4),
        OperatingPoint(0.6, found=3, right=2, labelled=4),
        OperatingPoint(0.4, found=4, right=3, labelled=4),
        OperatingPoint(0.2, found=5, right=3, labelled=4),
    )
    assert [(one.precision, one.recall) for one in points[:2]] == [(1, 0.25), (2 / 3, 0.5)]
    assert points[1].f() == pytest.approx(4 / 7)
    assert points[1].f(2) == pytest.approx(5 * 2 / (4 * 4 + 3))


def test_the_figures_are_those_of_scikit_learn() -> None:
    points = operating_points(FINDS, labelled=3)
    precision, recall, scores = precision_recall_curve(
        [right for _, right in FINDS], [score for score, _ in FINDS]
    )
    assert [one.threshold for one in reversed(points)] == scores.tolist()
    assert [one.precision for one in reversed(points)] == pytest.approx(precision[:-1])
    assert [one.recall for one in reversed(points)] == pytest.approx(recall[:-1])


def test_the_most_precise_point_with_so_much_recall_is_taken() -> None:
    points = operating_points(FINDS, labelled=4)
    assert at_least(points, 0.5) == points[2]  # 3 of 4 are right, against 2 of 3
    assert at_least(points, 0.9) is None


def test_nothing_labelled_has_no_recall_and_nothing_found_no_point() -> None:
    assert operating_points([(0.5, False)], labelled=0)[0].recall is None
    assert operating_points([(0.5, False)], labelled=0)[0].f() is None
    assert operating_points([], labelled=3) == ()


def test_of_several_finds_of_one_thing_one_counts_for_recall() -> None:
    finds = [(0.9, True), (0.8, True), (0.3, True)]  # the first two are of the same thing
    points = operating_points(finds, labelled=2, hits=[0.9, 0.3])
    assert [(one.precision, one.recall) for one in points] == [(1, 0.5), (1, 0.5), (1, 1)]
    assert points[1].f() == pytest.approx(2 / 3)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="2 finds are right, but only 1 things"):
        operating_points([(0.5, True), (0.4, True)], labelled=1)
    with pytest.raises(ValueError, match="finite"):
        operating_points([(float("nan"), True)], labelled=1)
