"""CSV, Parquet and JSON of any make: columns named like fields of a case, or mapped to them."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import KNOWN, mapped
from ragproof.datasets.imports.records import records

OTHERS = {
    "id": ("id", "_id", "case_id", "query_id", "qid", "question_id"),
    "question": ("question", "query", "user_input", "input", "prompt"),
    "expected_answer": (
        *("expected_answer", "answer", "reference", "ground_truth", "expected_output"),
        "reference_answer",
    ),
    "expected_source_ids": ("expected_source_ids", "source_ids", "relevant_ids", "doc_ids"),
}
USUAL = {**{name: (name,) for name in sorted(KNOWN)}, **OTHERS}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a record; a column `tags.NAME` is a tag."""
    usual = dict(USUAL)
    for _, record in records(asked.source):
        usual |= {name: (name,) for name in record if name.startswith("tags.") and name != "tags."}
        break
    yield from mapped(asked, usual)
