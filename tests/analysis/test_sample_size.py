"""Power, numbers of cases and boundaries of looks equal what others compute."""

from __future__ import annotations

import pytest

from ragproof.analysis.annotators import agreed
from ragproof.analysis.sample_size import (
    Spending,
    detectable,
    half_width,
    look_plan,
    power,
    units_needed,
)

PUBLISHED = {
    Spending.OBRIEN_FLEMING: [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
    Spending.POCOCK: [2.4380, 2.4268, 2.4101, 2.3966, 2.3859],
}
"""Two-sided 5 %, five looks: the program of Reboussin, DeMets, Kim, Lan 2000."""


@pytest.mark.parametrize(
    ("effect", "units", "alpha"),
    [(0.2, 100, 0.05), (0.5, 10, 0.05), (1, 4, 0.1), (0.05, 5000, 0.01)],
)
def test_power_equals_that_of_statsmodels(effect: float, units: int, alpha: float) -> None:
    test = pytest.importorskip("statsmodels.stats.power").TTestPower()
    assert power(effect, units, alpha) == pytest.approx(test.power(effect, units, alpha), abs=1e-8)


@pytest.mark.parametrize("effect", [0.1, 0.3, 2.0])
def test_the_number_of_cases_equals_that_of_statsmodels(effect: float) -> None:
    test = pytest.importorskip("statsmodels.stats.power").TTestPower()
    exact = test.solve_power(effect_size=effect, alpha=0.05, power=0.8)
    assert units_needed(effect) == -int(-exact // 1)


def test_the_detectable_effect_equals_that_of_statsmodels() -> None:
    test = pytest.importorskip("statsmodels.stats.power").TTestPower()
    found = detectable(200)
    assert test.power(found, 200, 0.05) == pytest.approx(0.8, abs=1e-8)
    assert found == pytest.approx(test.solve_power(nobs=200, alpha=0.05, power=0.8), abs=1e-6)
    assert detectable(1) is None


def test_what_no_practical_number_shows_is_none() -> None:
    assert units_needed(0) is None
    assert units_needed(1e-5) is None
    assert power(1.0, 1) == 0


@pytest.mark.parametrize("spending", Spending)
def test_boundaries_equal_the_published_ones(spending: Spending) -> None:
    plan = look_plan(5, spending)
    assert [one.boundary for one in plan.looks] == pytest.approx(PUBLISHED[spending], abs=5e-4)
    assert plan.looks[-1].spent == pytest.approx(0.05)
    assert plan.inflation > 1


def test_a_single_look_is_the_plain_test() -> None:
    plan = look_plan(1)
    assert plan.looks[0].boundary == pytest.approx(1.959964, abs=1e-6)
    assert plan.inflation == 1


@pytest.mark.parametrize(("n", "points"), [(200, 5.54), (500, 3.51), (50, 11.09)])
def test_the_interval_of_a_rate_of_four_in_five(n: int, points: float) -> None:
    assert round(100 * half_width(0.8, n), 2) == points


def test_agreement_of_annotators_by_hand() -> None:
    """Of 4 labels (3 yes, 1 no) 2 ordered pairs differ, by chance 6 / 3: alpha is 1 - 2 / 2."""
    found = agreed([{"x": "yes", "y": "yes"}, {"x": "yes", "y": "no"}, {"x": "no"}])
    assert (found.cases, found.same, found.alpha) == (2, 1, 0.0)
    assert agreed([{"x": "a", "y": "a"}]).alpha is None
    assert agreed([{"x": "a", "y": "a"}, {"x": "b", "y": "b"}]).alpha == 1.0
