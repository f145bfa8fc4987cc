from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragproof.analysis.intervals import FEW, T_QUANTILES, Bounds, Sample, bounds, wilson
from ragproof.core.record import Floats
from ragproof.core.spec import Interval, Unit


def found(
    values: list[float] | Floats, wanted: Interval = Interval.AUTO, unit: Unit = Unit.FRACTION
) -> Bounds:
    scores = np.array(values, dtype=np.float64)
    return bounds(Sample(scores, np.ones(scores.size)), wanted, unit)


def ends(one: Bounds) -> tuple[float, float]:
    assert one.ends is not None
    return one.ends


def test_four_of_five_has_the_interval_that_the_wilson_formula_gives() -> None:
    assert ends(found([1, 1, 1, 1, 0])) == pytest.approx((0.3755, 0.9638), abs=1e-4)


@given(st.integers(1, 400), st.data())
def test_wilson_is_that_of_scipy(n: int, data: st.DataObject) -> None:
    yes = data.draw(st.integers(0, n))
    known = stats.binomtest(yes, n).proportion_ci(method="wilson")
    assert wilson(yes / n, n) == pytest.approx((known.low, known.high), abs=1e-12)


def test_the_table_of_quantiles_is_that_of_student() -> None:
    known = [stats.t.ppf(0.975, freedom) for freedom in range(1, FEW - 1)]
    assert pytest.approx(known, abs=1e-8) == T_QUANTILES


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=FEW - 1).filter(np.ptp))
def test_few_values_have_the_interval_of_scipys_t(values: list[float]) -> None:
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    one = found(values)
    if one.ends is None:  # values that differ by rounding only have no spread
        assert np.ptp(values) < 1e-9
        return
    assert one.method == "student t"
    assert ends(one)[0] == pytest.approx(max(0, known.low), abs=1e-9)
    assert ends(one)[1] == pytest.approx(min(1, known.high), abs=1e-9)


def test_an_interval_stays_within_what_the_unit_can_be() -> None:
    # mean 0.7 with s = 0.42: the t interval alone would end at 4.5
    assert ends(found([1.0, 0.4])) == (0.0, 1.0)
    assert ends(found([1.0, 0.4], unit=Unit.SECONDS))[1] > 4


def test_many_values_are_bootstrapped() -> None:
    values = np.linspace(0, 1, 201)
    one = found(values)
    assert one.method == "bootstrap"
    # the standard error of the mean is 0.0205
    assert ends(one)[0] == pytest.approx(0.5 - 1.96 * 0.0205, abs=0.006)
    assert ends(one)[1] == pytest.approx(0.5 + 1.96 * 0.0205, abs=0.006)


@pytest.mark.parametrize("size", [900, 3_000, 20_000])
def test_blocks_and_counts_of_values_give_the_interval_of_the_plain_bootstrap(size: int) -> None:
    values = np.random.default_rng(5).lognormal(size=size)
    coarse = np.round(values * 4)  # few different values
    for scores in (values, coarse):
        low, high = ends(found(scores, unit=Unit.SECONDS))
        mean, error = scores.mean(), scores.std() / math.sqrt(size)
        assert (mean - low) / error == pytest.approx(1.96, abs=0.25)
        assert (high - mean) / error == pytest.approx(1.96, abs=0.25)


def test_one_value_has_no_interval_unless_it_is_yes_or_no() -> None:
    assert found([0.4]) == Bounds(None, "none")
    assert found([1.0]).method == "wilson"


def test_nothing_scored_has_no_interval() -> None:
    assert found([]) == Bounds(None, "none")


@pytest.mark.parametrize("count", [2, 49, 50, 2_000])
def test_equal_values_show_no_spread_and_so_have_no_interval(count: int) -> None:
    assert found([0.1] * count) == Bounds(None, "none")


def test_a_metric_may_declare_that_it_has_none() -> None:
    assert found([0.1, 0.9], Interval.NONE) == Bounds(None, "none")


