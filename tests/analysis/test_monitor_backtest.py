"""What a control band would have done."""

from __future__ import annotations

import numpy as np
import pytest
from traffic_made import UTC_CLOCK, guardrail, traffic, watch

from ragproof.analysis.monitor_backtest import Trial, Tried, Untried
from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_clock import AlertRate, Span
from ragproof.analysis.monitor_guardrails import Looker
from ragproof.analysis.monitor_history import History
from ragproof.analysis.monitor_traffic import joined
from ragproof.core.record import RunRecord


def tried(made: RunRecord, length: str = "1d", **changed: object) -> Tried | Untried:
    found, one = joined([made]), guardrail()
    looker = Looker(found, watch(one))

    def history(span: Span) -> History:
        return History("rate", BandRule(), span, lambda window: looker.cases(one, window, None), 10)

    stretch = float(found.asked_at[0]), float(found.asked_at[-1]), found.until
    rate = AlertRate.parse("1 per 30d")
    return Trial(UTC_CLOCK, stretch, history, rate, **changed).of(Span.parse(length))  # type: ignore[arg-type]


def days(rates: list[float], n: int = 200, seed: int = 3) -> RunRecord:
    draw = np.random.default_rng(seed)
    return traffic([(draw.random(n) < rate).astype(float).tolist() for rate in rates])


def test_a_quiet_history_alerts_no_more_often_than_asked_for() -> None:
    found = tried(days([0.1] * 60))
    assert isinstance(found, Tried)
    assert (found.windows, found.unmeasured) == (60, 0)
    assert found.per_month <= 1.5
    low, high = found.per_month_ends
    assert low <= found.per_month <= high
    assert found.tail == pytest.approx(1 / 30 / 3)


def test_a_day_that_stands_out_is_named() -> None:
    found = tried(days([*[0.1] * 20, 0.6, *[0.1] * 19]))
    assert isinstance(found, Tried)
    assert found.outside == ("2026-11-22",)


def test_larger_shifts_are_caught_more_often_and_sooner() -> None:
    found = tried(days([0.1] * 40), shifts=(0.02, 0.06, 0.3))
    assert isinstance(found, Tried)
    small, middle, large = found.detections
    assert small.within[0] < middle.within[0] < large.within[0] == 1.0
    assert all(list(one.within) == sorted(one.within) for one in found.detections)
    assert large.windows_needed == 1
    assert middle.within[1] < 0.8 <= middle.within[2]
    assert middle.windows_needed == 3


def test_shifts_are_shares_of_the_level_unless_asked_for() -> None:
    found = tried(days([0.2] * 30))
    assert isinstance(found, Tried)
    shifts = [one.shift for one in found.detections]
    assert shifts == pytest.approx([found.centre * one for one in (0.1, 0.25, 0.5, 1.0)])


def test_at_a_level_of_0_shifts_are_multiples_of_the_way_to_the_limit() -> None:
    found = tried(days([0.0] * 30))
    assert isinstance(found, Tried)
    assert (found.centre, found.limits[0]) == (0.0, 0.0)
    shifts = [one.shift for one in found.detections]
    assert shifts == pytest.approx([found.limits[1] * one for one in (0.5, 1.1, 1.5, 2.0)])
    assert [one.within[0] for one in found.detections] == [0.0, 1.0, 1.0, 1.0]


def test_windows_too_few_for_a_band_say_so() -> None:
    found = tried(days([0.1] * 30), "7d")
    assert isinstance(found, Untried)
    assert found.why == (
        "leaving each out in turn takes 9 windows of at least 10 scored cases; 4 of 4 windows "
        "that ended have them"
    )


def test_the_same_history_gives_the_same_answer() -> None:
    assert tried(days([0.1] * 30)) == tried(days([0.1] * 30))


def test_very_many_windows_are_tried_at_once() -> None:
    found = tried(days([0.1] * 21, n=1200), "1h")
    assert isinstance(found, Tried)
    assert found.windows == 504
