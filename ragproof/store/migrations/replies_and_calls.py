"""Replies of models, and the book of calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "replies",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
    )
    op.create_table(
        "calls",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.key"), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("usd", sa.Double),
        sa.Column("sent_at", sa.Text, nullable=False),
    )
    op.create_index("calls_by_run", "calls", ["run"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("calls")
    op.drop_table("replies")
