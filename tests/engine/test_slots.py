"""No more are inside than there are slots, and no slot is ever lost."""

from __future__ import annotations

import asyncio
import random

import pytest

from ragproof.engine.slots import Slots


async def peak(slots: Slots, workers: int, chance: random.Random) -> tuple[int, int]:
    """Have workers come and go, some cancelled at any moment; most inside, and how many got in."""
    inside, most, visits = 0, 0, 0

    async def work() -> None:
        nonlocal inside, most, visits
        async with slots:
            inside, visits = inside + 1, visits + 1
            most = max(most, inside)
            try:
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
            finally:
                inside -= 1

    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    for _ in range(workers):
        await asyncio.sleep(0)
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return most, visits


@pytest.mark.parametrize("seed", range(20))
def test_slots_hold_whatever_is_cancelled(seed: int) -> None:
    async def twice() -> None:
        slots = Slots(3)
        most, _ = await peak(slots, 40, random.Random(seed))
        assert most <= 3
        quiet = random.Random(0)
        quiet.random = lambda: 1.0  # type: ignore[method-assign]  # nobody is cancelled
        assert await peak(slots, 12, quiet) == (3, 12), "all slots are there again"

    asyncio.run(twice())


def test_whoever_came_first_is_let_in_first() -> None:
    async def some() -> list[int]:
        slots, order = Slots(1), list[int]()

        async def work(number: int) -> None:
            async with slots:
                order.append(number)
                await asyncio.sleep(0)

        await asyncio.gather(*(work(number) for number in range(6)))
        return order

    assert asyncio.run(some()) == [*range(6)]


def test_one_whose_turn_came_as_it_was_cancelled_hands_it_on() -> None:
    async def three() -> bool:
        slots = Slots(1)
        await slots.__aenter__()
        second = asyncio.create_task(slots.__aenter__())
        third = asyncio.create_task(slots.__aenter__())
        await asyncio.sleep(0)
        await slots.__aexit__()  # the second's turn comes
        second.cancel()
        await asyncio.wait_for(third, 60)
        return second.cancelled()

    assert asyncio.run(three())
