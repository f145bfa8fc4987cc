"""Examples of LangSmith, as JSON, JSONL or CSV."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

SPLITS = ("dataset_split", "split")
"""Under an example's metadata: where LangSmith keeps its splits, and what its client calls them."""
ASKED = ("question", "query", "input", "user_input", "messages", "text", "prompt")
ANSWERED = ("answer", "output", "expected_answer", "reference", "ground_truth", "response", "ideal")
USUAL = {
    "id": ("id", "example_id"),
    "question": (
        *(f"inputs.{name}" for name in ASKED),
        *(f"input_{name}" for name in ASKED),
        *("inputs", "input", *ASKED),
    ),
    "expected_answer": (
        *(f"outputs.{name}" for name in ANSWERED),
        *(f"reference_outputs.{name}" for name in ANSWERED),
        *(f"output_{name}" for name in ANSWERED),
        *("outputs", "reference_outputs", "output", *ANSWERED),
    ),
    "metadata": ("metadata",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case an example; its splits, which may have any name, become the tag `split`."""
    for place, case in spoken(asked, mapped(asked, USUAL)):
        for name in SPLITS:
            split = case["metadata"].pop(name, None)
            if isinstance(split, list):
                split = "+".join(map(str, split))
            if split:
                case["tags"]["split"] = str(split)
                asked.notes.kept.pop(name, None)
        yield place, case
