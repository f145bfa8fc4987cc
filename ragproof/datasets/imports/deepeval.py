"""Goldens and test cases of DeepEval, as JSON, JSONL or CSV.

What a test case brings of a system's own output (`actual_output`, `retrieval_context`) is no part
of a test set and stays under `metadata`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

USUAL = {
    "id": ("id", "name"),
    "question": ("input", "scenario"),
    "expected_answer": ("expected_output", "expectedOutput", "expected_outcome"),
    "group": ("source_file", "sourceFile"),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a golden; goldens of one source file form a group."""
    yield from spoken(mapped(asked, USUAL))
