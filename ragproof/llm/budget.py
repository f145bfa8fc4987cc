"""The budget: no call is sent unless what it may cost is still there."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from ragproof.core import OverBudget


@dataclass(frozen=True, slots=True)
class Hold:
    """A sum set aside for one call."""

    usd: float
    asked: float
    """What the call was estimated at; `usd` is more where estimates have proved too low."""


class Budget:
    """Sums are held before a call is sent and settled when it is over, so it is never passed.

    Two rules make that hold even where a provider counts more tokens than were estimated. Until
    a first call has shown what calls really cost, one is out at a time. And once one has cost
    more than its estimate, all later estimates are raised in the same proportion.
    """

    def __init__(
        self, limit_usd: float | None = None, spent: float = 0.0, unanswered: float = 0.0
    ) -> None:
        """Begin with what was spent before; without a limit everything is granted."""
        self._limit = limit_usd
        self.spent = spent
        """USD so far, what may have been paid included."""
        self.unanswered = unanswered
        """The part of it for calls that brought no reply: the most that they may have cost."""
        self._held = 0.0
        self._out = 0
        self._scale: float | None = None
        """Real cost to estimate, the highest seen and at least 1; None before the first call."""
        self._waiting: deque[tuple[float, asyncio.Future[Hold]]] = deque()

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._limit is not None

    async def hold(self, estimate: float) -> Hold:
        """Set the sum aside, waiting for other calls to settle where it would not fit now.

        Raises OverBudget when it does not fit although none is out.
        """
        if self._limit is None:
            return Hold(estimate, estimate)
        place: asyncio.Future[Hold] = asyncio.get_running_loop().create_future()
        self._waiting.append((estimate, place))
        self._serve()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and not place.exception():
                self.settle(place.result(), 0.0)
            else:
                place.cancel()
                self._serve()
            raise

    def settle(self, hold: Hold, usd: float, *, answered: bool = True) -> None:
        """Give the sum back and book what the call cost, or may have cost; once a hold."""
        self.spent += usd
        self.unanswered += 0.0 if answered else usd
        if self._limit is None:
            return
        self._out -= 1
        self._held = self._held - hold.usd if self._out else 0.0
        if usd > 0 or not hold.asked:  # a call that was not paid teaches nothing, a free one does
            ratio = usd / hold.asked if hold.asked else 1.0
            self._scale = max(self._scale or 1.0, ratio)
        self._serve()

    def _serve(self) -> None:
        """Grant or refuse in the order of asking, as far as can be told now."""
        while self._waiting:
            estimate, place = self._waiting[0]
            if not place.done():
                usd = estimate * (self._scale or 1.0)
                fits = self.spent + self._held + usd <= (self._limit or 0.0)
                if self._out and not (fits and self._scale):
                    return
                if fits:
                    self._held += usd
                    self._out += 1
                    place.set_result(Hold(usd, estimate))
                else:
                    place.set_exception(OverBudget(self._refusal(usd)))
            self._waiting.popleft()

    def _refusal(self, usd: float) -> str:
        lost = f", up to ${self.unanswered:.6f} of it for calls that brought no reply"
        return (
            f"the next model call may cost ${usd:.6f}, and ${self.spent:.6f} of the budget of "
            f"${self._limit or 0.0:.6f} is spent{lost if self.unanswered else ''}; raise "
            "RAGPROOF_MAX_COST_USD (max_cost_usd) and resume the run"
        )