def test_counts_that_happen_to_be_0_or_1_are_no_shares() -> None:
    assert found([0, 1, 1], unit=Unit.COUNT).method == "student t"


def test_a_share_averaged_over_repeats_keeps_wilsons_where_it_is_declared() -> None:
    assert found([0.5, 1.0, 0.0], Interval.WILSON).method == "wilson"
    assert found([0.5, 1.0, 0.0], Interval.AUTO).method == "student t"


def test_a_ratio_of_sums_has_the_interval_of_a_ratio() -> None:
    # 3/10, 1/2, 4/8: sum 8/20 = 0.4; residuals -1, 0.2, 0.8; se = sqrt(1.5 * 1.68) / 20
    sample = Sample(np.array([3.0, 1.0, 4.0]), np.array([10.0, 2.0, 8.0]))
    margin = 4.302652730 * math.sqrt(1.5 * 1.68) / 20
    one = bounds(sample, Interval.AUTO, Unit.RATIO)
    assert one.method == "student t"
    assert ends(one) == pytest.approx((0.4 - margin, 0.4 + margin))


def test_denominators_of_zero_have_no_figure_and_no_interval() -> None:
    sample = Sample(np.zeros(3), np.zeros(3))
    assert sample.figure is None
    assert bounds(sample, Interval.AUTO, Unit.RATIO) == Bounds(None, "none")


def test_clusters_that_all_say_yes_still_leave_doubt() -> None:
    sample = Sample(np.array([4.0, 2.0, 3.0]), np.array([4.0, 2.0, 3.0]), clustered=True)
    one = bounds(sample, Interval.AUTO, Unit.FRACTION)
    assert one.method == "cluster wilson"
    assert ends(one) == wilson(1.0, 3)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=120))
def test_an_interval_holds_its_figure_and_is_the_same_every_time(values: list[float]) -> None:
    one = found(values)
    assert one == found(values)
    if one.ends is not None:
        assert 0 <= one.ends[0] <= np.mean(values) + 1e-12
        assert np.mean(values) - 1e-12 <= one.ends[1] <= 1


@pytest.mark.parametrize(("size", "share"), [(8, 0.5), (30, 0.9), (300, 0.97)])
def test_wilson_covers_the_truth_as_often_as_it_says(size: int, share: float) -> None:
    draw = np.random.default_rng(11)
    hits = [
        low <= share <= high
        for low, high in (wilson(draw.binomial(size, share) / size, size) for _ in range(1_000))
    ]
    assert 0.925 <= np.mean(hits) <= 0.985


@pytest.mark.parametrize(("size", "least"), [(10, 0.9), (40, 0.9), (60, 0.9), (1_500, 0.88)])
def test_intervals_of_means_cover_the_truth_as_often_as_they_say(size: int, least: float) -> None:
    draw = np.random.default_rng(12)
    truth = 2 / 7  # mean of a beta(2, 5) distribution
    covered = []
    for _ in range(300 if size < FEW else 100):
        low, high = ends(found(draw.beta(2, 5, size=size)))
        covered.append(low <= truth <= high)
    assert least <= np.mean(covered) <= 0.99


@pytest.mark.parametrize("clusters", [20, 80])
def test_clustered_intervals_cover_the_truth_where_others_are_too_narrow(clusters: int) -> None:
    draw = np.random.default_rng(13)
    covered, naive = [], []
    for _ in range(120):
        centres = draw.beta(4, 4, size=clusters)
        scores = np.clip(centres[:, None] + draw.normal(0, 0.05, (clusters, 10)), 0, 1)
        sample = Sample(scores.sum(axis=1), np.full(clusters, 10.0), clustered=True)
        low, high = ends(bounds(sample, Interval.AUTO, Unit.FRACTION))
        covered.append(low <= 0.5 <= high)
        low, high = ends(found(scores.ravel()))
        naive.append(low <= 0.5 <= high)
    assert np.mean(covered) > 0.88
    assert np.mean(naive) < 0.6
