"""Who writes which run. A lock vanishes by itself with the process that held it.

SQLite stores have a side file and hold POSIX record locks on bytes of it; on PostgreSQL they are
advisory locks of the session that writes.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, text

from ragproof.core import StoreError

WAIT_SECONDS = 60.0
"""How long another process's lock on the whole store is waited out."""
POLL_SECONDS = 0.02
SCHEMA = 0
"""The byte whose lock is that on the schema."""


class RunLocks(Protocol):
    """The writers' locks, one a run."""

    def take(self, writer: Connection, run_id: str, /) -> bool:
        """Become the run's writer; False when it has one."""
        ...

    def free(self, writer: Connection, run_id: str, /) -> None:
        """Cease to be the run's writer."""
        ...

    def taken(self, reader: Connection, run_ids: Iterable[str], /) -> set[str]:
        """Those of the runs that have a writer."""
        ...

    def close(self) -> None:
        """Let go of what the locks need."""
        ...


class SideFile:
    """Record locks on one file, for all stores of this process.

    The system knows one owner a process, and drops all its locks when any descriptor of the file
    is closed. So there is one descriptor a process, and the process keeps its own books.
    """

    _open: dict[Path, SideFile] = {}  # noqa: RUF012  guarded by _books
    _books = threading.RLock()

    def __init__(self, path: Path) -> None:
        self._path = path
        self._users = 0
        self._held: set[int] = set()
        self._schema = threading.Lock()
        self._writable = True
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:  # a reader without write permission can still ask who writes
            if not path.exists():
                raise
            self._writable = False
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    @classmethod
    def of(cls, path: Path) -> SideFile:
        """Open the file, or share the descriptor that is open."""
        with cls._books:
            if (found := cls._open.get(path)) is None:
                found = cls._open[path] = cls(path)
            found._users += 1
            return found

    def close(self) -> None:
        """Close the descriptor when its last user does."""
        with self._books:
            self._users -= 1
            if self._users == 0:
                os.close(self._file)
                del self._open[self._path]

    @classmethod
    def forget(cls) -> None:
        """Start anew in a forked child, which owns none of its parent's locks."""
        cls._books = threading.RLock()
        for file in cls._open.values():
            os.close(file._file)
        cls._open.clear()

    def hold(self, byte: int) -> bool:
        """Lock a byte; False when anyone holds it, this process included."""
        with self._books:
            if byte in self._held or not self._locked(fcntl.LOCK_EX, byte):
                return False
            self._held.add(byte)
            return True

    def drop(self, byte: int) -> None:
        """Unlock a byte that is held."""
        with self._books:
            self._held.remove(byte)
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)

    def is_held(self, byte: int) -> bool:
        """Whether anyone holds the byte."""
        with self._books:
            if byte in self._held:
                return True
            if not self._locked(fcntl.LOCK_SH, byte):
                return True
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)
            return False

    @contextmanager
    def schema(self, *, alone: bool) -> Iterator[None]:
        """Read the schema beside other readers, or change it alone."""
        if alone and not self._writable:
            raise StoreError(
                "the tables are of an older version of ragproof and have to be brought up to date, "
                f"but {self._path} is not writable for this user; change its permissions, or copy "
                "the store to where you may write"
            )
        with self._schema:
            kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
            until = time.monotonic() + WAIT_SECONDS
            while not self._locked(kind, SCHEMA):
                if time.monotonic() > until:
                    raise StoreError(
                        f"another process has kept {self._path} locked for "
                        f"{WAIT_SECONDS:.0f} seconds; end it and try again"
                    )
                time.sleep(POLL_SECONDS)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, SCHEMA)

    def _locked(self, kind: int, byte: int) -> bool:
        if kind == fcntl.LOCK_EX and not self._writable:
            raise StoreError(f"{self._path} is not writable for this user; change its permissions")
        try:
            fcntl.lockf(self._file, kind | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        return True


os.register_at_fork(after_in_child=SideFile.forget)


class FileLocks:
    """The run locks of a SQLite store; None for one that nobody can have written to."""

    def __init__(self, file: SideFile | None) -> None:
        self._file = file
        self._mine: set[int] = set()

    def take(self, writer: Connection, run_id: str, /) -> bool:  # noqa: ARG002
        """Lock the run's byte; tried for a moment, since askers hold it for one."""
        assert self._file is not None
        byte = _number(run_id)
        for _ in range(10):
            if self._file.hold(byte):
                self._mine.add(byte)
                return True
            time.sleep(POLL_SECONDS)
        return False

    def free(self, writer: Connection, run_id: str, /) -> None:  # noqa: ARG002
        """Unlock the run's byte."""
        assert self._file is not None
        self._mine.discard(_number(run_id))
        self._file.drop(_number(run_id))

    def taken(self, reader: Connection, run_ids: Iterable[str], /) -> set[str]:  # noqa: ARG002
        """Ask for each run's byte."""
        if self._file is None:
            return set()
        return {run_id for run_id in run_ids if self._file.is_held(_number(run_id))}

    def close(self) -> None:
        """Unlock what is still locked."""
        if self._file is not None:
            for byte in self._mine:
                self._file.drop(byte)
            self._mine.clear()
            self._file.close()
            self._file = None


class AdvisoryLocks:
    """The run locks of a PostgreSQL store. They are a database's, so the schema is part of them."""

    def take(self, writer: Connection, run_id: str, /) -> bool:
        """Lock the run's number in the session of the writer."""
        number = _number(_schema(writer) + run_id)
        return bool(writer.scalar(text("SELECT pg_try_advisory_lock(:n)"), {"n": number}))

    def free(self, writer: Connection, run_id: str, /) -> None:
        """Unlock it."""
        number = _number(_schema(writer) + run_id)
        writer.execute(text("SELECT pg_advisory_unlock(:n)"), {"n": number})

    def taken(self, reader: Connection, run_ids: Iterable[str], /) -> set[str]:
        """Look up who holds what."""
        held = set(reader.scalars(text(_HELD)))
        schema = _schema(reader)
        return {run_id for run_id in run_ids if _number(schema + run_id) in held}

    def close(self) -> None:
        """Nothing to let go of: the locks end with the writer's session."""


_HELD = """
SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def lock_schema(connection: Connection) -> None:
    """Be alone in changing the schema of a PostgreSQL store until the transaction ends."""
    number = _number(_schema(connection))
    connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": number})


def _schema(connection: Connection) -> str:
    return f"ragproof store {connection.scalar(text('SELECT current_schema()'))} "


def _number(name: str) -> int:
    """A number for a name, from 1 to 2^62; two names share one about never."""
    digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
    return 1 + (int.from_bytes(digest[:8]) >> 2)
