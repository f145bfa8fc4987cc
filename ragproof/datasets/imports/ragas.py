"""Test sets of ragas, from its first columns (`question`, `ground_truth`) to `user_input`.

The reference contexts are texts without ids, so no search can be scored by them: they are kept
under `metadata` unless the set has `reference_context_ids`. In CSV its lists stand as Python
shows them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.mapped import mapped
from ragproof.datasets.imports.spoken import spoken

USUAL = {
    "id": ("id", "sample_id"),
    "question": ("user_input", "question"),
    "expected_answer": ("reference", "ground_truth", "ground_truths"),
    "expected_source_ids": ("reference_context_ids",),
    "tags.synthesizer": ("synthesizer_name", "evolution_type"),
    "tags.persona": ("persona_name",),
    "tags.query_style": ("query_style",),
    "tags.query_length": ("query_length",),
}


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a sample; of a sample with several turns, the last question and its history."""
    yield from spoken(asked, mapped(asked, USUAL))
