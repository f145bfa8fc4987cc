"""The table of refusals, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ragproof.analysis.refusals import refusal_table
from ragproof.analysis.summary import Line

NAMES = {
    "answerable": "could be answered",
    "retrieval_miss": "retrieval missed",
    "out_of_scope": "out of scope",
}
WRONG = {
    "answerable": "refused, which is wrong",
    "retrieval_miss": "answered, which is wrong",
    "out_of_scope": "answered, which is wrong",
}


def refusals_json(lines: Sequence[Line]) -> dict[str, Any]:
    """Situation to its counts."""
    return {
        row.situation: {
            "answered": row.answered,
            "refused": row.refused,
            "wrong": row.wrong,
            "errors": row.errors,
        }
        for row in refusal_table(lines)
    }


def refusal_lines(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Title and text of each row; none where there is nothing to say."""
    for row in refusal_table(lines):
        text = f"{row.answered} answered, {row.refused} refused"
        if row.wrong:
            text += f": {row.wrong} {WRONG[row.situation]}"
        yield f"  {NAMES[row.situation]:<18}", text
