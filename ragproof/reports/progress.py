"""How far a run is: one line on stderr, rewritten in place, and only on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

EVERY_SECONDS = 0.1
"""The line is written no more often than this."""


class Progress:
    """A context manager; call `update` as often as you like."""

    def __init__(
        self, total: int, console: Console | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take the console to write on; None where nobody looks."""
        self._total = total
        self._console = console if console is not None and console.is_terminal else None
        self._clock = clock
        self._started = self._written = clock()
        self._before: int | None = None
        self._length = 0

    def __enter__(self) -> Self:
        return self

    def update(self, done: int, failed: int = 0, timeouts: int = 0) -> None:
        """Tell how many cases are done, those done before this start included.

        `failed` counts all failures, timeouts among them.
        """
        if self._console is None:
            return
        now = self._clock()
        if self._before is None:  # what is there at the first call was not done at this rate
            self._before, self._started = done, now
        elif now - self._written < EVERY_SECONDS and done < self._total:
            return
        self._written = now
        self._write(self._console, self._worded(done, failed, timeouts, now - self._started))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the last line standing."""
        if self._console is not None and self._length:
            self._console.file.write("\n")
            self._console.file.flush()

    def _worded(self, done: int, failed: int, timeouts: int, seconds: float) -> str:
        parts = [f"{done:,} of {counted(self._total, 'case')}"]
        if self._total:
            parts[0] += f" ({100 * done // self._total} %)"
        if failed:
            parts.append(f"{failed:,} failed" + (f", {timeouts:,} timed out" if timeouts else ""))
        fresh = done - (self._before or 0)
        if fresh > 0 and seconds > 0:
            rate = fresh / seconds
            parts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s")
            left = (self._total - done) / rate
            parts.append(
                f"{duration(left)} left" if done < self._total else f"in {duration(seconds)}"
            )
        return " | ".join(parts)

    def _write(self, console: Console, line: str) -> None:
        line = line[: max(console.width - 1, 10)]
        console.file.write(f"\r{line.ljust(self._length)}")
        console.file.flush()
        self._length = len(line)


def duration(seconds: float) -> str:
    """Write a length of time.

    >>> [duration(seconds) for seconds in (3.2, 75, 7300)]
    ['3 s', '1 min 15 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
