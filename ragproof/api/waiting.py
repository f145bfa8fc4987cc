"""Wait for a coroutine from code that is not async, whatever runs in this thread already."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from ragproof.engine.stop import Stop
from ragproof.wiring.loop import carried_out

T = TypeVar("T")

LOOK_SECONDS = 0.2
"""How often a thread that waits looks for Ctrl-C, where waiting itself does not notice it."""
wish_to_stop: ContextVar[Stop | None] = ContextVar("wish_to_stop", default=None)
"""Set for what is waited for: asked, it is to finish what is in hand and return."""


def waited_for(work: Coroutine[Any, Any, T]) -> T:
    """Do the work on a loop of its own in a thread of its own, and return its result.

    So it may be called where a loop runs (a notebook), in any thread, and no signal handler is
    touched. The first Ctrl-C lets the cases in hand finish and become durable, the second does
    not wait for them; KeyboardInterrupt is raised either way.
    """
    stop, ended = Stop(), _Ended()
    context = contextvars.copy_context()
    context.run(wish_to_stop.set, stop)
    thread = threading.Thread(
        target=context.run, args=(ended.by, work), name="ragproof evaluation", daemon=True
    )
    thread.start()
    try:
        ended.wait()
    except KeyboardInterrupt:
        stop.ask()
        ended.wait()
        raise
    if ended.error is not None:
        raise ended.error
    return cast("T", ended.result)


class _Ended:
    """How the work came to its end."""

    def __init__(self) -> None:
        self.result: object = None
        self.error: BaseException | None = None
        self._done = threading.Event()

    def by(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            self.result = carried_out(work)
        except BaseException as error:  # noqa: BLE001  it is raised where it is waited for
            self.error = error
        finally:
            self._done.set()

    def wait(self) -> None:
        # not for the thread to end: interrupted while joined, it is taken for one that has ended
        while not self._done.wait(LOOK_SECONDS):
            pass
