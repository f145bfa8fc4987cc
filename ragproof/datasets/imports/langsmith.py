"""Examples of LangSmith, as JSON, JSONL or CSV."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

ASKED = ("question", "query", "input", "user_input", "messages", "text", "prompt")
ANSWERED = ("answer", "output", "expected_answer", "reference", "ground_truth", "response")
USUAL = {
    "id": ("id", "example_id"),
    "question": (
        *(f"inputs.{name}" for name in ASKED),
        *(f"input_{name}" for name in ASKED),
        *("inputs", "input"),
    ),
    "expected_answer": (
        *(f"outputs.{name}" for name in ANSWERED),
        *(f"output_{name}" for name in ANSWERED),
        *("outputs", "output"),
    ),
    "metadata": ("metadata",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case an example; its `split`, which may be any name, becomes the tag `split`."""
    for place, case in spoken(mapped(asked, USUAL)):
        split = case["metadata"].pop("split", None)
        if isinstance(split, list):
            split = "+".join(map(str, split))
        if split:
            case["tags"]["split"] = str(split)
            asked.notes.kept.pop("split", None)
        yield place, case
