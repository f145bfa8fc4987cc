"""A store in one file."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event

from ragproof.core import StoreError, UsageError
from ragproof.store.faults import no_store
from ragproof.store.locks import WAIT_SECONDS, SideFile

WRITES = "ragproof_writes"
"""Execution option of a connection whose transactions write: they take their turn at BEGIN."""


def prepared(path: Path, *, create: bool) -> Path:
    """The true path of a store, its folder made; or UsageError that there is no store."""
    try:
        path = path.resolve()
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it, as in {path / 'ragproof.db'}")
        if not _is_there(path):
            if not create:
                raise no_store(str(path))
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot reach {path}: {error.strerror}; check permissions") from error
    return path


def side_file(path: Path) -> SideFile | None:
    """The file of locks beside the store; None where no writer left one and none can be made."""
    locks = path.with_name(path.name + "-lock")
    try:
        return SideFile.of(locks)
    except OSError as error:
        if _is_there(path) and not locks.exists():
            return None
        raise StoreError(f"cannot open {locks}: {error.strerror}; check permissions") from error


def engine(path: Path) -> Engine:
    """Open the file, for reading only if that is all the user may do."""
    writable = os.access(path.parent, os.W_OK) and (os.access(path, os.W_OK) or not path.exists())

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}{'' if writable else _read_only(path)}",
            uri=True,
            timeout=WAIT_SECONDS,
            isolation_level=None,  # transactions begin where `_begin` says so, DDL included
            check_same_thread=False,
        )
        # A commit is on the disk when it returns, even should the power fail.
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    # A read-only connection is not kept: what it may rely on changes when a writer comes.
    pool: dict[str, Any] = {"poolclass": NullPool}
    if writable:
        pool = {"poolclass": QueuePool, "max_overflow": -1}
    made = create_engine("sqlite://", creator=connect, **pool)
    event.listen(made, "begin", _begin)
    return made


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _read_only(path: Path) -> str:
    """The URI's query where nothing may be written, not even the files that WAL needs.

    Without them the store is at rest, and SQLite must be told so.
    """
    at_rest = not path.with_name(path.name + "-wal").exists()
    return "?mode=ro&immutable=1" if at_rest else "?mode=ro"


def use_wal(engine: Engine) -> None:
    """Let readers read while a writer writes; the file remembers it."""
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()


def _is_there(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
