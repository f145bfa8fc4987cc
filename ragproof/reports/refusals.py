"""The table of refusals, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragproof.analysis.refusals import ANSWERABLE, UNKNOWN, RefusalRow, refusal_table
from ragproof.core.record import RunRecord

NAMES = {
    "answerable": "could be answered",
    "retrieval_miss": "retrieval missed",
    "out_of_scope": "out of scope",
    "unknown": "not known which",
}
NOTE = (
    "To refuse is wrong where the question could be answered, right where retrieval missed and "
    "out of scope. What failed is in neither column."
)


def refusals_json(record: RunRecord) -> dict[str, Any]:
    """Situation to its counts."""
    return {
        row.situation: {
            "answered": row.answered,
            "refused": row.refused,
            "wrong": row.wrong,
            "errors": row.errors,
        }
        for row in refusal_table(record)
    }


def refusal_rows(record: RunRecord) -> list[tuple[str, RefusalRow, str]]:
    """Name, counts and the column that counts what is wrong, of each row of the table."""
    return [(NAMES[row.situation], row, _wrong_column(row)) for row in refusal_table(record)]


def refusal_lines(record: RunRecord) -> Iterator[tuple[str, str]]:
    """Title and text of each row; none where there is nothing to say."""
    for name, row, column in refusal_rows(record):
        told = f"{row.answered} answered, {row.refused} refused"
        parts = [] if row.situation == UNKNOWN else [told]
        parts += [f"{row.errors} failed"] if row.errors else []
        wrong = f": {row.wrong} {column}, which is wrong" if row.wrong else ""
        yield f"  {name:<18}", ", ".join(parts) + wrong


def _wrong_column(row: RefusalRow) -> str:
    return "refused" if row.situation == ANSWERABLE else "answered"
