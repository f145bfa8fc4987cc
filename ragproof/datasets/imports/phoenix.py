"""Datasets of Arize Phoenix: the examples of one version, as JSON, JSONL or CSV.

Its CSV has a column for each part of an example, `input_question`; a data frame of its client has
three with objects in them; its files for OpenAI's evals have `messages` and `ideal`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.langsmith import ANSWERED, ASKED
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

METADATA = "metadata_"
USUAL = {
    "id": ("example_id", "id", "node_id"),
    "question": (
        *(f"input.{name}" for name in ASKED),
        *(f"input_{name}" for name in ASKED),
        *("input", "messages"),
    ),
    "expected_answer": (
        *(f"output.{name}" for name in ANSWERED),
        *(f"output_{name}" for name in ANSWERED),
        *("output", "ideal"),
    ),
    "metadata": ("metadata",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case an example."""
    for place, case in spoken(asked, mapped(asked, USUAL)):
        case["metadata"] = {
            name.removeprefix(METADATA): one for name, one in case["metadata"].items()
        }
        yield place, case
