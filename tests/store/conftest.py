"""Stores of every kind, each test's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text

from ragproof.store import postgres
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore, open_store

DSN = "RAGPROOF_TEST_POSTGRES"


@pytest.fixture
def database() -> Iterator[str]:
    """URL of an empty PostgreSQL schema."""
    dsn = os.environ.get(DSN)
    if not dsn:
        pytest.skip(f"{DSN} names no PostgreSQL server")
    engine = create_engine(postgres.parsed(dsn), isolation_level="AUTOCOMMIT")
    schema = f"test_{uuid4().hex}"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield f"{dsn}{'&' if '?' in dsn else '?'}options=-csearch_path%3D{schema}"
    with engine.connect() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be made, on either database."""
    if request.param == "sqlite":
        return str(tmp_path / "made" / "runs.db")
    return str(request.getfixturevalue("database"))


@pytest.fixture
def store(where: str) -> Iterator[RunStore]:
    """A durable store."""
    with open_store(where) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunStore | MemoryStore]:
    """A store, be it durable or not."""
    if request.param == "memory":
        yield MemoryStore()
        return
    sqlite = request.param == "sqlite"
    where = str(tmp_path / "runs.db") if sqlite else request.getfixturevalue("database")
    with open_store(where) as opened:
        yield opened
