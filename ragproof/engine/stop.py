"""The wish to stop, and how it reaches a run or whatever else is under way."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM)
ECHO_SECONDS = 0.5
"""A terminal's Ctrl-C and the parent's copy of it arrive together; they are one wish."""


def interrupt() -> None:
    """Stop what is under way where it stands."""
    raise KeyboardInterrupt


def interruptible() -> None:
    """Make KeyboardInterrupt of both signals, but only one of a signal and its echo."""
    last = float("-inf")

    def hear(_number: int, _frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before > ECHO_SECONDS:
            interrupt()

    for number in SIGNALS:
        signal.signal(number, hear)


@contextlib.contextmanager
def handlers_kept() -> Iterator[None]:
    """Put back at the end whatever listened to both signals before: a run may leave its own.

    Only a main thread can; elsewhere nothing is changed either.
    """
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            for number, handler in before.items():
                if handler is not None:  # what was not set from Python cannot be set again
                    signal.signal(number, handler)


class Stop:
    """Asked once: begin no further case, finish what is in hand. Asked again: let go of it."""

    def __init__(self, heard: Callable[[], None] = lambda: None) -> None:
        self.asked = False
        self._heard = heard
        self._when = 0.0
        self._hurry: Callable[[], object] = interrupt

    def ask(self) -> None:
        """Ask to stop."""
        now = time.monotonic()
        if not self.asked:
            self.asked, self._when = True, now
            self._heard()
        elif now - self._when > ECHO_SECONDS:
            self._hurry()

    def on_hurry(self, act: Callable[[], object]) -> None:
        """Set what the second wish does."""
        self._hurry = act
