"""Dataset items of Langfuse, as its API lists them or its pages export them."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.langsmith import ANSWERED, ASKED
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

USUAL = {
    "id": ("id",),
    "question": (*(f"input.{name}" for name in ASKED), "input"),
    "expected_answer": tuple(
        one
        for outer in ("expectedOutput", "expected_output")
        for one in (*(f"{outer}.{name}" for name in ANSWERED), outer)
    ),
    "metadata": ("metadata",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case an item; archived ones are left out and counted."""
    for place, case in spoken(asked, mapped(asked, USUAL)):
        if str(case["metadata"].get("status", "")).upper() == "ARCHIVED":
            asked.notes.left_out["archived"] += 1
            continue
        yield place, case
