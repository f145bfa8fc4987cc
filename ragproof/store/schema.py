"""The tables, as the migrations leave them.

Inside, a run, a subject and a metric key are small integers, so that a result row is small. What
is structured is JSON in a text column: it holds any text that a pipeline emits, which the JSON
types of databases do not.
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

HEAD = "0004"
"""Revision of the newest migration; known here so that opening a store need not load alembic."""
VERSION_TABLE = "ragproof_version"

BYTEWISE = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its code points, on both databases."""

_UNSTORABLE = re.compile("[\\\\\0\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(\\|u[0-9a-f]{4})")


def escaped(text: str) -> str:
    r"""Write what no encoding or no database can carry as `\uXXXX`, and a backslash as two."""
    return _UNSTORABLE.sub(lambda it: r"\\" if it[0] == "\\" else f"\\u{ord(it[0]):04x}", text)


def unescaped(text: str) -> str:
    """Undo `escaped`."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda it: "\\" if it[1] == "\\" else chr(int(it[1][1:], 16)), text)


class AnyText(TypeDecorator[str]):
    """A text column for text that may hold NUL and lone surrogates."""

    impl = BYTEWISE
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:  # noqa: ANN401, ARG002
        """Escape on the way in."""
        return None if value is None else escaped(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:  # noqa: ANN401, ARG002
        """Unescape on the way out."""
        return None if value is None else unescaped(value)


metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", AnyText, nullable=False, unique=True),
    Column("project", AnyText, nullable=False),
    Column("label", AnyText),
    Column("started_at", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("finished_at", Text),
    Column("total", Integer),  # the three counts are written at the end; until then NULL
    Column("errors", Integer),
    Column("timeouts", Integer),
    Column("header", Text, nullable=False),
    Index("runs_by_start", "project", "started_at"),
)

metric_keys = Table(
    "metric_keys",
    metadata,
    Column("run", Integer, ForeignKey("runs.key"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key", AnyText, nullable=False),
    Column("metric", AnyText, nullable=False),
)

# A trial of a case, a group or a set. The columns from `kind` on are those of trials. The large
# ones come last: a reader of the small ones never touches their pages.
subjects = Table(
    "subjects",
    metadata,
    Column("run", Integer, ForeignKey("runs.key"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("level", Text, nullable=False),
    Column("name", AnyText, nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("failed", Boolean, nullable=False),  # the pipeline, or any metric
    Column("judge_raw_json", Text),
    Column("kind", Text),
    Column("tags", Text),
    Column("group", AnyText),
    Column("seconds", Double),
    Column("asked_at", Double),
    Column("cause", Text),
    Column("message", AnyText),
    Column("readings", Text),
    Column("case", Text),
    Column("observation", Text),
    UniqueConstraint("run", "level", "name", "repeat", name="subjects_by_name"),
)

# No foreign keys here: one transaction writes a subject and its rows, and checking each of them
# again would cost more than writing it.
results = Table(
    "results",
    metadata,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("subject", Integer, primary_key=True, autoincrement=False),
    Column("metric", Integer, primary_key=True, autoincrement=False),
    Column("status", SmallInteger, nullable=False),
    Column("value", Double),
    Column("weight", Double),
    Column("applies", SmallInteger, nullable=False),
    Column("cause", Text),
    Column("reason", AnyText),
    Column("evidence", Text),
    Column("judge_raw_json", Text),
    sqlite_with_rowid=False,  # rows lie in the order of their key: one tree to write, none to seek
)

summaries = Table(
    "summaries",
    metadata,
    Column("run", Integer, ForeignKey("runs.key"), primary_key=True),
    Column("metric", AnyText, primary_key=True),
    Column("figures", Text, nullable=False),
)

# What a model said, word for word. It is shared by all runs of the store.
replies = Table(
    "replies",
    metadata,
    Column("key", Text, primary_key=True),  # sha256 of fingerprint, prompt and input
    Column("fingerprint", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("reply", Text, nullable=False),
)

# One row a question put to a model. A row that stays `sent` may have been paid.
calls = Table(
    "calls",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("run", Integer, ForeignKey("runs.key"), nullable=False),
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),  # sent, received, failed
    Column("usd", Double),  # what it may cost, then what it did; NULL when a price is unknown
    Column("sent_at", Text, nullable=False),
    Index("calls_by_run", "run"),
)

calibrations = Table(
    "calibrations",
    metadata,
    Column("fingerprint", Text, primary_key=True),
    Column("metric", Text, primary_key=True),
    Column("condition", Text, primary_key=True),
    Column("measured_at", Text, nullable=False),
    Column("figures", Text, nullable=False),
)
