"""Traffic by windows, and the shape of what changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from traffic_made import AGAIN, DAY, DOWN, MONDAY, ONE_DAY, SECONDS, UTC_CLOCK, share, traffic

from ragproof.analysis.intervals import Bounds
from ragproof.analysis.monitor_clock import Span
from ragproof.analysis.monitor_figures import Figure
from ragproof.analysis.monitor_shape import Course, Shape, course
from ragproof.analysis.monitor_traffic import joined
from ragproof.analysis.monitor_windows import Asked, Monitored, monitored
from ragproof.core.record import RunRecord
from ragproof.core.spec import Unit


def laid(made: RunRecord, **changed: object) -> Monitored:
    asked: dict[str, Any] = {
        "clock": UTC_CLOCK,
        "length": ONE_DAY,
        "step": ONE_DAY,
        "metrics": ((AGAIN, "rate"),),
    }
    return monitored(joined([made]), Asked(**(asked | changed)))


def test_every_window_has_its_traffic_failures_and_figure() -> None:
    found = laid(traffic([share(10, 40), [], [*share(5, 10), DOWN]]))
    assert [one.name for one in found.windows] == ["2026-11-02", "2026-11-03", "2026-11-04"]
    assert [(one.cases, one.failed) for one in found.loads] == [(40, 0), (0, 0), (11, 1)]
    (series,) = found.series
    assert [one.value for one in series.figures] == [0.25, None, 0.5]
    assert series.latest == 2


def test_changes_are_against_the_window_before_and_the_reference() -> None:
    found = laid(traffic([share(10, 40), share(20, 40), share(30, 40)]))
    rows = found.series[0].rows
    before = [None if row.from_before is None else row.from_before[0] for row in rows]
    since = [None if row.from_reference is None else row.from_reference[0] for row in rows]
    assert before == [None, 0.25, 0.25]
    assert since == [None, 0.25, 0.5]  # the first window is the reference
    assert found.reference is not None
    assert found.reference.name == "2026-11-02"


def test_a_reference_can_be_named() -> None:
    stretch = MONDAY, MONDAY + 2 * DAY
    found = laid(traffic([share(10, 40), share(20, 40), share(30, 40)]), reference=stretch)
    (series,) = found.series
    assert series.reference is not None
    assert series.reference.value == 0.375
    last = series.rows[2].from_reference
    assert last is not None
    assert last[0] == pytest.approx(0.375)
    assert series.rows[1].from_reference is None  # it is part of it


def test_overlapping_windows_are_compared_with_the_newest_that_shares_no_case() -> None:
    days = [share(ones, 40) for ones in (4, 8, 12, 16, 20)]
    found = laid(traffic(days), length=Span.parse("2d"))
    values = [one.value for one in found.series[0].figures]
    assert values == pytest.approx([0.15, 0.25, 0.35, 0.45])
    told = [one.from_before and one.from_before[0] for one in found.series[0].rows]
    assert told == [None, None, pytest.approx(0.2), pytest.approx(0.2)]


def test_a_tag_parts_every_metric() -> None:
    tags = ({"intent": "refund"}, {"intent": "howto"})
    found = laid(traffic([[1.0, 0.0] * 20] * 2, tags=tags), by="intent")
    assert {one.value_of: one.figures[1].value for one in found.slices} == {
        "howto": 0.0,
        "refund": 1.0,
    }


def test_a_metric_that_no_run_has_is_said() -> None:
    found = laid(traffic([share(1, 4)]), metrics=((AGAIN, "rate"), ("no.such", "mean")))
    assert found.absent == ("no.such",)
    assert laid(traffic([[]])).windows == ()


def test_the_last_window_is_marked_where_it_has_not_ended() -> None:
    found = laid(traffic([share(1, 4)] * 2, until=MONDAY + 1.5 * DAY))
    assert [one.finished for one in found.windows] == [True, False]


def figures(values: Sequence[float | None], n: int = 100) -> list[Figure]:
    return [
        Figure(
            value=one, bounds=Bounds(None, "none"), cases=n, scored=0 if one is None else n, lost=0
        )
        for one in values
    ]


DRAW = np.random.default_rng(2)
NOISE = (0.01 * DRAW.normal(size=30)).tolist()


def test_a_step_is_sudden_and_lies_where_it_was() -> None:
    found = course(figures([0.1 + one + 0.1 * (at >= 18) for at, one in enumerate(NOISE)]))
    assert isinstance(found, Course)
    assert (found.shape, found.at) == (Shape.SUDDEN, 18)
    assert (found.before, found.after) == pytest.approx((0.1, 0.2), abs=0.01)
    assert found.p_value == 0.001


def test_a_trend_is_gradual() -> None:
    found = course(figures([0.1 + one + 0.01 * at for at, one in enumerate(NOISE)]))
    assert isinstance(found, Course)
    assert (found.shape, found.p_value) == (Shape.GRADUAL, 0.001)


SLOW = [1.0, 1.1, 0.9, 1.0, 1.2, 1.1, 0.9, 1.0, 1.1, 1.0, 2.2, 2.4, 6.5, 4.0, 3.0, 5.0]
"""A p95 that doubles at the tenth window, and at the twelfth has a bad day."""


def test_times_are_explained_by_logarithms_as_bands_chart_them() -> None:
    found = course(figures(SLOW), Unit.SECONDS.range)
    assert isinstance(found, Course)
    assert (found.shape, found.at) == (Shape.SUDDEN, 10)
    assert (found.before, found.after) == pytest.approx((1.03, 23.1 / 6))
    plain = course(figures(SLOW))  # by squares of seconds the worst windows make the step
    assert isinstance(plain, Course)
    assert plain.at == 12


def test_every_time_of_the_report_is_explained_so() -> None:
    made = traffic([[one] * 20 for one in SLOW], SECONDS)
    (series,) = laid(made, metrics=((SECONDS, "p95"),)).series
    assert isinstance(series.course, Course)
    assert series.course.at == 10


def test_noise_is_no_change() -> None:
    found = course(figures([0.1 + one for one in NOISE]))
    assert isinstance(found, Course)
    assert found.p_value > 0.05


def test_windows_without_a_figure_keep_their_place() -> None:
    values = [0.1 + one + 0.1 * (at >= 18) for at, one in enumerate(NOISE)]
    found = course(figures([None if at in {3, 4} else one for at, one in enumerate(values)]))
    assert isinstance(found, Course)
    assert (found.at, found.windows) == (18, 28)


def test_no_change_is_shown_as_rarely_as_it_says() -> None:
    draw, shown = np.random.default_rng(6), 0
    for _ in range(200):
        found = course(figures((0.3 + 0.05 * draw.normal(size=14)).tolist()))
        assert isinstance(found, Course)
        shown += found.p_value <= 0.05
    assert shown <= 20  # of 10 that are expected


def test_a_shape_takes_windows_and_some_change() -> None:
    told = "the shape of a change takes 8 measured windows, 7 are there"
    assert course(figures([0.1] * 7)) == told
    assert course(figures([0.1] * 9)) == "all windows have the same figure"
    assert math.isfinite(course(figures([0.1] * 8 + [0.2])).p_value)  # type: ignore[union-attr]
