"""Quantiles for any confidence, against scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragproof.analysis.tails import (
    binomial_limits,
    mean_limit,
    normal_quantile,
    share_limit,
    t_quantile,
)
from ragproof.core.record import Floats


@pytest.mark.parametrize("tail", [1e-5, 1e-4, 0.001, 0.0111, 0.025, 0.2])
@pytest.mark.parametrize("freedom", [1, 2, 4, 17, 30, 31, 77, 1000])
def test_quantiles_equal_those_of_scipy(tail: float, freedom: int) -> None:
    assert t_quantile(tail, freedom) == pytest.approx(stats.t.isf(tail, freedom), rel=2e-5)
    assert normal_quantile(tail) == pytest.approx(stats.norm.isf(tail), rel=1e-9)


@pytest.mark.parametrize(("share", "n"), [(0.1, 10), (0.02, 40), (0.5, 7), (0.97, 100), (0.3, 1)])
@pytest.mark.parametrize("tail", [0.001, 0.0111, 0.025])
def test_beyond_a_binomial_limit_lies_at_most_the_chance(share: float, n: int, tail: float) -> None:
    limits = binomial_limits(share, n, tail)
    assert limits is not None
    low, high = (round(one * n) for one in limits)
    law = stats.binom(n, share)
    assert law.sf(high) <= tail < law.sf(high - 1)
    assert law.cdf(low - 1) <= tail < law.cdf(low)


def test_a_smooth_binomial_is_left_to_the_normal() -> None:
    assert binomial_limits(0.5, 10_000, 0.01) is None
    assert binomial_limits(0.0, 10, 0.01) == (0.0, 0.0)


@pytest.mark.parametrize(("hits", "n"), [(0, 12), (1, 30), (6, 30), (29, 30), (30, 30), (90, 400)])
@pytest.mark.parametrize("tail", [0.0005, 0.01])
def test_limits_of_shares_are_clopper_and_pearsons(hits: int, n: int, tail: float) -> None:
    low = stats.beta.ppf(tail, hits, n - hits + 1) if hits else 0.0
    high = stats.beta.isf(tail, hits + 1, n - hits) if hits < n else 1.0
    assert share_limit(hits, n, tail, upper=False) == pytest.approx(low, abs=1e-9)
    assert share_limit(hits, n, tail, upper=True) == pytest.approx(high, abs=1e-9)


def test_limits_of_shares_of_many_cases_agree_with_the_exact_ones() -> None:
    assert share_limit(2_000, 10_000, 0.001, upper=False) == pytest.approx(
        stats.beta.ppf(0.001, 2_000, 8_001), abs=2e-4
    )


def test_a_share_at_its_bound_is_shown_beyond_as_rarely_as_it_says() -> None:
    """Six of thirty at a true 5 % come six times as often as the 0.0005 at which Wilson stops."""
    assert share_limit(6, 30, 0.0005, upper=False) < 0.05
    assert stats.binom.sf(5, 30, 0.05) > 6 * 0.0005


@pytest.mark.parametrize(("hits", "n"), [(1, 5), (3, 30), (30, 30), (90, 400)])
@pytest.mark.parametrize("tail", [0.0005, 0.0033, 0.05])
def test_the_limit_of_a_mean_of_yes_and_no_is_clopper_and_pearsons(
    hits: int, n: int, tail: float
) -> None:
    values = np.array([1.0] * hits + [0.0] * (n - hits))
    for upper, end in ((False, 0.0), (True, 1.0)):
        exact = share_limit(hits, n, tail, upper=upper)
        assert mean_limit(values, end, tail, upper=upper) == pytest.approx(exact, rel=0.07)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=30),
    st.floats(1e-6, 0.2),
    st.floats(1e-3, 1e3),
)
def test_limits_of_means_lie_between_the_mean_and_the_end_in_any_unit(
    values: list[float], tail: float, scale: float
) -> None:
    scores = np.array(values)
    low = mean_limit(scores, 0.0, tail, upper=False)
    high = mean_limit(scores, 1.0, tail, upper=True)
    assert -1e-12 <= low <= scores.mean() + 1e-9
    assert scores.mean() - 1e-9 <= high <= 1 + 1e-12
    assert mean_limit(1 - scores, 1.0, tail, upper=True) == pytest.approx(1 - low, abs=1e-9)
    assert mean_limit(scores * scale, scale, tail, upper=True) == pytest.approx(
        high * scale, rel=1e-6
    )


def _rarely_nothing(draw: np.random.Generator, n: int) -> Floats:
    scores: Floats = np.where(draw.random(n) < 0.05, 0.0, 0.8 + 0.2 * draw.random(n))
    return scores


@pytest.mark.parametrize("n", [3, 10, 30])
@pytest.mark.parametrize(
    ("drawn", "truth"),
    [(_rarely_nothing, 0.855), (lambda draw, n: 1 - _rarely_nothing(draw, n), 0.145)],
)
def test_rare_scores_that_few_cases_do_not_show_do_not_make_a_limit_too_sure(
    drawn: Callable[[np.random.Generator, int], Floats], truth: float, n: int
) -> None:
    """One score of twenty is 0, the rest near 0.9: Student's t errs 59 times too often at n = 30.

    Thirty cases miss all of them one time in five, and then show a spread that is far too small.
    """
    draw, looks, tail = np.random.default_rng(2), 400, 0.0033
    beyond = [0, 0]
    for _ in range(looks):
        scores = drawn(draw, n)
        beyond[0] += mean_limit(scores, 0.0, tail, upper=False) > truth
        beyond[1] += mean_limit(scores, 1.0, tail, upper=True) < truth
    for errors in beyond:
        assert stats.binom.sf(errors - 1, looks, tail) > 0.01
