"""Guardrails over windows of traffic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from traffic_made import (
    AGAIN,
    DAY,
    DOWN,
    FAITHFUL,
    MONDAY,
    ONE_DAY,
    SECONDS,
    USD,
    guardrail,
    share,
    traffic,
    watch,
)

from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_check import Checked, checked
from ragproof.analysis.monitor_clock import AlertRate, Clock, Span
from ragproof.analysis.monitor_guardrails import Guardrail, Held, Looker, Standing, Watch
from ragproof.analysis.monitor_traffic import joined
from ragproof.core.outcome import Outcome, Skipped
from ragproof.core.record import RunRecord

DRAW = np.random.default_rng(4)


def hold(made: RunRecord, *guardrails: Guardrail, **changed: object) -> Checked:
    return checked(joined([made]), watch(*guardrails, **changed))


def only(made: RunRecord, one: Guardrail, **changed: object) -> Held:
    (held,) = hold(made, one, **changed).held
    return held


def times(slow: int, of: int) -> list[float | Outcome]:
    return [5.0 + at / of if at < slow else 1.0 + at / of for at in range(of)]


def test_a_share_shown_to_be_above_its_bound_is_an_alert() -> None:
    held = only(traffic([share(60, 200)]), guardrail(max=0.2))
    assert (held.standing, held.above) == (Standing.ALERT, True)
    assert held.limits[0] is not None
    assert held.limits[0] > 0.2


def test_a_figure_beyond_whose_interval_is_not_is_inconclusive() -> None:
    assert only(traffic([share(44, 200)]), guardrail(max=0.2)).standing is Standing.INCONCLUSIVE


def test_a_figure_within_passes_whatever_its_interval() -> None:
    assert only(traffic([share(40, 200)]), guardrail(max=0.2)).standing is Standing.PASS


def test_faithfulness_below_its_bound_is_an_alert() -> None:
    values = (1 - 0.5 * (DRAW.random(200) < 0.6)).tolist()
    held = only(traffic([values], FAITHFUL), guardrail(FAITHFUL, min=0.85))
    assert (held.standing, held.above) == (Standing.ALERT, False)


def test_a_percentile_is_held_by_the_share_of_answers_beyond() -> None:
    slo = guardrail(SECONDS, statistic="p95", max=4.0)
    assert only(traffic([times(9, 200)], SECONDS), slo).standing is Standing.PASS
    assert only(traffic([times(14, 200)], SECONDS), slo).standing is Standing.INCONCLUSIVE
    held = only(traffic([times(30, 200)], SECONDS), slo)
    assert held.standing is Standing.ALERT
    assert held.detail.startswith("15.0% of answers are above 4, no less than ")


def test_costs_that_are_all_the_same_are_sure_as_far_as_none_is_below_0() -> None:
    """Were the true mean 0.01, at least half of the answers would have to cost next to nothing.

    Fifty with none of them: the limit is that of Clopper and Pearson times the cost.
    """
    held = only(traffic([[0.02] * 50], USD), guardrail(USD, max=0.01))
    assert held.standing is Standing.ALERT
    assert held.limits[0] == pytest.approx(0.02 * held.tail ** (1 / 50), rel=1e-3)
    held = only(traffic([[0.02] * 50], USD), guardrail(USD, min=0.03))
    assert held.standing is Standing.INCONCLUSIVE
    assert "no spread" in held.detail


def test_too_few_cases_are_told_apart_from_none() -> None:
    assert only(traffic([[1.0] * 9]), guardrail(max=0.2)).standing is Standing.TOO_FEW
    held = only(traffic([[Skipped("no price is known")] * 20], USD), guardrail(USD, max=0.01))
    assert held.standing is Standing.NOT_MEASURED
    assert held.detail == "nothing was scored: no price is known"
    held = only(traffic([[1.0] * 20]), guardrail("no.such", max=0.2))
    assert held.detail == "no run has this metric."
    held = only(traffic([[1.0] * 20]), guardrail("monitoring.regenerated", max=0.2))
    assert held.detail.endswith("Did you mean 'monitoring.regeneration'?")


def test_a_day_on_which_all_failed_is_an_alert_not_a_gap() -> None:
    held = only(traffic([[1.0] * 50, [DOWN] * 50], SECONDS), guardrail(SECONDS, max=4.0))
    assert held.standing is Standing.ALERT
    assert held.detail == "completion 0 is below 0.95: 50 failed, 0 scored (adapter: down)"


def test_one_failure_of_what_is_not_measured_anyway_is_no_alert() -> None:
    skipped = [Skipped("no price is known")] * 40
    held = only(traffic([[*skipped, DOWN]], USD), guardrail(USD, max=0.01))
    assert held.standing is Standing.NOT_MEASURED
    assert held.detail == "nothing was scored: no price is known"


def test_failures_that_may_be_chance_keep_a_figure_from_passing() -> None:
    lost = [*times(0, 37), *[DOWN] * 3]
    held = only(traffic([lost], SECONDS), guardrail(SECONDS, max=4.0))
    assert held.standing is Standing.INCONCLUSIVE
    assert held.detail.startswith("completion 0.925 is below 0.95: 3 failed")
    slow = [*times(37, 37), *[DOWN] * 3]
    assert only(traffic([slow], SECONDS), guardrail(SECONDS, max=4.0)).standing is Standing.ALERT


def test_completion_itself_can_be_held() -> None:
    made = traffic([[*[DOWN] * 30, *[1.0] * 70]])
    held = only(made, guardrail(statistic="completion", min=0.9))
    assert held.standing is Standing.ALERT
    assert held.figure is not None
    assert held.figure.value == 0.7
    down = only(traffic([[DOWN] * 40]), guardrail(statistic="completion", min=0.9))
    assert (down.standing, down.above) == (Standing.ALERT, False)


def test_the_newest_window_that_has_ended_is_held() -> None:
    days = [share(20, 100), share(60, 100), share(20, 100)]
    halfway = traffic(days, until=MONDAY + 2.5 * DAY)
    assert only(halfway, guardrail(max=0.4)).window.name == "2026-11-03"
    ended = traffic(days, until=MONDAY + 3 * DAY)
    assert only(ended, guardrail(max=0.4)).standing is Standing.PASS


def test_all_windows_can_be_held() -> None:
    days = [share(20, 100), share(60, 100), share(20, 100)]
    found = checked(joined([traffic(days)]), watch(guardrail(max=0.4)), all_windows=True)
    assert [one.standing.value for one in found.held] == ["pass", "alert", "pass"]


def test_a_gap_in_traffic_is_not_measured() -> None:
    days: list[list[float]] = [share(20, 100), [], share(20, 100)]
    found = checked(joined([traffic(days)]), watch(guardrail(max=0.4)), all_windows=True)
    assert [one.standing.value for one in found.held] == ["pass", "not_measured", "pass"]
    assert found.held[1].detail == "nothing was scored: no traffic"


def test_no_window_that_has_ended_is_not_measured() -> None:
    found = hold(traffic([share(20, 100)], until=MONDAY + 0.9 * DAY), guardrail(max=0.4))
    (held,) = found.held
    assert held.detail == "no window of 1d has ended yet; traffic has 100 cases"
    assert found.unmeasured == (held,)
    nothing = hold(traffic([[]]), guardrail(max=0.4))
    assert [one.standing for one in nothing.held] == [Standing.NOT_MEASURED]


def test_what_need_not_be_measured_is_no_error() -> None:
    made = traffic([share(20, 100)])
    assert hold(made, guardrail("no.such", max=0.4, required=False)).unmeasured == ()
    assert len(hold(made, guardrail("no.such", max=0.4)).unmeasured) == 1


def test_each_value_of_a_tag_is_held_by_itself() -> None:
    tags = ({"intent": "refund"}, {"intent": "howto"})
    made = traffic([[float(at % 2 == 0 and at % 3 > 0) for at in range(400)]], tags=tags)
    found = hold(made, guardrail(max=0.4, by="intent"))
    told = {one.value_of: one.standing.value for one in found.held}
    assert told == {"refund": "alert", "howto": "pass"}
    assert found.guardrails == 2
    sliced = guardrail(max=0.4, slice={"intent": ("howto", "other")})
    assert only(made, sliced).standing is Standing.PASS


def test_a_tag_that_is_not_there_or_tells_cases_apart_is_not_measured() -> None:
    assert only(traffic([share(1, 50)]), guardrail(max=0.4, by="intent")).standing is (
        Standing.NOT_MEASURED
    )
    tags = [{"user": str(at)} for at in range(50)]
    held = only(traffic([share(1, 50)], tags=tags), guardrail(max=0.4, by="user"))
    assert held.detail == "the tag user has 50 values; between 1 and 40 can be held"


def test_the_budget_is_shared_by_looks_and_guardrails() -> None:
    """B s / (P G): 1 alert, looks a day apart, 30 days, 2 guardrails; capped at 0.05."""
    made = traffic([share(20, 100)])
    pair = (guardrail(max=0.4), guardrail(min=0.1, max=0.5))
    found = hold(made, *pair)
    assert found.chance == pytest.approx(1 / 30 / 2)
    assert [one.tail for one in found.held] == pytest.approx([1 / 120, 1 / 180])  # and completion
    assert hold(made, *pair, false_alerts=AlertRate.parse("9 per 1d")).chance == 0.05
    hourly = watch(*pair, step=Span.parse("1h"))
    assert Looker(joined([made]), hourly).chance == pytest.approx(1 / 720 / 2)


def test_nothing_happening_alerts_no_more_often_than_the_budget_says() -> None:
    """2,000 days exactly at the bound, which is where most false alerts come from."""
    draw = np.random.default_rng(8)
    days = [(draw.random(120) < 0.2).astype(float).tolist() for _ in range(2_000)]
    found = checked(joined([traffic(days)]), watch(guardrail(max=0.2)), all_windows=True)
    assert 0 < len(found.alerts) <= 2_000 / 30


def test_a_band_tells_a_shift_from_a_week_like_others() -> None:
    draw = np.random.default_rng(9)
    days = [(draw.random(200) < 0.1).astype(float).tolist() for _ in range(30)]
    band = guardrail(band=BandRule())
    assert only(traffic(days), band).standing is Standing.PASS
    shifted = [*days, (draw.random(200) < 0.3).astype(float).tolist()]
    held = only(traffic(shifted), band)
    assert (held.standing, held.above) == (Standing.ALERT, True)
    assert held.band is not None
    assert held.band.high < 0.3
    short = only(traffic(days[:6]), band)
    assert short.detail == "a band takes 8 windows of history; 5 windows could be measured"


def test_a_band_holds_what_falls_as_well() -> None:
    draw = np.random.default_rng(9)
    days = [(draw.random(300) < 0.3).astype(float).tolist() for _ in range(20)]
    held = only(traffic([*days, [0.0] * 300]), guardrail(band=BandRule()))
    assert (held.standing, held.above) == (Standing.ALERT, False)


def test_windows_may_overlap() -> None:
    days = [share(20, 100), share(20, 100), share(60, 100)]
    three = replace(guardrail(max=0.25), window=Span.parse("3d"))
    assert only(traffic(days), three).standing is Standing.ALERT
    assert only(traffic(days), three).window.name == "2026-11-02"


def test_a_day_is_that_of_the_place() -> None:
    made = traffic([share(20, 100), share(60, 100)], until=MONDAY + 3 * DAY)
    kathmandu = watch(guardrail(max=0.4, min_samples=1), clock=Clock.of("Asia/Kathmandu"))
    found = checked(joined([made]), kathmandu, all_windows=True)
    assert [one.window.name for one in found.held] == ["2026-11-02", "2026-11-03", "2026-11-04"]
    assert [one.figure.cases for one in found.held if one.figure] == [77, 100, 23]  # UTC+5:45


def test_traffic_that_ended_long_ago_is_said_and_stands_for_no_later_window() -> None:
    """Traffic that no longer comes in is not measured: the day before yesterday is no pass."""
    made = traffic([share(20, 100)], until=MONDAY + 5.5 * DAY)
    found = hold(made, guardrail(max=0.4))
    (note,) = found.notes
    assert note.startswith("the last case was asked at 2026-11-02 23:45, long before 2026-11-07")
    (held,) = found.held
    assert (held.standing, held.window.name) == (Standing.NOT_MEASURED, "2026-11-06")
    assert held.detail == "nothing was scored: no traffic"
    assert found.unmeasured
    both = checked(joined([made]), watch(guardrail(max=0.4)), all_windows=True).held
    assert [one.standing for one in both] == [Standing.PASS, Standing.NOT_MEASURED]
    recent = traffic([share(20, 100)], until=MONDAY + 1.9 * DAY)
    assert only(recent, guardrail(max=0.4)).standing is Standing.PASS


def test_guardrails_say_what_they_ask() -> None:
    one = guardrail(SECONDS, statistic="p95", min=1.0, max=4.0, slice={"intent": ("a", "b")})
    assert one.asked == "p95 min 1 max 4, intent=a|b, window 1d"
    assert guardrail(band=BandRule()).asked == "mean in its band, window 1d"
    assert isinstance(watch(one), Watch)
    assert one.window == ONE_DAY
    assert one.metric != AGAIN
