"""Datasets of Arize Phoenix: the examples of one version, as JSON, JSONL or CSV."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.langsmith import ANSWERED, ASKED
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

USUAL = {
    "id": ("id", "example_id", "node_id"),
    "question": (*(f"input.{name}" for name in ASKED), "input"),
    "expected_answer": (*(f"output.{name}" for name in ANSWERED), "output"),
    "metadata": ("metadata",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case an example."""
    yield from spoken(mapped(asked, USUAL))
