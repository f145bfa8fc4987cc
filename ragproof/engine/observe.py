"""Put a case to the system, for no longer than is allowed."""

from __future__ import annotations

import asyncio

from ragproof.core import Adapter, AdapterError, Case, Cause, Observation, RunError
from ragproof.text.counting import counted

MOST_ABANDONED = 256
"""Timed-out calls that ignore being cancelled, before the run gives up on the adapter."""


class Observer:
    """Calls an adapter under a time limit that holds even for one that does not heed it."""

    def __init__(self, adapter: Adapter, seconds: float) -> None:
        self._adapter = adapter
        self._seconds = seconds
        self._abandoned: set[asyncio.Task[Observation]] = set()
        self._waits: dict[asyncio.Future[None], float] = {}
        """Those under way, and until when, by the loop's clock. All may take equally long, so the
        first runs out first: one timer does for all."""
        self._is_timed = False

    async def observe(self, case: Case) -> Observation:
        """Return what was seen, or why nothing was; raise RunError when no case can be put."""
        if len(self._abandoned) > MOST_ABANDONED:
            raise RunError(
                f"{counted(len(self._abandoned), 'call')} of {self._adapter.name} ran out of time "
                "and go on regardless of being cancelled; mend the adapter, then resume the run"
            )
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        call = loop.create_task(self._called(case, over))
        self._limit(over, loop)
        try:
            await over
        except asyncio.CancelledError:
            self._abandon(call)
            raise
        finally:
            del self._waits[over]
        if not call.done():
            self._abandon(call)
            return Observation.failed(case.id, Cause.TIMEOUT, f"no result in {self._seconds:g} s")
        return _result(call, case)

    async def _called(self, case: Case, over: asyncio.Future[None]) -> Observation:
        """Call, and say when that is over; this task then ends before whoever waits goes on."""
        try:
            return await self._adapter.observe(case)
        finally:
            _end(over)

    def _limit(self, over: asyncio.Future[None], loop: asyncio.AbstractEventLoop) -> None:
        """See to it that a wait is over when its time is up."""
        self._waits[over] = until = loop.time() + self._seconds
        if not self._is_timed:
            self._is_timed = True
            loop.call_at(until, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End the waits whose time is up, and look again when the next one's is."""
        now = loop.time()
        late = [over for over, until in self._waits.items() if until <= now]
        for over in late:
            _end(over)
        ahead = next((until for until in self._waits.values() if until > now), None)
        self._is_timed = ahead is not None
        if ahead is not None:
            loop.call_at(ahead, self._look, loop)

    def _abandon(self, call: asyncio.Task[Observation]) -> None:
        """Cancel a call without waiting for it: whether it heeds that is up to the adapter."""
        self._abandoned.add(call)
        call.add_done_callback(self._ended)
        call.cancel()

    def _ended(self, call: asyncio.Task[Observation]) -> None:
        self._abandoned.discard(call)
        if not call.cancelled():
            call.exception()  # looked at, so that asyncio does not report it as overlooked


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)


def _result(call: asyncio.Task[Observation], case: Case) -> Observation:
    try:
        return call.result()
    except RunError:
        raise
    except AdapterError as error:
        return Observation.failed(case.id, Cause.ADAPTER, str(error))
    except asyncio.CancelledError:
        return Observation.failed(case.id, Cause.ADAPTER, "the adapter cancelled its own call")
    except Exception as error:  # noqa: BLE001  a failing pipeline is a finding, not a crash
        return Observation.failed(case.id, Cause.ADAPTER, f"{type(error).__name__}: {error}")
