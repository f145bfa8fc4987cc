"""Goldens and test cases of DeepEval, as JSON, JSONL or CSV.

What a test case brings of a system's own output (`actual_output`, `retrieval_context`) is no part
of a test set and stays under `metadata`. The scenario of a conversational golden describes a user
and is no question, and its expected outcome is no answer: the question is the last that the user
asks in its turns. A golden without turns has none, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import conversation, spoken

SCENARIO = "scenario"
USUAL = {
    "id": ("id",),
    "question": ("input", "turns", SCENARIO),
    f"metadata.{SCENARIO}": (SCENARIO,),
    "expected_answer": ("expected_output", "expectedOutput"),
    "group": ("source_file", "sourceFile"),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a golden; goldens of one source file form a group."""
    yield from spoken(asked, _that_ask(asked))


def _that_ask(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Leave out conversational goldens in which nobody asks anything yet."""
    for place, case in mapped(asked, USUAL):
        if SCENARIO in case["metadata"]:
            if conversation(case.get("question")) is None:
                asked.notes.left_out["scenario without turns"] += 1
                continue
            asked.notes.kept[SCENARIO] += 1
        yield place, case
