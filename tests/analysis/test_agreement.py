"""Agreement is what the literature's formulas give, and no judge is flattered."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ragproof.analysis.agreement import (
    Agreement,
    Label,
    Thresholds,
    agreement,
    agreements,
    category,
    even_split,
    kappa,
    linear_weights,
    replacement,
)
from ragproof.analysis.intervals import Z

scores = st.none() | st.floats(0, 1)
labels = st.builds(Label, human=scores, judge=scores, failed=st.booleans())


def labelled(*pairs: tuple[float | None, float | None]) -> list[Label]:
    return [Label(human=human, judge=judge) for human, judge in pairs]


@pytest.mark.parametrize(
    ("score", "band"),
    [(0, 0), (0.24, 0), (0.25, 1), (1 / 3, 1), (0.5, 1), (0.75, 1), (0.76, 2), (1, 2), (None, 3)],
)
def test_a_score_falls_into_the_nearest_band_and_half_way_into_the_middle(
    score: float | None, band: int
) -> None:
    assert category(score) == band


def test_exact_and_within_one_band_are_shares_of_all_items() -> None:
    found = agreement(labelled((1, 1), (1, 0.5), (1, 0), (0, 0)))
    assert found.exact.value == 2 / 4
    assert found.within.value == 3 / 4
    assert found.confusion == ((1, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 0), (0, 0, 0, 0))


def test_a_failure_is_no_agreement_and_no_verdict() -> None:
    failed = Label(human=1.0, judge=None, failed=True)
    found = agreement([*labelled((1, 1)), failed])
    assert (found.exact.value, found.within.value, found.failed) == (1 / 2, 1 / 2, 1)
    assert sum(map(sum, found.confusion)) == 1
    assert (found.false_passes, found.false_failures) == (0, 0)


def test_that_the_question_does_not_arise_is_a_category_next_to_no_band() -> None:
    found = agreement(labelled((None, None), (None, 0), (0, None)))
    assert found.exact.value == found.within.value == 1 / 3


def test_false_passes_and_false_failures_are_about_the_highest_band() -> None:
    found = agreement(labelled((0, 1), (0.5, 1), (1, 0), (1, 0.5), (0, 0.5), (None, 1)))
    assert (found.false_passes, found.false_failures) == (2, 2)


def test_kappa_of_a_published_table() -> None:
    # Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, 100 patients and
    # three diagnoses: observed 0.89, by chance 0.66, kappa 0.68, standard error 0.087
    found = kappa(np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))
    assert found is not None
    assert found.value == pytest.approx((0.89 - 0.66) / (1 - 0.66))
    assert found.ends is not None
    assert (found.ends[1] - found.value) / Z == pytest.approx(0.0877, abs=5e-4)


def test_kappa_of_a_table_by_hand() -> None:
    # observed 35/50, by chance (25*30 + 25*20)/50^2 = 0.5
    found = kappa(np.array([[20, 5], [10, 15]]))
    assert found is not None
    assert found.value == pytest.approx(0.4)


def test_weighted_kappa_of_a_table_by_hand() -> None:
    # weights 1, 1/2, 0. Rows are 2/4, 1/4, 1/4, columns 1/4, 2/4, 1/4.
    # observed 1/4 + 1/4 + 1/4 + 1/4 * 1/2 = 7/8; by chance, row by row,
    # 1/2 * (1/4 + 1/2 * 1/2) + 1/4 * (1/2 * 1/4 + 1/2 + 1/2 * 1/4) + 1/4 * (1/2 * 1/2 + 1/4) = 9/16
    table = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    found = kappa(table, linear_weights(3))
    assert found is not None
    assert found.value == pytest.approx((7 / 8 - 9 / 16) / (1 - 9 / 16))


@pytest.mark.parametrize("weights", [None, linear_weights(3)], ids=["plain", "weighted"])
def test_the_interval_is_as_wide_as_resampling_makes_it(weights: np.ndarray | None) -> None:
    table = np.array([[60, 12, 3], [9, 50, 14], [4, 8, 40]])
    found = kappa(table, weights)
    assert found is not None
    assert found.ends is not None
    draw = np.random.default_rng(7)
    again = draw.multinomial(table.sum(), table.ravel() / table.sum(), 4000).reshape(-1, 3, 3)
    values = [one.value for one in (kappa(each, weights) for each in again) if one is not None]
    assert (found.ends[1] - found.value) / Z == pytest.approx(np.std(values), rel=0.05)


def test_where_all_agree_kappa_is_1_and_claims_no_certainty() -> None:
    found = agreement(labelled((0, 0), (0.5, 0.5), (1, 1)))
    assert found.kappa is not None
    assert (found.kappa.value, found.kappa.ends) == (1.0, None)


def test_where_everything_is_one_category_kappa_says_nothing() -> None:
    assert agreement(labelled((1, 1), (1, 1))).kappa is None
    assert agreement([Label(human=1, judge=None, failed=True)]).kappa is None


def test_a_judge_that_always_gives_the_highest_score_fails() -> None:
    found = agreement(labelled(*((human, 1.0) for human in (0, 0.5, 1) for _ in range(8))))
    assert found.kappa is not None
    assert found.kappa.value == pytest.approx(0)
    assert Thresholds().shortfalls(found) == [
        "8 of 24 are in the same band, at least 70% must be",
        "16 of 24 are at most one band apart, at least 90% must be",
    ]


def test_a_threshold_is_met_where_it_is_just_reached() -> None:
    found = agreement(labelled(*[(1, 1)] * 7, *[(0, 0.5)] * 2, (0, 1)))
    assert Thresholds().shortfalls(found) == []
    assert len(Thresholds(exact=0.71).shortfalls(found)) == 1


def test_a_judge_without_usable_replies_fails() -> None:
    found = agreement([Label(human=1, judge=None, failed=True)] * 20)
    assert len(Thresholds().shortfalls(found)) == 2


def test_figures_under_two_conditions_are_two() -> None:
    same = Label(human=1, judge=1)
    found = agreements([("m", "scratch", same), ("m", "post-edited", same), ("n", "scratch", same)])
    assert [(key, one.items) for key, one in found.items()] == [
        (("m", "scratch"), 1),
        (("m", "post-edited"), 1),
        (("n", "scratch"), 1),
    ]


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="no labels"):
        agreement([])


def test_two_judges_are_compared_item_by_item() -> None:
    people = [1.0] * 6 + [0.0] * 2
    current = labelled(*((human, 1.0) for human in people))
    candidate = labelled(*((human, 0.0) for human in people))
    found = replacement(current, candidate)
    assert (found.only_current, found.only_candidate) == (6, 2)
    assert found.p_value == pytest.approx(binomtest(2, 8).pvalue)
    assert (found.current.false_passes, found.candidate.false_failures) == (2, 6)


@given(st.integers(0, 40), st.integers(0, 40))
def test_an_even_split_is_as_likely_as_scipy_says(one: int, other: int) -> None:
    assert even_split(one, other) == even_split(other, one)
    if one + other:
        expected = binomtest(one, one + other).pvalue
        assert even_split(one, other) == pytest.approx(expected)


@given(st.lists(labels, min_size=1))
def test_what_holds_for_all_labels(given_labels: list[Label]) -> None:
    found = agreement(given_labels)
    assert 0 <= found.exact.value <= found.within.value <= 1
    assert sum(map(sum, found.confusion)) + found.failed == found.items == len(given_labels)
    for one in (found.kappa, found.weighted_kappa):
        if one is not None:
            assert -1 <= one.value <= 1 + 1e-9
            assert one.ends is None or one.ends[0] <= one.value <= one.ends[1] + 1e-9


@given(st.lists(labels, min_size=1))
def test_exact_agreement_and_kappa_do_not_depend_on_who_is_called_the_judge(
    given_labels: list[Label],
) -> None:
    turned = [Label(human=one.judge, judge=one.human, failed=one.failed) for one in given_labels]

    def shown(one: Agreement) -> tuple[float, float | None]:
        return one.exact.value, None if one.kappa is None else round(one.kappa.value, 9)

    assert shown(agreement(turned)) == shown(agreement(given_labels))
    assert not math.isnan(agreement(turned).exact.value)
