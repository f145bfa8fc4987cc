"""The wish to stop, and how it reaches a run."""

from __future__ import annotations

import time
from collections.abc import Callable

ECHO_SECONDS = 0.5
"""A terminal's Ctrl-C and the parent's copy of it arrive together; they are one wish."""


class Stop:
    """Asked once: begin no further case, finish what is in hand. Asked again: let go of it."""

    def __init__(self, heard: Callable[[], None] = lambda: None) -> None:
        self.asked = False
        self._heard = heard
        self._when = 0.0
        self._hurry: Callable[[], object] = lambda: None

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
