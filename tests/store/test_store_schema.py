"""The tables, and how they came to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, inspect

from ragproof.store import migrate, postgres, schema
from ragproof.store.migrate import MIGRATIONS
from ragproof.store.open import open_store


def test_the_known_revision_is_that_of_the_newest_migration() -> None:
    scripts = ScriptDirectory(MIGRATIONS, version_locations=[MIGRATIONS])
    assert scripts.get_heads() == [schema.HEAD]


@pytest.mark.parametrize("is_migrated", [False, True])
def test_tables_are_as_declared_whether_made_or_migrated(
    where: str, monkeypatch: pytest.MonkeyPatch, *, is_migrated: bool
) -> None:
    if is_migrated:  # as a store of the first revision is
        monkeypatch.setattr(migrate, "revision", lambda *_, **__: "")
    open_store(where).close()
    monkeypatch.undo()
    url = postgres.parsed(where) if "://" in where else f"sqlite:///{where}"
    engine = create_engine(url)
    with engine.connect() as connection:
        options = {"version_table": schema.VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, schema.metadata) == []
        assert context.get_current_heads() == (schema.HEAD,)
        [key] = [inspect(connection).get_pk_constraint(schema.VERSION_TABLE)]
        assert key["constrained_columns"] == ["version_num"]
    engine.dispose()


def test_opening_a_store_that_is_there_does_not_load_the_migrations(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    open_store(where).close()
    program = (
        "import sys; from ragproof.store.open import open_store;"
        f"open_store({str(where)!r}).close(); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_any_text_is_escaped_and_back(text: str) -> None:
    kept = schema.escaped(text)
    assert schema.unescaped(kept) == text
    assert "\0" not in kept
    kept.encode()


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))))
def test_escaping_keeps_the_order_of_clean_text(texts: list[str]) -> None:
    assert sorted(texts) == sorted(texts, key=schema.escaped)
