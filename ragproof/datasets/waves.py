"""Work that a model does, several pieces at once, written down in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

from ragproof.core import JudgeError, RunError

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 4
"""Pieces of work that are begun for each call that may be out."""


@dataclass(frozen=True)
class Failed:
    """A piece of work at which the model could not be reached; a resume does it again."""

    message: str


@dataclass(frozen=True)
class Waves(Generic[Item, Result]):
    """Does one wave of work after another."""

    work: Callable[[Item], Awaitable[Result]]
    keep: Callable[[Item, Result], None]
    """Writes a result down; called in the order of the work, whatever ended first."""
    out: Path
    """Where what was made lies; named where the work cannot go on."""
    at_once: int = 8
    broken: Callable[[], str | None] = lambda: None
    """Why the model has stopped answering; None while nothing shows that it has."""
    settle: Callable[[int], None] = lambda _failed: None
    """Called after each wave, with how many pieces failed in it."""

    async def all(self, items: Iterator[Item]) -> None:
        """Do all of it; raises as `one` does."""
        while wave := list(islice(items, AHEAD * self.at_once)):
            await self.one(wave)

    async def one(self, wave: Sequence[Item]) -> None:
        """Do a wave.

        Raises RunError when the model stops answering, OverBudget and StoreError; what was kept
        until then is kept.
        """
        places = asyncio.Semaphore(self.at_once)
        tasks = [asyncio.create_task(self._done(one, places)) for one in wave]
        failed: list[str] = []
        over: RunError | None = None
        try:
            for item, task in zip(wave, tasks, strict=True):
                try:
                    told = await task
                except RunError as fault:
                    over = over or fault
                    continue
                if isinstance(told, Failed):
                    failed.append(told.message)
                else:
                    self.keep(item, told)
        finally:
            await _let_go(tasks)
            self.settle(len(failed))
        if over is not None:
            raise over
        if failed and (len(failed) == len(wave) or self.broken() is not None):
            raise RunError(
                f"the model stopped answering: {self.broken() or failed[-1]}; what was made is in "
                f"{self.out}, and --resume goes on with it"
            )

    async def _done(self, item: Item, places: asyncio.Semaphore) -> Result | Failed:
        async with places:
            try:
                return await self.work(item)
            except JudgeError as fault:
                return Failed(str(fault))


async def _let_go(tasks: Sequence[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
