"""Run a coroutine to its end without waiting for what it left behind."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

from ragproof.engine.stop import Stop

T = TypeVar("T")

LEFTOVER_SECONDS = 1.0
"""How long cancelled leftovers of a pipeline get to tidy up."""


def carried_out(work: Coroutine[Any, Any, T], stop: Stop) -> T:
    """Run the work on a loop of its own; Ctrl-C and SIGTERM become a wish to stop.

    Unlike `asyncio.run` it waits neither for tasks that ignore being cancelled nor for threads
    of the default executor: both may belong to a pipeline that never lets go.
    """
    loop = asyncio.new_event_loop()
    try:
        with _signals(loop, stop):
            return loop.run_until_complete(work)
    finally:
        if leftovers := asyncio.all_tasks(loop):
            for task in leftovers:
                task.cancel()
            loop.run_until_complete(asyncio.wait(leftovers, timeout=LEFTOVER_SECONDS))
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(
                asyncio.wait_for(loop.shutdown_asyncgens(), timeout=LEFTOVER_SECONDS)
            )
        loop.set_exception_handler(lambda _loop, _context: None)
        loop.close()


@contextlib.contextmanager
def _signals(loop: asyncio.AbstractEventLoop, stop: Stop) -> Iterator[None]:
    heard = []
    for number in (signal.SIGINT, signal.SIGTERM):
        # only the main thread of a process that has signals can listen to them
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop.ask)
            heard.append(number)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
