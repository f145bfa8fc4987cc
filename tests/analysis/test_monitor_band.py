"""Control bands from history."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from traffic_made import MONDAY, ONE_DAY, UTC_CLOCK

from ragproof.analysis.monitor_band import BandRule, Chart, Past, chart
from ragproof.analysis.monitor_clock import Span, Window

PLAIN = BandRule(seasons=False)
TAIL = 1 / 30 / 3
"""One false alert in 30 days, daily looks, one guardrail: its two limits and completion."""


def windows(count: int, length: Span = ONE_DAY) -> list[Window]:
    begin = UTC_CLOCK.minute_of(MONDAY)
    minutes = (begin + at * length.minutes for at in range(count))
    return [UTC_CLOCK.window(one, length, 9e9) for one in minutes]


def shares(ones: list[int], n: int, length: Span = ONE_DAY) -> list[Past]:
    return [
        Past(window, one / n, n, one / n * (1 - one / n), is_share=True)
        for window, one in zip(windows(len(ones), length), ones, strict=True)
    ]


def fitted(past: list[Past], rule: BandRule = PLAIN, length: Span = ONE_DAY) -> Chart:
    found = chart(past, rule, length, (0.0, 1.0))
    assert isinstance(found, Chart)
    return found


ONES = [10, 12, 8, 11, 9, 13, 7, 10]
"""Of 100 each: the centre is 80 / 800, moving ranges 2 4 3 2 4 6 3 of 100, on average 24 / 700."""


def test_sigma_z_is_laneys_each_window_freed_of_its_part_in_the_centre() -> None:
    found = fitted(shares(ONES, 100))
    laney = 24 / 700 / 0.03 / 1.128  # a p-chart's standard error is 0.03
    assert laney == pytest.approx(1.0132, abs=5e-5)
    assert found.sigma == pytest.approx(laney / (7 / 8) ** 0.5)
    assert found.centres[0] == pytest.approx(0.1)


def test_limits_are_those_of_a_further_window() -> None:
    band = fitted(shares(ONES, 100)).band(windows(9)[8], 400, TAIL)
    assert not isinstance(band, str)
    sigma = 24 / 700 / 0.03 / 1.128 / (7 / 8) ** 0.5
    margin = stats.t.isf(TAIL, 4) * sigma * 0.3 * (1 / 400 + 1 / 800) ** 0.5  # int(0.62 * 7)
    assert (band.low, band.high) == pytest.approx((0.1 - margin, 0.1 + margin))
    assert band.centre == pytest.approx(0.1)
    assert band.windows == 8
    assert not band.excluded


def test_a_band_is_never_narrower_than_chance_among_cases() -> None:
    assert fitted(shares([10] * 10, 100)).sigma == 1.0


def test_more_traffic_makes_it_narrower() -> None:
    found = fitted(shares(ONES, 100))
    reach = []
    for n in (50, 200, 5_000):
        band = found.band(windows(9)[8], n, TAIL)
        assert not isinstance(band, str)
        reach.append(band.high - band.low)
    assert reach == sorted(reach, reverse=True)


def test_few_cases_have_the_binomials_own_limits() -> None:
    """At a rate of 1 % twenty cases reach 2 of 20 too often for the normal limits to hold."""
    band = fitted(shares([1, 2, 0, 1, 1, 2, 0, 1, 1, 1], 100)).band(windows(11)[10], 20, TAIL)
    assert not isinstance(band, str)
    assert band.low == 0.0
    assert band.high * 20 >= stats.binom.isf(TAIL, 20, 0.01)


def test_a_rate_that_was_never_seen_still_has_a_band() -> None:
    band = fitted(shares([0] * 10, 50)).band(windows(11)[10], 50, TAIL)
    assert not isinstance(band, str)
    assert 0.0 < band.high < 0.2


def test_odd_windows_are_left_out_and_named() -> None:
    odd = [60 if at in {3, 9} else ONES[at % 8] for at in range(16)]
    band = fitted(shares(odd, 100)).band(windows(17)[16], 100, TAIL)
    assert not isinstance(band, str)
    assert band.excluded == ("2026-11-05", "2026-11-11")
    assert band.centre == pytest.approx(0.1, abs=0.005)
    assert band.high < 0.3


def test_at_most_a_quarter_is_left_out() -> None:
    odd = [60 if at % 2 else 10 for at in range(16)]
    assert int((~fitted(shares(odd, 100)).kept).sum()) <= 4


def test_days_of_the_week_have_levels_of_their_own_once_there_are_three_of_each() -> None:
    weekly = [30 if at % 7 >= 5 else 10 for at in range(28)]
    found = fitted(shares(weekly, 200), BandRule())
    monday, sunday = windows(35)[28], windows(35)[34]
    levels = [found.band(one, 200, TAIL) for one in (monday, sunday)]
    assert [round(one.centre, 3) for one in levels if not isinstance(one, str)] == [0.05, 0.15]
    assert found.season == "seasons: by day of the week"
    early = fitted(shares(weekly[:20], 200), BandRule())
    told = "seasons: none modelled; day of the week takes 3 windows of each, the fewest has 2"
    assert early.season == told
    assert fitted(shares(weekly, 200)).season == "seasons: none modelled, as configured"


def test_hours_of_the_day_have_levels_of_their_own() -> None:
    six = Span.parse("6h")
    found = fitted(shares([10, 20, 30, 20] * 6, 200, six), BandRule(), six)
    assert "hour of the day" in found.season
    assert found.centres.round(3).tolist() == [0.05, 0.1, 0.15, 0.1]


def test_too_little_history_is_no_band() -> None:
    told = "a band takes 8 windows of history; 7 windows could be measured"
    assert chart(shares(ONES[:7], 100), PLAIN, ONE_DAY, (0.0, 1.0)) == told


def test_a_figure_that_never_varied_tells_nothing() -> None:
    same = [Past(one, 2.0, 50, 0.0, is_share=False) for one in windows(10)]
    found = chart(same, PLAIN, ONE_DAY, (0.0, np.inf))
    assert isinstance(found, str)
    assert "never varied" in found
    tails = [Past(one, 2.0, 50, None, is_share=False) for one in windows(10)]
    assert chart(tails, PLAIN, ONE_DAY, (0.0, np.inf)) == found


def drawn(draw: np.random.Generator, kind: str, spread: float) -> list[Past]:
    """29 days on which nothing happens, but that days differ."""
    found = []
    for window in windows(29):
        n = int(draw.poisson(200)) + 1
        if kind == "share":
            rate = float(np.clip(0.1 + spread * draw.normal(), 0.001, 0.999))
            value = draw.binomial(n, rate) / n
            found.append(Past(window, value, n, value * (1 - value), is_share=True))
        elif kind == "mean":
            costs = draw.lognormal(0, 1, n) * (1 + spread * draw.normal())
            found.append(Past(window, float(costs.mean()), n, float(costs.var()), is_share=False))
        else:
            times = np.sort(draw.lognormal(0, 0.6, n))
            value = float(times[int(0.95 * n)])
            found.append(Past(window, value, n, None, is_share=False))
    return found


@pytest.mark.parametrize("seasons", [False, True])
@pytest.mark.parametrize(
    ("kind", "spread"),
    [("share", 0.0), ("share", 0.03), ("mean", 0.0), ("mean", 0.2), ("percentile", 0.0)],
)
def test_nothing_happening_alerts_no_more_often_than_the_budget_says(
    kind: str, spread: float, *, seasons: bool
) -> None:
    draw, alerts, looks = np.random.default_rng(11), 0, 600
    for _ in range(looks):
        past = drawn(draw, kind, spread)
        found = chart(past[:-1], BandRule(seasons=seasons), ONE_DAY, (0.0, np.inf), past[-1].window)
        assert isinstance(found, Chart)
        band = found.band(past[-1].window, past[-1].n, TAIL)
        assert not isinstance(band, str)
        alerts += not band.low <= past[-1].value <= band.high
    assert stats.binom.sf(alerts - 1, looks, 3 * TAIL) > 0.01  # the guardrail's whole share


def test_days_that_resemble_the_days_before_do_not_make_a_band_too_narrow() -> None:
    """Rates of days differ by a fifth and go on by a half; moving ranges alone alert 1.4 times."""
    draw, alerts, looks = np.random.default_rng(3), 0, 500
    for _ in range(looks):
        level, ones = 0.0, []
        for _ in range(29):
            level = 0.5 * level + 0.75**0.5 * draw.normal()
            ones.append(int(draw.binomial(300, 0.12 * np.exp(0.2 * level))))
        past = shares(ones, 300)
        band = fitted(past[:-1]).band(past[-1].window, 300, TAIL)
        assert not isinstance(band, str)
        alerts += not band.low <= past[-1].value <= band.high
    assert alerts / looks < 3 * TAIL


@pytest.mark.parametrize(("n", "rank"), [(20, 0.95), (60, 0.99)])
def test_tails_of_few_cases_alert_no_more_often_than_the_budget_says(n: int, rank: float) -> None:
    """They err upwards: with a fifth of the budget, plain limits alert 3.6 times too often."""
    draw, alerts, looks, tail = np.random.default_rng(4), 0, 1_000, TAIL / 5
    for _ in range(looks):
        times = np.sort(draw.lognormal(0, 0.6, (29, n)), axis=1)[:, int(rank * n)]
        past = [
            Past(window, float(one), n, None, is_share=False)
            for window, one in zip(windows(29), times, strict=True)
        ]
        found = chart(past[:-1], PLAIN, ONE_DAY, (0.0, np.inf))
        assert isinstance(found, Chart)
        band = found.band(past[-1].window, n, tail)
        assert not isinstance(band, str)
        assert 0 < band.low < band.centre < band.high
        alerts += not band.low <= past[-1].value <= band.high
    assert stats.binom.sf(alerts - 1, looks, 3 * tail) > 0.01


def test_a_shift_of_a_rate_by_half_its_size_is_seen_the_same_day() -> None:
    """From 0.10 to 0.20 on 200 answers a day, four odd days in the history: 4 times of 5."""
    draw, caught = np.random.default_rng(5), 0
    for _ in range(200):
        past = drawn(draw, "share", 0.0)
        odd = [Past(one.window, 0.4, one.n, 0.24, is_share=True) for one in past[:4]]
        found = fitted([*odd, *past[4:-1]])
        band = found.band(past[-1].window, 200, TAIL)
        assert not isinstance(band, str)
        caught += draw.binomial(200, 0.2) / 200 > band.high
    assert caught / 200 > 0.75
