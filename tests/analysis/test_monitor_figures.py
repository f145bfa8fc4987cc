"""Figures of one window, with their intervals and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hand_made import case, column, record
from scipy import stats
from traffic_made import AGAIN, DECLARED, DOWN, MONDAY, SECONDS, share, traffic

from ragproof.analysis.intervals import Bounds, Sample, wilson
from ragproof.analysis.monitor_figures import Figure, Part, change, figure, limit, part, woodruff
from ragproof.analysis.monitor_traffic import joined
from ragproof.analysis.summary import summarise
from ragproof.core.outcome import Outcome, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Unit


def whole(made: RunRecord, key: str) -> Part:
    found = joined([made])
    measure = found.measure(key)
    assert measure is not None
    return part(found, measure, slice(0, found.size))


def of(values: list[float | Outcome], key: str = AGAIN) -> Part:
    return whole(traffic([values], key), key)


def told(value: float, low: float, high: float) -> Figure:
    return Figure(value=value, bounds=Bounds((low, high), "wilson"), cases=9, scored=9, lost=0)


@pytest.mark.parametrize("key", [AGAIN, SECONDS])
def test_a_window_has_the_figures_that_the_report_of_its_run_has(key: str) -> None:
    draw = np.random.default_rng(3)
    values = (draw.random(80) < 0.3).astype(float) if key == AGAIN else draw.lognormal(size=80)
    made = traffic([[*values.tolist(), DOWN]], key)
    (line,) = summarise(made).lines
    mean, tail = figure(whole(made, key), "mean"), figure(whole(made, key), "p95")
    assert (mean.value, mean.bounds) == (line.mean, line.bounds)
    assert (tail.value, mean.scored, mean.lost) == (line.p95, 80, 1)
    assert mean.completion == line.completion


def test_failures_are_in_no_mean_and_are_counted() -> None:
    found = figure(of([1.0, 0.0, DOWN, DOWN]), "mean")
    assert (found.value, found.scored, found.lost, found.completion) == (0.5, 2, 2, 0.5)
    assert figure(of([1.0, 0.0, DOWN, DOWN]), "completion").value == 0.5


@pytest.mark.parametrize(
    ("values", "statistic", "why"),
    [
        ([1.0, *[2.0 + at for at in range(10)]], "p95", "11 cases are too few for one of p95"),
        ([1.5], "p50", "1 case is too few for one of p50"),
        ([*[2.0] * 99, 9.0], "p50", "the scores around p50 are all the same"),
        ([1.5], "mean", "1 case is too few"),
        ([1.5] * 7, "mean", "all 7 cases have the same score"),
        ([1.5, 2.5, 3.0], "mean", None),
    ],
)
def test_a_value_without_an_interval_says_why(
    values: list[float | Outcome], statistic: str, why: str | None
) -> None:
    found = figure(of(values, SECONDS), statistic)
    assert found.why == why
    assert (found.bounds.ends is None) == (why is not None)


def test_what_was_not_measured_says_why() -> None:
    found = figure(of([Skipped("not exposed"), Skipped("not exposed"), DOWN]), "mean")
    assert (found.value, found.why) == (None, "not exposed")
    everything = of([1.0])
    nothing = Part(everything.traffic, everything.measure, everything.places[:0])
    for statistic in ("mean", "p95", "completion"):
        found = figure(nothing, statistic)
        assert (found.value, found.why, found.completion) == (None, "no traffic", None)


def test_one_case_has_a_figure_and_no_interval() -> None:
    found = figure(of([2.5], SECONDS), "mean")
    assert (found.value, found.bounds.ends) == (2.5, None)
    assert figure(of([2.5], SECONDS), "p95").bounds.ends is None


def test_a_change_of_shares_has_newcombes_interval() -> None:
    """56 of 70 against 48 of 80: 0.20 [0.0524, 0.3339], Newcombe 1998, table II, method 10."""
    found = change(told(0.6, *wilson(0.6, 80)), told(0.8, *wilson(0.8, 70)))
    assert found is not None
    delta, ends = found
    assert ends is not None
    assert delta == pytest.approx(0.2)
    assert ends == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_a_change_without_a_figure_or_an_interval_says_so() -> None:
    bare = Figure(value=1.0, bounds=Bounds(None, "none"), cases=1, scored=1, lost=0)
    empty = Figure(value=None, bounds=Bounds(None, "none"), cases=0, scored=0, lost=0)
    assert change(empty, bare) is None
    assert change(bare, told(3.0, 2.0, 4.0)) == (2.0, None)


def test_a_limit_of_a_share_is_exact_and_of_times_from_above_students() -> None:
    sample = Sample(np.array(share(30, 100)), np.ones(100))
    low = limit(sample, Unit.FRACTION, 0.01, upper=False)
    assert low == pytest.approx(stats.beta.ppf(0.01, 30, 71))
    values = np.array([1.0, 2.0, 4.0, 7.0])
    high = limit(Sample(values, np.ones(4)), Unit.SECONDS, 0.01, upper=True)
    error = values.std(ddof=1) / 2
    assert high == pytest.approx(3.5 + stats.t.isf(0.01, 3) * error)


def test_scores_without_spread_have_a_limit_only_as_shares() -> None:
    same = Sample(np.full(5, 0.02), np.ones(5))
    assert limit(same, Unit.USD, 0.01, upper=True) is None
    ones = limit(Sample(np.ones(5), np.ones(5)), Unit.FRACTION, 0.01, upper=False)
    assert ones == pytest.approx(stats.beta.ppf(0.01, 5, 1))


def test_cases_of_one_session_are_one_unit() -> None:
    rows = [case(f"c{at}", asked_at=MONDAY + at, group=f"s{at // 4}") for at in range(400)]
    values = [float(at // 4 % 3 == 0) for at in range(400)]
    made = record(
        rows,
        {AGAIN: column(DECLARED[AGAIN], values)},
        started_at="2026-11-09T00:00:00+00:00",
    )
    found = whole(made, AGAIN)
    assert found.sample().clustered
    assert found.sample().numerators.size == 100
    near = limit(found.sample(), Unit.FRACTION, 0.025, upper=True)
    alone = limit(Sample(np.array(values), np.ones(400)), Unit.FRACTION, 0.025, upper=True)
    assert near is not None
    assert alone is not None
    assert near > alone + 0.02


def test_the_interval_of_a_percentile_covers_it_as_often_as_it_says() -> None:
    draw, truth = np.random.default_rng(7), math.exp(0.6 * stats.norm.ppf(0.95))
    covered = 0
    for _ in range(400):
        ends = woodruff(of(draw.lognormal(0, 0.6, 300).tolist(), SECONDS), 0.95, 0.025).ends
        assert ends is not None
        covered += ends[0] <= truth <= ends[1]
    assert 0.92 <= covered / 400 <= 0.99


def test_too_few_scores_bound_no_percentile() -> None:
    draw = np.random.default_rng(7)
    assert woodruff(of(draw.random(50).tolist(), SECONDS), 0.95, 0.025).ends is None
    assert woodruff(of(draw.random(50).tolist(), SECONDS), 0.5, 0.025).ends is not None
