"""What an alert points to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from traffic_made import (
    DAY,
    DOWN,
    HOUR,
    MONDAY,
    SECONDS,
    guardrail,
    share,
    traffic,
    watch,
)

from ragproof.analysis.monitor_check import checked
from ragproof.analysis.monitor_clock import Span
from ragproof.analysis.monitor_guardrails import Guardrail, Release
from ragproof.analysis.monitor_traffic import joined
from ragproof.analysis.monitor_triage import Triage
from ragproof.core.record import RunRecord

QUIET, LOUD = share(20, 200), share(80, 200)
BOUND = guardrail(max=0.2)


def release(day: float, name: str = "v2", kind: str = "model") -> Release:
    return Release(MONDAY + day * DAY, name, kind)


def point(made: RunRecord, *releases: Release, one: Guardrail = BOUND, **more: Any) -> Triage:
    found = checked(joined([made]), watch(one, releases=releases, **more))
    (triage,) = found.triages.values()
    return triage


@pytest.mark.parametrize(
    ("day", "points_to"),
    [
        (4.0, "regression"),  # at the beginning of the first day in alert
        (4.5, "regression"),  # during it
        (3.0, "regression"),  # a window before it
        (2.9, "drift"),  # longer ago
        (5.0, "drift"),  # afterwards
    ],
)
def test_a_release_shortly_before_points_to_a_regression(day: float, points_to: str) -> None:
    made = traffic([QUIET, QUIET, QUIET, QUIET, LOUD])
    assert point(made, release(day)).points_to == points_to


def test_how_long_after_a_release_can_be_declared() -> None:
    made = traffic([QUIET, QUIET, QUIET, QUIET, LOUD])
    week: dict[str, Any] = {"after_release": Span.parse("7d")}
    assert point(made, release(0.5), **week).points_to == "regression"
    found = point(made, release(0.5), release(3.9, "v3"), **week)
    assert [one.name for one in found.releases] == ["v3", "v2"]


def test_an_alert_that_lasts_is_laid_to_its_beginning() -> None:
    made = traffic([QUIET, QUIET, LOUD, LOUD, QUIET, LOUD])
    found = point(made, release(2))
    assert (found.began.name, found.points_to) == ("2026-11-04", "regression")
    assert found.against == "2026-11-02 to 2026-11-03"
    apart = traffic([QUIET, QUIET, LOUD, QUIET, QUIET, LOUD])
    assert point(apart, release(2)).points_to == "drift"


def test_what_was_so_from_the_first_window_on_is_no_change() -> None:
    found = point(traffic([LOUD, LOUD, LOUD]))
    assert (found.points_to, found.against, found.slices) == ("no change", "", ())


def test_the_slice_that_moved_is_named() -> None:
    intents = ({"intent": "refund"}, {"intent": "howto"})
    bad = [float(at % 2 == 0) for at in range(200)]  # every refund
    found = point(traffic([QUIET, QUIET, bad], tags=intents))
    (moved,) = found.slices
    assert (moved.tag, moved.value) == ("intent", "refund")
    assert (moved.before.value, moved.after.value) == (0.0, 1.0)
    assert moved.share == (0.5, 0.5)


def test_the_traces_to_read_are_those_that_pull_most() -> None:
    slow = [[1.0 + at / 100 for at in range(100)], [9.0 + at / 100 for at in range(100)]]
    found = point(traffic(slow, SECONDS), one=guardrail(SECONDS, max=4.0))
    assert found.traces == tuple(f"t001-{at:04d}" for at in (99, 98, 97, 96, 95))


def test_where_failures_are_what_is_wrong_failed_traces_are_named() -> None:
    days: list[list[Any]] = [[1.0] * 60, [*[1.0] * 20, *[DOWN] * 40]]
    found = point(traffic(days, SECONDS), one=guardrail(SECONDS, max=4.0))
    assert found.traces == tuple(f"t001-{at:04d}" for at in range(20, 25))


def test_slices_move_by_chance_no_more_than_is_said() -> None:
    draw = np.random.default_rng(1)
    rates = [*[0.1] * 6, 0.4]
    days: list[list[float]] = [(draw.random(200) < rate).astype(float).tolist() for rate in rates]
    tags = [{"shop": name} for name in "abcd"]
    found = point(traffic(days, tags=tags), release(6 + HOUR / DAY))
    assert found.points_to == "regression"
    assert all(one.ends is not None and one.ends[0] > 0 for one in found.slices)
    assert len(found.slices) == 3
