from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import OverBudget
from ragproof.llm.budget import Budget


async def spend(budget: Budget, costs: list[tuple[float, float]], at_once: int) -> list[float]:
    """Make calls of (estimate, cost), so many at once; give what was really paid."""
    todo, paid = iter(costs), list[float]()

    async def work() -> None:
        with suppress(OverBudget):
            for estimate, cost in todo:
                hold = await budget.hold(estimate)
                for _ in range(random.Random(cost).randrange(4)):
                    await asyncio.sleep(0)
                paid.append(cost)
                budget.settle(hold, cost)

    await asyncio.gather(*(work() for _ in range(at_once)))
    return paid


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.001, 1), st.floats(0, 1)), max_size=150),
    st.sampled_from([4, 32, 100]),
    st.floats(0, 20),
)
def test_calls_within_their_estimates_never_pass_the_limit(
    calls: list[tuple[float, float]], at_once: int, limit: float
) -> None:
    costs = [(estimate, estimate * share) for estimate, share in calls]
    budget = Budget(limit)
    paid = asyncio.run(spend(budget, costs, at_once))
    assert sum(paid) <= limit * (1 + 1e-12)
    assert budget.spent == pytest.approx(sum(paid))


def test_a_refusal_says_how_much_was_spent_and_how_much_of_it_brought_no_reply() -> None:
    async def act(budget: Budget) -> str:
        budget.settle(await budget.hold(0.25), 0.25, answered=False)
        budget.settle(await budget.hold(0.25), 0.125)
        with pytest.raises(OverBudget) as refused:
            await budget.hold(0.5)
        return str(refused.value)

    told = asyncio.run(act(Budget(1.0, spent=0.25, unanswered=0.125)))
    assert "$0.625000 of the budget of $1.000000 is spent, up to $0.375000 of it for calls" in told
    assert "brought no reply" in told
    assert "brought no reply" not in asyncio.run(act_free())


async def act_free() -> str:
    with pytest.raises(OverBudget) as refused:
        await Budget(1.0, spent=0.75).hold(0.5)
    return str(refused.value)


@settings(deadline=None)
@given(st.sampled_from([4, 32, 100]), st.floats(1, 500), st.floats(1, 60), st.integers(1, 200))
def test_calls_that_cost_a_multiple_of_their_estimates_do_not_pass_it_either(
    at_once: int, factor: float, limit_in_calls: float, number: int
) -> None:
    # nothing tells the first call's cost, so the limit is at least that of one call
    costs = [(0.01, 0.01 * factor)] * number
    limit = 0.01 * factor * limit_in_calls
    paid = asyncio.run(spend(Budget(limit), costs, at_once))
    assert sum(paid) <= limit * (1 + 1e-9)
    assert len(paid) >= min(number, int(limit_in_calls * (1 - 1e-9)))


@pytest.mark.parametrize("at_once", [4, 32, 100])
def test_it_is_nearly_used_up_before_a_call_is_refused(at_once: int) -> None:
    # each call holds 0.1 and costs 0.01: refusing while others are out would stop at 0.1 or so
    paid = asyncio.run(spend(Budget(1.0), [(0.1, 0.01)] * 300, at_once))
    assert 0.9 <= sum(paid) <= 1.0


def test_what_was_spent_before_counts() -> None:
    paid = asyncio.run(spend(Budget(1.0, spent=0.95), [(0.1, 0.1)], 1))
    assert paid == []


def test_the_refusal_names_the_sums_and_the_setting() -> None:
    with pytest.raises(OverBudget, match=r"\$0\.95.* of the budget of \$1\.0.*MAX_COST_USD"):
        asyncio.run(Budget(1.0, spent=0.95).hold(0.1))


def test_without_a_limit_everything_is_granted_and_counted() -> None:
    budget = Budget()
    assert len(asyncio.run(spend(budget, [(9.0, 9.0)] * 5, 5))) == 5
    assert budget.spent == 45.0


def test_free_calls_need_no_money_and_do_not_wait_for_each_other() -> None:
    async def act() -> None:
        budget = Budget(0.0)
        budget.settle(await budget.hold(0.0), 0.0)
        await asyncio.wait_for(asyncio.gather(*(budget.hold(0.0) for _ in range(9))), 30)

    asyncio.run(act())


def test_a_first_call_goes_alone_to_show_what_calls_cost() -> None:
    async def act() -> None:
        budget = Budget(1.0)
        first = await budget.hold(0.01)
        second = asyncio.ensure_future(budget.hold(0.01))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(first, 0.02)
        assert (await second).usd == 0.02  # twice the estimate, as the first has cost

    asyncio.run(act())


def test_a_call_that_was_not_paid_shows_nothing() -> None:
    async def act() -> None:
        budget = Budget(1.0)
        budget.settle(await budget.hold(0.01), 0.0)
        await budget.hold(0.01)
        second = asyncio.ensure_future(budget.hold(0.01))
        await asyncio.sleep(0)
        assert not second.done()
        second.cancel()

    asyncio.run(act())


def test_who_is_cancelled_while_waiting_takes_nothing_along() -> None:
    async def act() -> None:
        budget = Budget(1.0)
        first = await budget.hold(0.6)
        waiting = [asyncio.ensure_future(budget.hold(0.6)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        budget.settle(first, 0.1)
        waiting[1].cancel()  # granted in this very moment
        budget.settle(await waiting[2], 0.1)
        assert budget.spent == 0.2

    asyncio.run(act())
