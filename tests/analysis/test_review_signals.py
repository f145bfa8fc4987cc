"""A signal has a direction only once it goes with blind verdicts, beyond chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.intervals import wilson
from ragproof.analysis.review_rate import Rate
from ragproof.analysis.review_signals import (
    Association,
    Candidate,
    Standing,
    _apart,
    associations,
)
from ragproof.core.record import Floats

NAN = float("nan")


def looked(
    values: list[float] | Floats,
    labels: list[float] | Floats,
    weights: Floats | None = None,
    *others: Candidate,
) -> Association:
    one = Candidate("s", "bad", np.asarray(values, dtype=float), np.asarray(labels, dtype=float))
    size = one.values.size
    given_ = np.ones(size) if weights is None else weights
    return associations([one, *others], given_, np.arange(size))[0]


def table(with_bad: int, with_good: int, without_bad: int, without_good: int) -> Association:
    values = [1.0] * (with_bad + with_good) + [0.0] * (without_bad + without_good)
    labels = [1.0] * with_bad + [0.0] * with_good + [1.0] * without_bad + [0.0] * without_good
    return looked(values, labels)


def test_newcombes_published_example() -> None:
    # 56 of 70 and 48 of 80: method 10 gives 0.0524 to 0.3339 (Newcombe 1998, table II)
    one = Rate(56 / 70, wilson(56 / 70, 70), 70, 70)
    other = Rate(48 / 80, wilson(48 / 80, 80), 80, 80)
    assert _apart(one, other) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_a_table_by_hand() -> None:
    found = table(30, 30, 20, 120)
    assert found.difference is not None
    assert found.odds_ratio is not None
    assert found.difference.value == pytest.approx(30 / 60 - 20 / 140)
    assert found.odds_ratio.value == pytest.approx(30 * 120 / (30 * 20))
    # variances: without association 1/4 3/4 (1/60 + 1/140) = 0.00446; linearised, the greater,
    # (1/2 1/2 / 60 + 1/7 6/7 / 140) 200/199 = 0.00507: z = 0.3571 / 0.0712 = 5.017
    assert found.p_value == pytest.approx(5.24e-7, rel=0.01)
    assert found.standing is Standing.MORE
    assert (found.measured, found.reviewed, found.needed) == (200, 200, None)


def test_the_weights_decide_which_rate_it_is() -> None:
    values = np.array([1.0] * 20 + [0.0] * 20)
    labels = np.array([1.0] * 10 + [0.0] * 10 + [1.0] * 10 + [0.0] * 10)
    weights = np.where(np.arange(40) >= 30, 9.0, 1.0)  # the good ones without it stand for more
    found = looked(values, labels, weights)
    assert found.lacking is not None
    assert found.lacking.value == pytest.approx(10 / 100)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(0.4)


def test_an_empty_cell_has_no_odds_ratio() -> None:
    found = table(0, 40, 20, 100)
    assert found.odds_ratio is None
    assert found.difference is not None
    assert found.difference.ends is not None


def test_the_interval_of_the_odds_ratio_is_woolfs_where_answers_are_many() -> None:
    found = table(300, 300, 200, 1200)
    assert found.odds_ratio is not None
    # sqrt(1/300 + 1/300 + 1/200 + 1/1200) = 0.1118: 6 e^(+-1.96 0.1118) = 4.82 to 7.47
    assert found.odds_ratio.ends == pytest.approx((4.82, 7.47), abs=0.03)


@given(st.floats(1, 1e12), st.floats(1, 1e12))
def test_the_odds_ratio_is_a_number_whatever_the_weights(light: float, heavy: float) -> None:
    values = [1.0] * 20 + [0.0] * 20
    labels = [1.0, *[0.0] * 19] * 2
    weights = np.array([light, *[heavy] * 19, *[heavy] * 20])
    odds = looked(values, labels, weights).odds_ratio
    if odds is not None and odds.ends is not None:
        assert 0 <= odds.ends[0] <= odds.value <= odds.ends[1]
        assert math.isfinite(odds.ends[1])


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.floats(1, 50)), min_size=4, max_size=60)
)
def test_the_auroc_is_that_of_scikit_learn(rows: list[tuple[int, bool, float]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    values, labels, weights = (np.array(one, dtype=float) for one in zip(*rows, strict=True))
    found = looked(values, labels, weights)
    if found.auroc is None:
        varied = len({*values}) > 1 and len({*labels}) > 1
        assert not varied or {*values} <= {0.0, 1.0}
        return
    expected = metrics.roc_auc_score(labels, values, sample_weight=weights)
    assert found.auroc.value == pytest.approx(expected, abs=1e-9)
    assert found.auroc.ends is None or (
        found.auroc.ends[0] - 1e-9 <= expected <= found.auroc.ends[1] + 1e-9
    )


def test_an_auroc_by_hand() -> None:
    # bad: 3, 1; good: 2, 0, 1. Above: 3 > 3 of 3; 1 > 1, ties 1: 1.5 of 3. AUROC 0.75
    values, labels = [3.0, 1, 2, 0, 1], [1.0, 1, 0, 0, 0]
    found = looked(values, labels)
    assert found.auroc is not None
    assert found.auroc.value == pytest.approx(0.75)
    assert (
        found.reason == "too few effective answers: 2.0 with and 3.0 without the label, "
        "at least 5 needed"
    )


def test_perfect_separation_is_no_certainty() -> None:
    found = looked([*range(10, 20), *range(10)], [1.0] * 10 + [0.0] * 10)
    assert found.auroc is not None
    assert found.auroc.ends is not None
    assert found.auroc.value == 1.0
    assert 0.6 < found.auroc.ends[0] < 0.8
    assert found.standing is Standing.MORE


def test_a_signal_may_point_to_good_answers() -> None:
    assert table(5, 95, 40, 60).standing is Standing.LESS


def test_many_answers_without_a_difference_show_that_there_is_none() -> None:
    found = table(100, 900, 100, 900)
    assert found.standing is Standing.NONE
    assert found.needed is None


def test_few_answers_without_a_difference_show_nothing() -> None:
    found = table(5, 20, 5, 20)
    assert found.standing is Standing.OPEN
    assert found.reason is None
    # p = (10 + 1) / 52; (1.96 + 0.84)^2 p (1 - p) / (1/4) / 0.1^2
    assert found.needed == pytest.approx(523, abs=2)


def test_a_great_difference_of_very_few_is_not_validated() -> None:
    found = table(4, 0, 0, 60)
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert found.standing is Standing.OPEN
    assert found.reason == "too few effective answers: 4.0 with the signal, at least 5 needed"


@pytest.mark.parametrize(
    ("values", "labels", "told"),
    [
        ([NAN, NAN], [1, 0], "it was not measured on any reviewed answer"),
        ([1, NAN], [NAN, 1], "it was not measured on any reviewed answer"),
        ([1, 1, 1], [1, 0, 1], "it is the same on every reviewed answer that has it"),
        ([1, 0] * 9, [0] * 18, "every reviewed answer has no label"),
        ([*range(18)], [1] * 18, "every reviewed answer has the label"),
    ],
)
def test_what_cannot_be_told_says_why(values: list[float], labels: list[float], told: str) -> None:
    found = looked(values, labels)
    assert (found.standing, found.reason) == (Standing.OPEN, told)


def test_signals_that_were_looked_at_together_are_adjusted_together() -> None:
    alone = table(12, 28, 14, 106)
    assert alone.p_value is not None
    assert 0.005 < alone.p_value < 0.05
    assert alone.standing is Standing.MORE
    values = np.array([1.0] * 40 + [0.0] * 120)
    labels = np.array([1.0] * 12 + [0.0] * 28 + [1.0] * 14 + [0.0] * 106)
    draw = np.random.default_rng(1)
    noise = [
        Candidate(f"n{at}", "bad", draw.integers(0, 2, 160).astype(float), labels)
        for at in range(20)
    ]
    among = looked(values, labels, None, *noise)
    assert among.p_value == alone.p_value
    assert among.p_adjusted is not None
    assert among.p_adjusted > 0.05
    assert among.standing is Standing.OPEN
    idle = [Candidate(f"n{at}", "bad", np.full(160, NAN), labels) for at in range(20)]
    assert looked(values, labels, None, *idle).p_adjusted == alone.p_adjusted


@pytest.mark.parametrize("kind", ["yes or no", "many values"])
def test_signals_that_mean_nothing_are_rarely_validated(kind: str) -> None:
    # answers drawn at random and others that were voted down, which are bad more often
    draw, times, false = np.random.default_rng(3), 400, 0
    size = 120
    voted = np.arange(size) >= 70
    weights = np.where(voted, 2.0, 30.0)
    for _ in range(times):
        labels = (draw.random(size) < np.where(voted, 0.6, 0.15)).astype(float)
        if kind == "yes or no":
            values = (draw.random(size) < 0.3).astype(float)
        else:
            values = draw.normal(size=size)
        found = looked(values, labels, weights)
        false += found.standing in (Standing.MORE, Standing.LESS)
    assert false / times <= 0.075


@pytest.mark.parametrize("bad", [2, 5, 12])
def test_the_interval_of_an_auroc_holds_where_bad_answers_are_few(bad: int) -> None:
    draw, times, held = np.random.default_rng(5), 300, 0
    labels = [1.0] * bad + [0.0] * 60
    for _ in range(times):
        found = looked(draw.normal(size=60 + bad), labels).auroc
        assert found is not None
        assert found.ends is not None
        held += found.ends[0] <= 0.5 <= found.ends[1]
    assert held / times >= 0.93


def test_one_bad_answer_gives_an_auroc_no_interval() -> None:
    found = looked([*range(40)], [1.0] + [0.0] * 39)
    assert found.auroc is not None
    assert (found.auroc.value, found.auroc.ends, found.standing) == (0.0, None, Standing.OPEN)


def test_a_signal_that_means_something_is_found() -> None:
    draw, times, found = np.random.default_rng(4), 100, 0
    for _ in range(times):
        labels = (draw.random(200) < 0.25).astype(float)
        values = (draw.random(200) < np.where(labels == 1, 0.5, 0.1)).astype(float)
        found += looked(values, labels).standing is Standing.MORE
    assert found / times > 0.9
