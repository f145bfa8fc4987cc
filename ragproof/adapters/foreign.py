"""Calling code that someone else wrote: whatever it raises, however long it takes."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar, cast

from ragproof.core import AdapterError, RunError, accept, calling
from ragproof.text.counting import counted
from ragproof.text.raised import described, is_wish

T = TypeVar("T")

MOST_ABANDONED = 32
"""Calls that never returned, before no further one is made."""


class Blamed:
    """Makes an AdapterError of whatever is raised inside, except of being cancelled from outside.

    A class, since every case comes by here several times and a generator costs thrice as much.
    """

    def __enter__(self) -> None:
        """Nothing has to be done."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Say whose fault it was."""
        if error is None or isinstance(error, AdapterError):
            return
        if isinstance(error, asyncio.CancelledError) and is_wish(error):
            return
        raise AdapterError(described(error)) from error


BLAMED = Blamed()


class Calls:
    """Calls of one target, each in a daemon thread of its own.

    A pool would run only so many at a time, be filled up by calls that hang, and be waited for
    when the process ends.
    """

    def __init__(self, target: str, most_abandoned: int = MOST_ABANDONED) -> None:
        self._target = target
        self._most = most_abandoned
        self._abandoned: list[threading.Thread] = []

    async def run(self, call: Callable[[], T], unwanted: Callable[[T], None] = accept) -> T:
        """Make the call; when this task is cancelled, leave it to itself.

        `unwanted` is given a result that comes when nobody waits any more. Raises RunError when
        too many earlier calls are still at it.
        """
        self._check()
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: BaseException | None) -> None:
            if waiting.done():
                _drop(result, unwanted)
            elif error is not None:
                waiting.set_exception(error)
            else:
                waiting.set_result(cast("T", result))

        def work() -> None:
            result, error = None, None
            try:
                calling.get()()
                result = call()
            except BaseException as raised:  # noqa: BLE001  it is the awaiting task's to handle
                error = raised
            try:
                loop.call_soon_threadsafe(settle, result, error)
            except RuntimeError:  # the loop is closed, because the run is over
                _drop(result, unwanted)
            del error  # its traceback holds this frame, which would hold it

        thread = self._started(work)
        try:
            return await waiting
        except asyncio.CancelledError:
            self._abandoned.append(thread)
            raise

    def _started(self, work: Callable[[], None]) -> threading.Thread:
        context, name = contextvars.copy_context(), f"call of {self._target}"
        thread = threading.Thread(target=context.run, args=(work,), name=name, daemon=True)
        thread.start()
        return thread

    def _check(self) -> None:
        self._abandoned = [thread for thread in self._abandoned if thread.is_alive()]
        if len(self._abandoned) > self._most:
            raise RunError(
                f"{counted(len(self._abandoned), 'call')} of {self._target} never returned; "
                "find out where it hangs, then resume the run"
            )


def _drop(result: T | None, unwanted: Callable[[T], None]) -> None:
    if result is not None:
        unwanted(result)
