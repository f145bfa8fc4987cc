"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create them."""
    _runs()
    _subjects()
    _results()


def downgrade() -> None:
    """Drop them."""
    for table in ("summaries", "results", "subjects", "metric_keys", "runs"):
        op.drop_table(table)


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("key", sa.Integer, primary_key=True),
        sa.Column("id", BYTEWISE, nullable=False, unique=True),
        sa.Column("project", BYTEWISE, nullable=False),
        sa.Column("label", BYTEWISE),
        sa.Column("started_at", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("finished_at", sa.Text),
        sa.Column("total", sa.Integer),
        sa.Column("errors", sa.Integer),
        sa.Column("timeouts", sa.Integer),
        sa.Column("header", sa.Text, nullable=False),
    )
    op.create_index("runs_by_start", "runs", ["project", "started_at"])
    op.create_table(
        "metric_keys",
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.key"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", BYTEWISE, nullable=False),
        sa.Column("metric", BYTEWISE, nullable=False),
    )
    op.create_table(
        "summaries",
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.key"), primary_key=True),
        sa.Column("metric", BYTEWISE, primary_key=True),
        sa.Column("figures", sa.Text, nullable=False),
    )


def _subjects() -> None:
    op.create_table(
        "subjects",
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
        sa.Column("cause", sa.Text),
        sa.Column("message", BYTEWISE),
        sa.Column("readings", sa.Text),
        sa.Column("case", sa.Text),
        sa.Column("observation", sa.Text),
        sa.UniqueConstraint("run", "level", "name", "repeat", name="subjects_by_name"),
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("subject", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("metric", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("status", sa.SmallInteger, nullable=False),
        sa.Column("value", sa.Double),
        sa.Column("weight", sa.Double),
        sa.Column("applies", sa.SmallInteger, nullable=False),
        sa.Column("cause", sa.Text),
        sa.Column("reason", BYTEWISE),
        sa.Column("evidence", sa.Text),
        sa.Column("judge_raw_json", sa.Text),
        sqlite_with_rowid=False,
    )
