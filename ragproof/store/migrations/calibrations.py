"""What judges were found to be worth."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "calibrations",
        sa.Column("fingerprint", sa.Text, primary_key=True),
        sa.Column("metric", sa.Text, primary_key=True),
        sa.Column("condition", sa.Text, primary_key=True),
        sa.Column("measured_at", sa.Text, nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("calibrations")
