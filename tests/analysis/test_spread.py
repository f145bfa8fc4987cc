"""How scores are spread."""

from __future__ import annotations

import pytest
from hand_made import FRACTION, column, declared
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.analysis.spread import BINS, Bar, spread
from ragproof.core.outcome import Skipped
from ragproof.core.spec import Better, Unit

SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)


def test_few_values_are_counted_one_by_one() -> None:
    found = spread(column(FRACTION, [1.0, 0.5, 1.0, Skipped("no ids"), 0.0]))
    assert found is not None
    assert found.bars == (Bar(0.0, 0.0, 1), Bar(0.5, 0.5, 1), Bar(1.0, 1.0, 2))
    assert (found.low, found.high, found.most, found.beyond) == (0.0, 1.0, 2, 0)


def test_many_shares_are_counted_in_twentieths_of_the_whole_range() -> None:
    found = spread(column(FRACTION, [at / 100 for at in range(101)]))
    assert found is not None
    assert len(found.bars) == BINS
    assert (found.bars[0].low, found.bars[-1].high) == (0.0, 1.0)
    assert found.bars[-1].count == 6  # 0.95 to 1.00, both ends


def test_a_long_tail_is_counted_and_not_drawn() -> None:
    found = spread(column(SECONDS, [at / 100 for at in range(1, 1000)] + [3600.0]))
    assert found is not None
    assert found.high == pytest.approx(9.9)
    assert found.beyond == 10


def test_nothing_scored_has_no_spread() -> None:
    assert spread(column(FRACTION, [Skipped("no ids")])) is None


def test_all_zero_seconds_have_a_scale() -> None:
    found = spread(column(SECONDS, [0.0] * 30))
    assert found is not None
    assert (found.low, found.high, found.most) == (0.0, 1.0, 30)


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60))
def test_every_score_is_counted_once(values: list[float]) -> None:
    found = spread(column(SECONDS, values))
    assert found is not None
    assert sum(bar.count for bar in found.bars) + found.beyond == len(values)
    assert all(found.low <= bar.low <= bar.high <= found.high for bar in found.bars)
