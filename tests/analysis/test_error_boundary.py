"""The error rate from which on answers suffer is found class by class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from ragproof.analysis.error_boundary import Effect, _highest, boundaries

pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(-2, 6)), min_size=1, max_size=12)


def effects(name: str, losses: dict[float, float], times: int = 1) -> list[Effect]:
    return [Effect(name, rate, loss) for rate, loss in losses.items() for _ in range(times)]


def test_each_class_has_a_boundary_of_its_own() -> None:
    printed = effects("printed", {0.01: 0.0, 0.02: 0.0, 0.05: 0.4, 0.1: 0.6}, times=5)
    handwriting = effects("handwriting", {0.05: 0.0, 0.1: 0.0, 0.2: 0.05, 0.4: 0.5}, times=5)
    found = boundaries([*printed, *handwriting], allowed=0.1)
    assert {name: one.value for name, one in found.items()} == {"printed": 0.02, "handwriting": 0.2}
    low, high = found["printed"].low, found["printed"].high
    assert low is not None
    assert high is not None
    assert low <= 0.02 <= high


def test_where_no_boundary_is_to_be_had_the_reason_is_told() -> None:
    few = boundaries(effects("scan", {0.1: 0.0}), allowed=0.1)["scan"]
    assert (few.value, few.reason) == (None, "too few: 1 document, at least 10 are needed")
    bad = boundaries(effects("scan", {0.1: 0.5, 0.2: 0.6}, times=6), allowed=0.1)["scan"]
    assert (bad.value, bad.high) == (None, None)
    assert bad.reason == "the loss is too high even where the error rate is least"
    good = boundaries(effects("scan", {0.1: 0.0, 0.2: 0.0}, times=6), allowed=0.1)["scan"]
    assert good.value == 0.2
    assert good.reason == "no document was read so badly that the loss was too high"


@settings(max_examples=50)
@given(seen=pairs, allowed=st.integers(-2, 6))
def test_the_curve_is_that_of_scikit_learn(seen: list[tuple[int, int]], allowed: int) -> None:
    ordered = [(float(rate), float(loss)) for rate, loss in sorted(seen)]
    rates, losses = (np.array(one) for one in zip(*ordered, strict=True))
    fitted = IsotonicRegression().fit(rates, losses).predict(rates)
    fine = rates[fitted <= allowed + 1e-9]
    assert _highest(ordered, allowed) == (fine.max() if fine.size else None)


def test_a_rate_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        boundaries([Effect("scan", float("nan"), 0.0)], allowed=0.1)
