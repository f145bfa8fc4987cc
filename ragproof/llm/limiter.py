"""How many calls may be out at once at one endpoint: found out, not guessed."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

LOCAL_START = 4
"""Calls out at first at a local server that nobody has set a concurrency for."""
_SHARE_REFUSED = 0.25
"""More than this share of 429 in a window, and the limit is halved."""
_FEWEST = 8
"""Replies that make a window."""
_GROWTH = 1.25
"""After a window without trouble, up to the most."""
_WORTH = 1.2
"""Twice as many calls must bring at least so many times the replies, or the server is full."""
_REST = 8
"""Windows until a full server is tried with more again."""


class Limiter:
    """Slots, given out in the order of asking.

    It begins with `start` slots. Where that is fewer than `most`, the number is doubled as long as
    the server then answers noticeably more calls a second: a hosted model soon has all of them, a
    local one that works on a few at a time is not made to queue until calls time out. A server
    that refuses more than a quarter of the calls with 429 gets half as many, and later, window by
    window, a quarter more again; the few refusals of one that is near its limit change nothing.
    """

    def __init__(
        self, most: int, start: int | None = None, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Set the most calls that may be out, and how many may be at first (default the most)."""
        self.most = most
        self.limit = min(start or most, most)
        """Calls that may be out now."""
        self.out = 0
        """Calls that are out."""
        self._probing = self.limit < most
        self._clock = clock
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._before: tuple[int, float] | None = None
        """The limit before the last doubling, and the replies a second it brought."""
        self._rest = 0
        self._cuts = 0
        self._window()

    @classmethod
    def at(cls, most: int, *, is_local: bool, is_chosen: bool) -> Limiter:
        """Begin with few slots where the server is local and nobody has chosen how many."""
        return cls(most, LOCAL_START if is_local and not is_chosen else most)

    def slot(self) -> Slot:
        """Give a slot to be entered with `async with`."""
        return Slot(self)

    async def enter(self) -> int:
        """Take a slot; return how often the limit had been cut by then."""
        if self.out < self.limit and not self._waiting:
            self.out += 1
            return self._cuts
        self._busy = True
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._leave()
            raise
        return self._cuts

    def leave(self, cuts: int, *, answered: bool, refused: bool) -> None:
        """Give back a slot that was taken after so many cuts, and say how the call went."""
        if refused and cuts == self._cuts:  # the others were sent under a limit that is no more
            self._refused += 1
            if self._refused > _SHARE_REFUSED * max(self.limit, _FEWEST):
                self._cuts += 1
                self._set(self.limit // 2)
                self._probing, self._before = False, None
        elif answered:
            self._answered += 1
            if self._answered + self._refused >= max(self.limit, _FEWEST):
                self._judge_window()
        self._leave()

    def _leave(self) -> None:
        self.out -= 1
        while self._waiting and self.out < self.limit:
            place = self._waiting.popleft()
            if not place.done():
                self.out += 1
                place.set_result(None)

    def _judge_window(self) -> None:
        """A window is full: more slots, fewer, or as many as before."""
        if not self._busy or (self.limit >= self.most and self._before is None):
            self._window()
        elif self._probing:
            self._probe(self._answered / max(self._clock() - self._begun, 1e-9))
        else:
            self._set(int(self.limit * _GROWTH) + 1)

    def _probe(self, rate: float) -> None:
        if self._before is not None and rate < _WORTH * self._before[1]:
            self._set(self._before[0])
            self._before, self._rest = None, _REST
        elif self._rest:
            self._rest -= 1
            self._window()
        elif self.limit >= self.most:
            self._before = None
            self._window()
        else:
            self._before = (self.limit, rate)
            self._set(self.limit * 2)

    def _set(self, limit: int) -> None:
        self.limit = min(max(limit, 1), self.most)
        self._window()

    def _window(self) -> None:
        """Begin to count anew."""
        self._answered = self._refused = 0
        self._begun = self._clock()
        self._busy = bool(self._waiting)


class Slot:
    """A place among the calls that are out."""

    __slots__ = ("_cuts", "_limiter", "answered", "refused")

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._cuts = 0
        self.answered = False
        """To be set when the call brought a reply."""
        self.refused = False
        """To be set when the server said that it gets too many calls."""

    async def __aenter__(self) -> Slot:
        self._cuts = await self._limiter.enter()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._limiter.leave(self._cuts, answered=self.answered, refused=self.refused)
