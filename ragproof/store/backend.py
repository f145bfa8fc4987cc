"""A database, opened and with its tables in place: all that differs between the two kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragproof.store import postgres, sqlite
from ragproof.store.faults import explaining, no_store
from ragproof.store.locks import AdvisoryLocks, FileLocks, RunLocks, lock_schema
from ragproof.store.migrate import revision, upgrade
from ragproof.store.schema import HEAD

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


@dataclass(frozen=True)
class Backend:
    """What reading and writing need to know of a database."""

    where: str
    """As it may be shown."""
    engine: Engine
    locks: RunLocks
    writing: Mapping[str, Any]
    """Execution options of a connection that writes."""

    def connect_writer(self) -> Connection:
        """Give a connection whose transactions write."""
        return self.engine.connect().execution_options(**self.writing)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store throughout."""
        with explaining(self.where), self.engine.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Close connections and let go of locks."""
        self.engine.dispose()
        self.locks.close()


def open_file(path: Path, *, create: bool) -> Backend:
    """Open a SQLite store; several processes may be doing so at once, with no file there yet."""
    path = sqlite.prepared(path, create=create)
    side = sqlite.side_file(path)
    backend = Backend(str(path), sqlite.engine(path), FileLocks(side), {sqlite.WRITES: True})
    with _closing_on_error(backend):
        if side is None:
            current = _revision(backend, shared=False)
        else:
            with side.schema(alone=False):
                current = _revision(backend, shared=False)
        if _is_behind(backend, current, create=create):
            with side.schema(alone=True) if side else nullcontext(), explaining(backend.where):
                sqlite.use_wal(backend.engine)
                _upgrade(backend, shared=False)
    return backend


def open_database(where: str, *, create: bool) -> Backend:
    """Open a PostgreSQL store; the same holds."""
    url = postgres.parsed(where)
    writing = {"isolation_level": "READ COMMITTED"}
    backend = Backend(postgres.shown(url), postgres.engine(url), AdvisoryLocks(), writing)
    with _closing_on_error(backend):
        current = _revision(backend, shared=True)
        if _is_behind(backend, current, create=create):
            with explaining(backend.where):
                _upgrade(backend, lock_schema, shared=True)
    return backend


def _revision(backend: Backend, *, shared: bool) -> str | None:
    with backend.reading() as connection:
        return revision(connection, backend.where, shared=shared)


def _is_behind(backend: Backend, current: str | None, *, create: bool) -> bool:
    if current is None and not create:
        raise no_store(backend.where)
    return current != HEAD


def _upgrade(
    backend: Backend, lock: Callable[[Connection], None] = lambda _: None, *, shared: bool
) -> None:
    with backend.connect_writer() as connection, connection.begin():
        lock(connection)
        upgrade(connection, backend.where, shared=shared)


@contextmanager
def _closing_on_error(backend: Backend) -> Iterator[None]:
    try:
        yield
    except BaseException:
        backend.close()
        raise
