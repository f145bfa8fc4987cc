"""Run a coroutine to its end without waiting for what it left behind."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

from ragproof.core import RunError
from ragproof.engine.stop import SIGNALS, Stop, interrupt
from ragproof.text.raised import Listener

T = TypeVar("T")

LEFTOVER_SECONDS = 1.0
"""How long cancelled leftovers of a pipeline get to tidy up."""

_deaf: set[asyncio.Task[Any]] = set()
"""Tasks that ignored being cancelled: were they let go of, Python would try it again, loudly."""


class BrokenOff(RunError):
    """Something that was called on the loop has ended all that runs on it."""

    def __init__(self, how: str) -> None:
        super().__init__(
            f"something that was called, the pipeline or a metric, {how}; mend that, then try again"
        )


def carried_out(work: Coroutine[Any, Any, T], stop: Stop | None = None) -> T:
    """Run the work on a loop of its own; Ctrl-C and SIGTERM become a wish to stop, if one is given.

    Unlike `asyncio.run` it waits neither for tasks that ignore being cancelled nor for threads
    of the default executor: both may belong to a pipeline that never lets go. Raises BrokenOff
    when what runs on the loop cancels the work or stops the loop.
    """
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)
    try:
        with _heard_by(stop, loop) if stop else contextlib.nullcontext():
            return loop.run_until_complete(task)
    except asyncio.CancelledError:
        raise BrokenOff("cancelled tasks that are not its own") from None
    except RuntimeError:
        if task.done():
            raise
        raise BrokenOff("stopped the event loop") from None
    finally:
        loop.set_exception_handler(lambda _loop, _context: None)  # what is left may say nothing
        if leftovers := asyncio.all_tasks(loop):
            for task in leftovers:
                task.cancel()
            waiting = asyncio.wait(leftovers, timeout=LEFTOVER_SECONDS)
            _deaf.update(loop.run_until_complete(waiting)[1])
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(
                asyncio.wait_for(loop.shutdown_asyncgens(), timeout=LEFTOVER_SECONDS)
            )
        loop.close()


@contextlib.contextmanager
def _heard_by(stop: Stop, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    # the loop may be in the middle of anything
    hear = Listener(lambda: loop.call_soon_threadsafe(stop.ask))

    def hear_late(_number: int, _frame: object) -> None:
        stop.ask()

    before = {}
    with contextlib.suppress(ValueError):  # only a main thread can listen
        before = {number: signal.signal(number, hear) for number in SIGNALS}
    try:
        yield
    finally:
        stop.on_hurry(interrupt)
        for number, handler in before.items():
            # the echo of a wish that was heard must not break off the summing up
            signal.signal(number, hear_late if stop.asked else handler)
