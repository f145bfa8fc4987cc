"""A threshold is chosen by people's labels, and says how far it can be trusted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.analysis.threshold import MOST_CUTS, thresholding
from ragproof.core.spec import Better

VALUES = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
LABELS = [False, False, False, True, False, True, True, True]


def test_every_threshold_is_a_table_by_hand() -> None:
    found = thresholding(VALUES, LABELS)
    assert [round(cut.threshold, 2) for cut in found.cuts] == [
        *(0.1, 0.15, 0.25, 0.35, 0.5, 0.65, 0.75, 0.85)
    ]
    cut = found.cuts[3]  # at least 0.35: 0.4, 0.6, 0.7, 0.8 and 0.9 pass, 0.6 wrongly
    assert (cut.true_passes, cut.false_passes) == (4, 1)
    assert (cut.false_failures, cut.true_failures) == (0, 3)
    assert cut.precision == pytest.approx(4 / 5)
    assert cut.recall == 1.0
    assert cut.f1 == pytest.approx(8 / 9)
    assert cut.accuracy == pytest.approx(7 / 8)
    assert cut.kappa == pytest.approx((7 / 8 - 1 / 2) / (1 - 1 / 2))
    assert found.cuts[0].kappa == 0.0, "all pass: no better than chance"


def test_of_equal_thresholds_the_strictest_is_chosen() -> None:
    found = thresholding(VALUES, LABELS)
    assert found.cuts[3].kappa == found.cuts[5].kappa == found.chosen.kappa
    assert found.chosen is found.cuts[5]


def test_what_is_separable_is_separated_half_way() -> None:
    found = thresholding([1.0, 2.0, 8.0, 9.0] * 5, [False, False, True, True] * 5)
    assert found.chosen.threshold == 5.0
    assert found.ends == (5.0, 5.0)
    assert found.held_out.value == 1.0


def test_where_lower_is_better_low_values_pass() -> None:
    found = thresholding([1.0, 2.0, 8.0, 9.0], [True, True, False, False], Better.LOWER)
    assert (found.chosen.threshold, found.passes) == (5.0, "<=")
    assert (found.chosen.true_passes, found.chosen.true_failures) == (2, 2)


def test_a_metric_that_says_nothing_is_found_out_on_answers_left_out() -> None:
    chance = np.random.default_rng(5)
    found = thresholding(chance.random(60).tolist(), (chance.random(60) < 0.5).tolist())
    assert found.chosen.accuracy > found.held_out.value, "the choice flatters itself"
    assert found.held_out.ends is not None
    assert found.held_out.ends[0] < 0.5
    assert found.ends[1] - found.ends[0] > 0.3, "nor does it know where the threshold is"


def test_of_many_values_so_many_are_tried() -> None:
    chance = np.random.default_rng(6)
    values = chance.random(5_000)
    noisy = (values + chance.normal(0, 0.2, 5_000) > 0.6).tolist()
    found = thresholding(values.tolist(), noisy)
    assert len(found.cuts) <= MOST_CUTS
    assert found.cuts[0].true_failures == found.cuts[0].false_failures == 0
    assert found.ends[0] < 0.6 < found.ends[1]
    assert found.chosen.items == 5_000


@pytest.mark.parametrize(
    ("values", "labels", "better", "told"),
    [
        ([1.0, 2.0], [True, True], Better.HIGHER, "people pass all 2 answers"),
        ([1.0, 2.0], [False, False], Better.HIGHER, "people fail all 2 answers"),
        ([1.0, 1.0], [True, False], Better.HIGHER, "all 2 answers have the value 1"),
        ([1.0, 2.0], [True, False], Better.NEITHER, "neither higher nor lower is better"),
        ([], [], Better.HIGHER, "all 0 answers"),
    ],
)
def test_where_nothing_can_be_chosen_it_says_why(
    values: list[float], labels: list[bool], better: Better, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        thresholding(values, labels, better)


PAIRS = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=3, max_size=30).filter(
    lambda pairs: len({v for v, _ in pairs}) > 1 and len({b for _, b in pairs}) == 2
)


@settings(max_examples=50)
@given(PAIRS)
def test_turned_around_it_is_the_same(pairs: list[tuple[int, bool]]) -> None:
    values, labels = zip(*pairs, strict=True)
    up = thresholding(values, labels)
    down = thresholding([-value for value in values], labels, Better.LOWER)
    assert down.chosen.threshold == -up.chosen.threshold
    assert down.held_out == up.held_out
    assert down.ends == (-up.ends[1], -up.ends[0]) or down.ends[0] <= down.ends[1]


@settings(max_examples=50)
@given(PAIRS)
def test_no_other_threshold_has_a_higher_kappa(pairs: list[tuple[int, bool]]) -> None:
    values, labels = zip(*pairs, strict=True)
    found = thresholding(values, labels)
    kappas = [cut.kappa for cut in found.cuts if cut.kappa is not None]
    assert found.chosen.kappa == pytest.approx(max(kappas))
    for cut in found.cuts:
        passing = sum(value >= cut.threshold for value in values)
        assert cut.true_passes + cut.false_passes == passing
        assert cut.items == len(pairs)
