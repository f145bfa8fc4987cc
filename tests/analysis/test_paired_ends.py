"""Ends of differences, against published figures, scipy, and exact chances of being wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from ragproof.analysis.intervals import Z, wilson
from ragproof.analysis.paired_ends import bca, farther, score, student
from ragproof.analysis.tails import TAIL, t_quantile

COUNTS = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 60)).filter(
    lambda one: one[0] + one[1] > 0
)


@pytest.mark.parametrize("freedom", [1, 10, 48, 49, 80, 300, 5_000])
def test_the_quantiles_of_t_are_scipys(freedom: int) -> None:
    assert t_quantile(TAIL, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-6)


def test_the_score_interval_is_the_published_one() -> None:
    # airways of 21 children before and after a transplant: 1 for the worse, 7 for the better;
    # Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33:2850
    assert score(1, 7, 21) == pytest.approx((-0.517, -0.026), abs=5e-4)


@settings(max_examples=40, deadline=None)
@given(COUNTS)
def test_its_ends_are_the_changes_that_a_score_test_just_allows(
    counts: tuple[int, int, int],
) -> None:
    rises, falls, ties = counts
    pairs = rises + falls + ties
    for end, wanted in zip(score(rises, falls, pairs), (Z, -Z), strict=True):
        if abs(end) > 1 - 1e-9:
            continue

        def unlikely(share: float, end: float = end) -> float:
            chances = (share + end, share, 1 - 2 * share - end)
            return -sum(
                count * math.log(max(chance, 1e-300))
                for count, chance in zip(counts, chances, strict=True)
                if count
            )

        limits = (max(0.0, -end), (1 - end) / 2)
        share = optimize.minimize_scalar(
            unlikely, bounds=limits, method="bounded", options={"xatol": 1e-12}
        ).x
        variance = (2 * share + end * (1 - end)) / pairs
        far = ((rises - falls) / pairs - end) / math.sqrt(variance)
        assert far == pytest.approx(wanted, abs=2e-3)


@given(st.integers(2, 2_000))
def test_where_none_changed_it_is_wilsons(pairs: int) -> None:
    room = wilson(0.0, pairs)[1]
    assert score(0, 0, pairs) == pytest.approx((-room, room))


@given(COUNTS)
def test_a_gain_is_a_loss_looked_at_from_the_other_side(counts: tuple[int, int, int]) -> None:
    rises, falls, ties = counts
    pairs = rises + falls + ties
    low, high = score(rises, falls, pairs)
    assert score(falls, rises, pairs) == pytest.approx((-high, -low), abs=1e-9)
    assert -1 <= low <= (rises - falls) / pairs <= high <= 1


@pytest.mark.parametrize("pairs", [30, 60])
@pytest.mark.parametrize(
    ("rises", "falls"), [(0, 0.05), (0.02, 0.05), (0.02, 0.07), (0.05, 0.1), (0.15, 0.2)]
)
def test_a_true_drop_at_the_bound_is_rarely_let_through(
    pairs: int, rises: float, falls: float
) -> None:
    """Exact: every outcome that the pairs can have, weighed with its chance."""
    truth = rises - falls
    over = under = students = 0.0
    for up in range(pairs + 1):
        for down in range(pairs + 1 - up):
            chance = _multinomial(pairs, up, down, rises, falls)
            if chance < 1e-9:
                continue
            mean = (up - down) / pairs
            error = math.sqrt(((up + down) / pairs - mean * mean) / (pairs - 1))
            t = student(mean, error, pairs)
            low, high = farther(t, score(up, down, pairs))
            over += chance * (low > truth + 1e-12)
            under += chance * (high < truth - 1e-12)
            students += chance * (up + down > 0 and t[0] > truth + 1e-12)
    assert over <= 0.03
    assert under <= 0.027
    assert over <= students


def test_students_t_would_let_many_through() -> None:
    # 60 pairs, true falls of 5 %: none or one of them falls in 19 %, and t then ends at -0.05
    one = student(-1 / 60, 1 / 60, 60)
    assert one[0] > -0.0501
    assert farther(one, score(0, 1, 60))[0] < -0.08


def _multinomial(pairs: int, up: int, down: int, rises: float, falls: float) -> float:
    if up and not rises:
        return 0.0
    ways = math.comb(pairs, up) * math.comb(pairs - up, down)
    return float(ways * rises**up * falls**down * (1 - rises - falls) ** (pairs - up - down))


@pytest.mark.parametrize("kind", ["normal", "skewed", "bands"])
def test_the_corrected_bootstrap_is_scipys(kind: str) -> None:
    draw = np.random.default_rng(11)
    values = {
        "normal": draw.normal(0.01, 0.1, 80),
        "skewed": -draw.exponential(0.1, 80),
        "bands": draw.choice([-1.0, -0.5, 0.0, 0.5], 80, p=[0.1, 0.1, 0.7, 0.1]),
    }[kind]
    level = 2 * stats.norm.cdf(t_quantile(TAIL, 79) * math.sqrt(80 / 79)) - 1
    known = stats.bootstrap(
        (values,), np.mean, n_resamples=50_000, method="BCa", confidence_level=level, rng=draw
    )
    influence = (values - values.mean()) / 80
    found = bca(known.bootstrap_distribution, float(values.mean()), influence)
    interval = known.confidence_interval
    assert found == pytest.approx((interval.low, interval.high), abs=1e-6)
