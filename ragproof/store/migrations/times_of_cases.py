"""When each case was asked, beside its other small columns."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TOLD = "observation LIKE '%\"asked_at\":%'"
AT_ONCE = 500
NAMES = (
    *("run", "number", "level", "name", "repeat", "failed", "judge_raw_json", "kind", "tags"),
    *("group", "seconds", "cause", "message", "readings", "case", "observation"),
)
"""The columns that were there."""


def upgrade() -> None:
    """Add the column, and fill it from what was seen of each case."""
    if op.get_bind().dialect.name == "sqlite":
        _anew()
        return
    op.add_column("subjects", sa.Column("asked_at", sa.Double))
    _fill(op.get_bind())


def downgrade() -> None:
    """Drop it; the time stands in the observation, too."""
    with op.batch_alter_table("subjects") as table:
        table.drop_column("asked_at")


def _fill(connection: sa.Connection) -> None:
    """Read the times here: PostgreSQL's own reader refuses halves of characters."""
    named = ("run", "level", "name", "repeat")
    known = sa.text(f"SELECT {', '.join(named)}, observation FROM subjects WHERE {TOLD}")  # noqa: S608
    where = " AND ".join(f"{one} = :{one}" for one in named)
    fill = sa.text(f"UPDATE subjects SET asked_at = :asked_at WHERE {where}")  # noqa: S608
    for some in connection.execute(known.execution_options(yield_per=AT_ONCE)).partitions():
        told = [dict(one._mapping) for one in some]
        for one in told:
            one["asked_at"] = json.loads(one.pop("observation")).get("asked_at")
        connection.execute(fill, told)


def _anew() -> None:
    """Write the table anew: a column at its end would lie behind the large ones in every row."""
    _create("subjects_anew")
    listed = ", ".join(f'"{name}"' for name in NAMES)
    time = f"CASE WHEN {TOLD} THEN json_extract(observation, '$.asked_at') END"
    op.execute(
        f"INSERT INTO subjects_anew ({listed}, asked_at) SELECT {listed}, {time} FROM subjects"  # noqa: S608
    )
    op.drop_table("subjects")
    op.rename_table("subjects_anew", "subjects")


def _create(name: str) -> None:
    op.create_table(
        name,
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.key"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("name", BYTEWISE, nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("judge_raw_json", sa.Text),
        sa.Column("kind", sa.Text),
        sa.Column("tags", sa.Text),
        sa.Column("group", BYTEWISE),
        sa.Column("seconds", sa.Double),
        sa.Column("asked_at", sa.Double),
        sa.Column("cause", sa.Text),
        sa.Column("message", BYTEWISE),
        sa.Column("readings", sa.Text),
        sa.Column("case", sa.Text),
        sa.Column("observation", sa.Text),
        sa.UniqueConstraint("run", "level", "name", "repeat", name="subjects_by_name"),
    )
