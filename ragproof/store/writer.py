"""The one thread that writes. It drains whatever waits into one commit.

So a commit is as large as the load demands: one case at a time when cases come slowly, hundreds
when they come faster than the disk can promise to keep them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, cast

from sqlalchemy.exc import SQLAlchemyError

from ragproof.core import Finished, Json, RunError, RunHeader, RunState, StoreError
from ragproof.store import saving
from ragproof.store.backend import Backend
from ragproof.store.faults import explaining
from ragproof.store.sheet import OpenRun

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(slots=True)
class _Batch:
    """Subjects to be saved, or another thing to be written with them, and who waits for it.

    Not frozen, since every case comes by here and that would cost it twice as much.
    """

    run_id: str
    finished: Sequence[Finished]
    loop: asyncio.AbstractEventLoop
    saved: asyncio.Future[None]
    work: Callable[[Connection], object] | None = None


@dataclass(frozen=True, slots=True)
class _Task:
    """Anything else that writes: the caller's thread waits."""

    work: Callable[[Connection], None]
    done: Future[None] = field(default_factory=Future)


class Writer:
    """Saves what it is given, in the order in which it is given it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._queue: SimpleQueue[_Batch | _Task | None] = SimpleQueue()
        self._open: dict[str, OpenRun] = {}
        self._broken: StoreError | None = None
        self._thread: threading.Thread | None = None

    def begin(self, header: RunHeader) -> None:
        """Open a run and become its writer."""
        self._start()
        self._do(lambda connection: self._begin(connection, header))

    async def append(self, run_id: str, finished: Sequence[Finished]) -> None:
        """Save subjects; return when they are durable."""
        self._check_open(run_id)
        loop = asyncio.get_running_loop()
        batch = _Batch(run_id, tuple(finished), loop, loop.create_future())
        self._queue.put(batch)
        await batch.saved

    async def note(self, run_id: str, work: Callable[[Connection], object]) -> None:
        """Do other writing that belongs to a run; return when it is durable."""
        self._check_open(run_id)
        loop = asyncio.get_running_loop()
        batch = _Batch(run_id, (), loop, loop.create_future(), work)
        self._queue.put(batch)
        await batch.saved

    async def aside(self, work: Callable[[Connection], object]) -> None:
        """Do writing that belongs to no run; return when it is durable."""
        self._start()

        def committed(connection: Connection) -> None:
            with connection.begin():
                work(connection)

        task = _Task(committed)
        self._queue.put(task)
        await asyncio.wrap_future(task.done)

    def key(self, run_id: str) -> int:
        """The number of a run that is open for writing."""
        self._check_open(run_id)
        return self._open[run_id].key

    def finish(
        self, run_id: str, state: RunState, summaries: Mapping[str, Mapping[str, Json]]
    ) -> None:
        """Close a run and cease to be its writer."""
        self._check_open(run_id)
        self._do(lambda connection: self._finish(connection, run_id, state, summaries))

    def close(self) -> None:
        """Save what still waits, then end."""
        if (thread := self._thread) is not None:
            self._thread = None
            self._queue.put(None)
            thread.join()

    def _start(self) -> None:
        if self._thread is None:
            with explaining(self._backend.where):
                connection = self._backend.connect_writer()
            self._thread = threading.Thread(target=self._work, args=(connection,), daemon=True)
            self._thread.start()

    def _check_open(self, run_id: str) -> None:
        if self._broken is not None:
            raise StoreError(str(self._broken))
        if run_id not in self._open or self._thread is None:
            raise StoreError(f"the run {run_id!r} is not open for writing")

    def _do(self, work: Callable[[Connection], None]) -> None:
        task = _Task(work)
        self._queue.put(task)
        task.done.result()

    # What follows runs in the thread.

    def _work(self, connection: Connection) -> None:
        with connection:
            while True:
                for kind, items in groupby(self._drained(), key=type):
                    if kind is _Batch:
                        self._save(connection, cast("list[_Batch]", list(items)))
                    elif kind is _Task:
                        for task in cast("Iterator[_Task]", items):
                            self._run(connection, task)
                    else:
                        return

    def _drained(self) -> list[_Batch | _Task | None]:
        items = [self._queue.get()]
        with suppress(Empty):
            while True:
                items.append(self._queue.get_nowait())
        return items

    def _run(self, connection: Connection, task: _Task) -> None:
        try:
            with explaining(self._backend.where):
                task.work(connection)
        except BaseException as error:  # noqa: BLE001  it is the caller's
            task.done.set_exception(error)
        else:
            task.done.set_result(None)

    def _save(self, connection: Connection, batches: Sequence[_Batch]) -> None:
        if self._broken is None:
            try:
                with explaining(self._backend.where), connection.begin():
                    saving.save(
                        connection, [(self._open[it.run_id], it.finished) for it in batches]
                    )
                    for one in batches:
                        if one.work is not None:
                            one.work(connection)
            except StoreError as error:
                self._broken = error
            except Exception as error:  # noqa: BLE001  the waiters must hear of it
                self._broken = StoreError(f"a case could not be saved: {error!r}")
        waiting = defaultdict(list)
        for one in batches:
            waiting[one.loop].append(one.saved)
        for loop, waiters in waiting.items():
            with suppress(RuntimeError):  # a loop that was closed has nobody waiting
                loop.call_soon_threadsafe(_wake, waiters, self._broken)

    def _begin(self, connection: Connection, header: RunHeader) -> None:
        locks = self._backend.locks
        if header.id in self._open:
            raise RunError(f"this process is already writing the run {header.id!r}")
        with connection.begin():
            if not locks.take(connection, header.id):
                raise RunError(
                    f"another process is writing the run {header.id!r}; "
                    "wait until it ends, or end it, then try again"
                )
        try:
            with connection.begin():
                self._open[header.id] = saving.begin(connection, header)
        except BaseException:
            with suppress(SQLAlchemyError), connection.begin():
                locks.free(connection, header.id)
            raise

    def _finish(
        self,
        connection: Connection,
        run_id: str,
        state: RunState,
        summaries: Mapping[str, Mapping[str, Json]],
    ) -> None:
        with connection.begin():
            saving.finish(connection, self._open[run_id].key, state, summaries)
        with connection.begin():
            self._backend.locks.free(connection, run_id)
        del self._open[run_id]


def _wake(waiters: Sequence[asyncio.Future[None]], broken: StoreError | None) -> None:
    for waiter in waiters:
        if waiter.done():  # its task was cancelled
            continue
        if broken is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(StoreError(str(broken)))
