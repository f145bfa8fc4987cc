"""A folder in BEIR's layout; topics that nobody judged are marked so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragproof.datasets import beir
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.text.strict_json import parse

RESTORED = "ragproof"
"""Under a query's metadata: what our own export put there because the layout has no place."""


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a topic; the source is the folder, or one of its files of judgments."""
    source = asked.source
    path = source if source.suffix == ".tsv" else beir.dataset_path(source)
    for number, text in beir.read(path):
        case: Fields = parse(text)
        metadata: dict[str, Any] = case.get("metadata", {})
        more = metadata.pop(RESTORED, None)
        if isinstance(more, dict):
            case = {**case, **more}
            if more.get("expected_source_ids", 0) is None:
                case.pop("expected_source_ids")
        for name in metadata:
            asked.notes.kept[name] += 1
        yield f"{beir.folder_of(path) / beir.QUERIES}:{number}", case
