"""What statsmodels defines too comes out as it has it; scipy's part stands beside each analysis."""

from __future__ import annotations

import numpy as np
import pytest
from hand_made import FRACTION, cases, column, record
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_confint

from ragproof.analysis.agreement import even_split
from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import wilson
from ragproof.analysis.joining import Join, scores
from ragproof.analysis.paired import Change, changes
from ragproof.analysis.power import cases_needed, detectable

some = settings(max_examples=50)


@some
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holms_adjustment_is_that_of_statsmodels(p_values: list[float]) -> None:
    known = multipletests(p_values, method="holm")[1]
    adjusted = holm(dict(enumerate(p_values)))
    assert [adjusted[at] for at in range(len(p_values))] == pytest.approx(known, abs=1e-12)


@some
@given(st.integers(1, 300), st.floats(0, 1))
def test_wilsons_interval_is_that_of_statsmodels(n: int, share: float) -> None:
    yes = round(share * n)
    known = proportion_confint(yes, n, method="wilson")
    assert wilson(yes / n, n) == pytest.approx(known, abs=1e-9)


@some
@given(st.integers(0, 30), st.integers(0, 30))
def test_whether_two_judges_differ_is_mcnemars_exact_test(one: int, other: int) -> None:
    known = mcnemar([[5, one], [other, 5]], exact=True).pvalue
    assert even_split(one, other) == pytest.approx(min(1.0, known), abs=1e-9)


def change(n: int) -> Change:
    """Of n cases that all change, half a little and half more."""
    draw = np.random.default_rng(n)
    before = draw.beta(4, 2, n).tolist()
    after = np.clip(np.array(before) + draw.normal(0, 0.2, n), 0, 1).tolist()
    runs = [record(cases(n), {FRACTION.id: column(FRACTION, one)}) for one in (before, after)]
    join = Join.of_cases(*runs)
    pairs = join.pairs(*(scores(one.columns[FRACTION.id]) for one in runs))
    return changes([pairs], [1.0])[0]


@pytest.mark.parametrize("n", [60, 250])
def test_what_could_be_seen_and_what_it_takes_are_the_power_of_statsmodels(n: int) -> None:
    one = change(n)
    assert one.error is not None
    spread = one.error * np.sqrt(n)
    power = NormalIndPower().solve_power
    seen = power(nobs1=n, power=0.8, alpha=0.05, ratio=0, alternative="two-sided")
    assert detectable(one) == pytest.approx(seen * spread, rel=1e-4)
    assert one.reach is not None
    assert 1 <= one.reach / one.error < 1.05  # the interval is a little wider than its spread says
    for difference in (0.02, 0.05):
        effect = difference / (one.reach * np.sqrt(n))
        known = power(effect_size=effect, power=0.8, alpha=0.05, ratio=0)
        assert cases_needed(one, difference) == pytest.approx(known, abs=1.01)
