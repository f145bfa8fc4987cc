from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from ragproof.llm.limiter import Limiter


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def served(
    limiter: Limiter, clock: Clock, seconds: Callable[[int], float], rounds: int
) -> list[int]:
    """Keep the slots full; all calls of a round end together. Give the limit of each round."""

    async def act() -> list[int]:
        limits = []
        waiting = [asyncio.ensure_future(limiter.enter()) for _ in range(limiter.most * 2)]
        for _ in range(rounds):
            await asyncio.sleep(0)
            out = [one for one in waiting if one.done()]
            waiting = [one for one in waiting if not one.done()]
            waiting += [asyncio.ensure_future(limiter.enter()) for _ in out]
            await asyncio.sleep(0)
            limits.append(limiter.limit)
            assert limiter.out == len(out) <= limiter.most
            clock.now += seconds(len(out))
            for one in out:
                limiter.leave(one.result(), answered=True, refused=False)
        for one in waiting:
            one.cancel()
        return limits

    return asyncio.run(act())


def test_a_hosted_model_has_all_slots_from_the_start() -> None:
    clock = Clock()
    assert served(Limiter(64, clock=clock), clock, lambda _: 1.0, 5) == [64] * 5


@pytest.mark.parametrize(
    ("is_local", "is_chosen", "first"),
    [(False, False, 64), (False, True, 64), (True, True, 64), (True, False, 4)],
)
def test_only_a_local_server_without_a_chosen_concurrency_begins_with_few(
    *, is_local: bool, is_chosen: bool, first: int
) -> None:
    assert Limiter.at(64, is_local=is_local, is_chosen=is_chosen).limit == first


def test_where_more_calls_bring_more_replies_it_grows_to_the_most() -> None:
    clock = Clock()
    limits = served(Limiter(64, 4, clock=clock), clock, lambda _: 1.0, 12)
    assert limits[0] == 4
    assert limits[-1] == 64


def test_a_server_that_works_on_one_at_a_time_is_not_flooded() -> None:
    clock = Clock()
    limits = served(Limiter(64, 4, clock=clock), clock, lambda out: 1.0 * out, 60)
    assert max(limits) == 8
    assert limits.count(4) > 50


def test_a_server_that_works_on_ten_at_a_time_gets_about_as_many() -> None:
    clock = Clock()
    limits = served(Limiter(64, 4, clock=clock), clock, lambda out: max(1.0, out / 10), 60)
    assert max(limits) <= 32
    assert sorted(limits)[30] in {8, 16}


def refuse(limiter: Limiter, number: int) -> None:
    """Have that many calls, all out at once, refused."""

    async def act() -> None:
        taken = [await limiter.enter() for _ in range(number)]
        for cuts in taken:
            limiter.leave(cuts, answered=False, refused=True)

    asyncio.run(act())


def test_many_refusals_halve_it_once_for_all_calls_that_were_out() -> None:
    limiter = Limiter(64)
    refuse(limiter, 64)
    assert limiter.limit == 32
    refuse(limiter, 32)
    assert limiter.limit == 16


def test_a_few_refusals_change_nothing() -> None:
    limiter = Limiter(64)
    refuse(limiter, 6)  # a tenth
    assert limiter.limit == 64


def test_it_never_falls_below_one() -> None:
    limiter = Limiter(2)
    for _ in range(20):
        refuse(limiter, 1)
    assert limiter.limit == 1


def test_after_refusals_it_grows_again() -> None:
    clock = Clock()
    limiter = Limiter(64, clock=clock)
    refuse(limiter, 64)
    limits = served(limiter, clock, lambda _: 1.0, 20)
    assert limits[0] == 32
    assert limits == sorted(limits)
    assert limits[-1] == 64


def test_slots_go_round_in_the_order_of_asking() -> None:
    async def act() -> list[int]:
        limiter, order = Limiter(1), list[int]()

        async def work(number: int) -> None:
            async with limiter.slot():
                order.append(number)
                await asyncio.sleep(0)

        await asyncio.gather(*map(work, range(9)))
        return order

    assert asyncio.run(act()) == list(range(9))


@pytest.mark.parametrize("when", ["waiting", "granted"])
def test_who_is_cancelled_takes_no_slot_along(when: str) -> None:
    async def act() -> None:
        limiter = Limiter(1)
        first = await limiter.enter()
        second = asyncio.ensure_future(limiter.enter())
        await asyncio.sleep(0)
        if when == "waiting":
            second.cancel()
        limiter.leave(first, answered=True, refused=False)
        second.cancel()
        await asyncio.sleep(0)
        assert limiter.out == 0
        await asyncio.wait_for(limiter.enter(), 30)

    asyncio.run(act())
