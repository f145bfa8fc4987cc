"""A store in one file."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event

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
    uri = f"file:{quote(str(path))}{_mode(path)}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=WAIT_SECONDS,
            isolation_level=None,  # transactions begin where `_begin` says so, DDL included
            check_same_thread=False,
        )
        # A commit is on the disk when it returns, even should the power fail.
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    made = create_engine("sqlite://", creator=connect)
    event.listen(made, "begin", _begin)
    return made


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _mode(path: Path) -> str:
    """The URI's query: a WAL database in a folder that may not be written to needs care."""
    if os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK)):
        return ""
    has_wal = path.with_name(path.name + "-wal").exists()
    return "?mode=ro" if has_wal else "?mode=ro&immutable=1"


def use_wal(engine: Engine) -> None:
    """Let readers read while a writer writes; the file remembers it."""
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()


def _is_there(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
