"""A case takes no longer than is allowed, whatever the adapter does about it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from ragproof.core import Case, Cause, Failed, Observation, QuestionCase, RunError
from ragproof.engine import observe
from ragproof.engine.observe import Observer

CASE = QuestionCase(id="q", question="?")


@dataclass(frozen=True)
class Doing:
    """An adapter that does what it is told."""

    act: Callable[[], Awaitable[object]]
    name: str = "my.pipeline:build"

    async def observe(self, case: Case, /) -> Observation:
        await self.act()
        return Observation(case_id=case.id)

    async def close(self) -> None: ...


def seen(act: Callable[[], Awaitable[object]], seconds: float = 30) -> Observation:
    return asyncio.run(Observer(Doing(act), seconds).observe(CASE))


async def fail(error: BaseException) -> None:
    raise error


async def deaf() -> None:
    """Does not heed being cancelled, for a while."""
    for _ in range(20):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.02)


def test_what_was_seen_is_handed_on() -> None:
    assert seen(lambda: asyncio.sleep(0)) == Observation(case_id="q")


def test_a_call_that_takes_too_long_is_a_timeout() -> None:
    assert seen(lambda: asyncio.sleep(60), 0.05).failure == Failed(
        Cause.TIMEOUT, "no result in 0.05 s"
    )


def test_each_of_several_calls_has_its_own_time_and_the_ended_are_forgotten() -> None:
    async def some() -> list[Observation]:
        observer = Observer(Doing(lambda: asyncio.sleep(0.02)), 0.2)
        early = [await observer.observe(CASE) for _ in range(3)]
        slow = Observer(Doing(lambda: asyncio.sleep(60)), 0.05)
        first = asyncio.create_task(slow.observe(CASE))
        await asyncio.sleep(0.03)
        second = asyncio.create_task(slow.observe(CASE))
        done, _ = await asyncio.wait({first, second}, return_when=asyncio.FIRST_COMPLETED)
        assert done == {first}
        return [*early, await second]

    *early, late = asyncio.run(some())
    assert [one.failure for one in early] == [None] * 3
    assert late.failure == Failed(Cause.TIMEOUT, "no result in 0.05 s")


def test_a_timeout_that_the_adapter_raises_is_the_adapters_own_error() -> None:
    assert seen(lambda: fail(TimeoutError("upstream"))).failure == Failed(
        Cause.ADAPTER, "TimeoutError: upstream"
    )


def test_a_call_that_cancels_itself_is_the_adapters_error() -> None:
    failure = seen(lambda: fail(asyncio.CancelledError())).failure
    assert failure == Failed(Cause.ADAPTER, "the adapter cancelled its own call")


def test_what_stops_the_run_passes_through() -> None:
    with pytest.raises(RunError, match="no more"):
        seen(lambda: fail(RunError("no more")))


def test_a_call_that_ignores_being_cancelled_is_not_waited_for() -> None:
    async def two() -> list[Observation]:
        observer = Observer(Doing(deaf), 0.05)
        return [await observer.observe(CASE), await observer.observe(CASE)]

    assert [one.failure and one.failure.cause for one in asyncio.run(two())] == [Cause.TIMEOUT] * 2


def test_too_many_calls_that_go_on_regardless_end_the_run_and_name_the_adapter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(observe, "MOST_ABANDONED", 1)

    async def three() -> None:
        observer = Observer(Doing(deaf), 0.01)
        for _ in range(3):
            await observer.observe(CASE)

    with pytest.raises(RunError, match=r"2 calls of my\.pipeline:build"):
        asyncio.run(three())
