"""What went wrong with a database, in one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ragproof.core import StoreError, UsageError

_SQLITE = {
    "SQLITE_FULL": "has no room left: the disk is full; free some space, then resume",
    "SQLITE_READONLY": "is read-only for this user; change its permissions or choose another store",
    "SQLITE_CANTOPEN": "cannot be opened; check that its folder exists and may be written to",
    "SQLITE_BUSY": "is locked by another process and was not freed in time; end it and try again",
    "SQLITE_LOCKED": "is locked by another process and was not freed in time; end it and try again",
    "SQLITE_CORRUPT": "is damaged; restore it from a copy or choose another store",
    "SQLITE_NOTADB": "is not a SQLite database, or is damaged; choose another store",
    "SQLITE_PERM": "may not be read by this user; change its permissions",
    "SQLITE_IOERR": "cannot be read or written: the disk failed or is full",
}


def explained(error: SQLAlchemyError | sqlite3.Error, where: str) -> StoreError:
    """Give the StoreError that says what a driver's error means for the store at `where`."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorname", None) or ""
        primary = "_".join(code.split("_")[:2])
        told = _SQLITE.get(primary, f"failed: {_first_line(cause)}")
    elif isinstance(error, DBAPIError) and error.connection_invalidated:
        told = f"is gone, the connection was lost: {_first_line(cause)}"
    else:
        told = f"failed: {_first_line(cause)}"
    return StoreError(f"the store {where} {told}")


def no_store(where: str) -> UsageError:
    """Give what is said where nothing was ever written."""
    return UsageError(f"There is no store at {where}; `ragproof run` makes one")


@contextmanager
def explaining(where: str) -> Iterator[None]:
    """Turn the drivers' errors into sentences."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise explained(error, where) from error


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
