"""A store in a PostgreSQL database."""

from __future__ import annotations

from importlib.util import find_spec

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError

from ragproof.core import UsageError

SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
SECRETS = ("password", "sslpassword", "passfile")


def parsed(where: str) -> URL:
    """Read a URL; what is said of a wrong one never repeats it, since it may hold a password."""
    scheme = where.partition("://")[0]
    if scheme not in SCHEMES:
        raise UsageError(
            f"a store is a path or a postgresql:// URL, got a {scheme}:// URL; "
            "for SQLite give the path alone"
        )
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise UsageError(
            "the store's URL cannot be read; it has the form "
            "postgresql://user:password@host:port/database, special characters as %XX"
        ) from None
    if find_spec("psycopg") is None:
        raise UsageError("PostgreSQL stores need an extra: pip install 'ragproof[postgres]'")
    return url.set(drivername="postgresql+psycopg")


def shown(url: URL) -> str:
    """The URL as it may be shown."""
    hidden = {name: "***" for name in url.query if name in SECRETS}
    told = url.set(drivername="postgresql").update_query_dict(hidden)
    return told.render_as_string(hide_password=True)


def engine(url: URL) -> Engine:
    """Open the database. A reading transaction sees one state of it throughout."""
    return create_engine(url, isolation_level="REPEATABLE READ", pool_pre_ping=True)
