"""Bring a database's tables to the newest form."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    text,
)

from ragproof.core import StoreError
from ragproof.store.schema import HEAD, VERSION_TABLE, metadata

MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = Table(  # as alembic makes it
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)


def revision(connection: Connection, where: str, *, shared: bool) -> str | None:
    """The revision of the tables, None where there are none yet.

    Raises StoreError where the tables are another program's. A shared database may hold tables of
    others beside ours, but not under our names.
    """
    tables = set(inspect(connection).get_table_names())
    if VERSION_TABLE in tables:
        found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
        return found
    if foreign := (tables & set(metadata.tables) if shared else tables):
        raise StoreError(
            f"the store {where} is another program's database (it has a table "
            f"{min(foreign)!r}); choose another store"
        )
    return None


def upgrade(connection: Connection, where: str, *, shared: bool) -> None:
    """Make the tables, or run the migrations that are missing, inside the transaction."""
    if revision(connection, where, shared=shared) is None:
        metadata.create_all(connection)
        _VERSION.create(connection)
        connection.execute(insert(_VERSION).values(version_num=HEAD))
    else:
        _migrate(connection, where)


def _migrate(connection: Connection, where: str) -> None:
    # alembic costs more to import than all the rest of a store, and is hardly ever needed
    from alembic.operations import Operations  # noqa: PLC0415
    from alembic.runtime.migration import MigrationContext, MigrationStep, RevisionStep  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    scripts = ScriptDirectory(MIGRATIONS, version_locations=[MIGRATIONS])

    def missing(current: tuple[str, ...], _: MigrationContext) -> list[RevisionStep]:
        known = {script.revision for script in scripts.walk_revisions()}
        if unknown := set(current) - known:
            raise StoreError(
                f"the store {where} was written by a newer version of ragproof (its tables have "
                f"revision {min(unknown)!r}, the newest known here is {HEAD!r}); upgrade ragproof"
            )
        to_do = scripts.iterate_revisions("head", current or "base")
        steps: list[RevisionStep] = [
            MigrationStep.upgrade_from_script(scripts.revision_map, one) for one in to_do
        ]
        return steps[::-1]

    options = {"fn": missing, "version_table": VERSION_TABLE}
    context = MigrationContext.configure(connection, opts=options)
    with Operations.context(context):
        context.run_migrations()
