"""What calls will take, from calls that were made."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragproof.analysis.forecast import Range, Spent, forecast


def spent(*tokens: float, usd: float | None = None) -> list[Spent]:
    return [Spent(one, 1.0, usd) for one in tokens]


def test_equal_calls_leave_no_doubt() -> None:
    told = forecast([(10, spent(100, 100, 100, usd=0.01))])
    assert (told.calls, told.seen) == (10, 3)
    assert told.input_tokens == Range(1000, 1000)
    assert told.usd is not None
    assert (told.usd.low, told.usd.high) == pytest.approx((0.1, 0.1))


def test_the_range_is_that_of_a_sum_of_further_draws() -> None:
    told = forecast([(8, spent(90, 110))])
    half = 1.96 * math.sqrt(200 * (8 + 64 / 2))  # variance 200, n + n²/m = 40
    assert told.input_tokens is not None
    assert (told.input_tokens.low, told.input_tokens.high) == pytest.approx(
        (800 - half, 800 + half)
    )


def test_prompts_add_up_and_their_variances_do() -> None:
    told = forecast([(2, spent(10, 10)), (3, spent(20, 20)), (0, [])])
    assert (told.calls, told.input_tokens) == (5, Range(80, 80))


@pytest.mark.parametrize("seen", [[], spent(5)])
def test_what_has_not_been_seen_twice_is_not_foretold(seen: list[Spent]) -> None:
    told = forecast([(4, spent(1, 2)), (6, seen)])
    assert told.calls == 10
    assert (told.input_tokens, told.usd) == (None, None)


def test_one_unknown_price_makes_the_cost_unknown() -> None:
    told = forecast([(4, [*spent(1, usd=0.1), *spent(2, usd=None)])])
    assert told.input_tokens is not None
    assert told.usd is None


def test_a_sum_is_never_below_nothing() -> None:
    told = forecast([(100, spent(0, 1000))])
    assert told.input_tokens is not None
    assert told.input_tokens.low == 0.0


def test_about_19_of_20_sums_lie_in_their_range() -> None:
    draw = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        pilot = draw.gamma(4.0, 100.0, 30)
        told = forecast([(200, [Spent(float(one), 0.0, None) for one in pilot])]).input_tokens
        assert told is not None
        inside += told.low <= draw.gamma(4.0, 100.0, 200).sum() <= told.high
    assert 0.90 <= inside / 400 <= 0.98, "of a pilot of 30, skewed as costs are"
