"""Put a case to the system, for no longer than is allowed."""

from __future__ import annotations

import asyncio

from ragproof.core import Adapter, AdapterError, Case, Cause, Observation, RunError

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
                f"{len(self._abandoned)} calls of {self._adapter.name} ran out of time and go on "
                "regardless of being cancelled; mend the adapter, then resume the run"
            )
        call: asyncio.Task[Observation] = asyncio.ensure_future(self._adapter.observe(case))
        try:
            await self._limited(call)
        except asyncio.CancelledError:
            self._abandon(call)
            raise
        if not call.done():
            self._abandon(call)
            return Observation.failed(case.id, Cause.TIMEOUT, f"no result in {self._seconds:g} s")
        return _result(call, case)

    def _limited(self, call: asyncio.Task[Observation]) -> asyncio.Future[None]:
        """Make a future that is done when the call is, or has taken too long."""
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        self._waits[over] = until = loop.time() + self._seconds
        call.add_done_callback(lambda _: self._end(over))
        if not self._is_timed:
            self._is_timed = True
            loop.call_at(until, self._look, loop)
        return over

    def _end(self, over: asyncio.Future[None]) -> None:
        self._waits.pop(over, None)
        if not over.done():
            over.set_result(None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End the waits whose time is up, and look again when the next one's is."""
        now = loop.time()
        while (first := next(iter(self._waits), None)) and self._waits[first] <= now:
            self._end(first)
        self._is_timed = first is not None
        if first is not None:
            loop.call_at(self._waits[first], self._look, loop)

    def _abandon(self, call: asyncio.Task[Observation]) -> None:
        """Cancel a call without waiting for it: whether it heeds that is up to the adapter."""
        self._abandoned.add(call)
        call.add_done_callback(self._ended)
        call.cancel()

    def _ended(self, call: asyncio.Task[Observation]) -> None:
        self._abandoned.discard(call)
        if not call.cancelled():
            call.exception()  # looked at, so that asyncio does not report it as overlooked


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
