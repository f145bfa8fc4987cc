"""Pictures of pages and what people wrote down of them: what such folders have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.records import whole_text
from ragproof.text.faults import shown
from ragproof.text.strict_json import parse

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".pdf")


def pages(
    asked: Asked, labels: str, pictures: str, suffixes: tuple[str, ...]
) -> Iterator[tuple[Path, Path]]:
    """The files of labels, each with its picture; one without is left out and counted."""
    folder = asked.source / labels
    if not folder.is_dir():
        told = f"a folder with {labels}/ and {pictures}/"
        raise UsageError(f"{asked.source}: there is no {labels}/ in it; needed: {told}")
    for path in sorted(one for one in folder.iterdir() if one.suffix.lower() in suffixes):
        beside = (asked.source / pictures / f"{path.stem}{suffix}" for suffix in PICTURES)
        picture = next((one for one in beside if one.is_file()), None)
        if picture is None:
            asked.notes.left_out[f"no picture in {pictures}/"] += 1
        else:
            yield path, picture.resolve()


def case_of(path: Path, picture: Path, document_class: str) -> Fields:
    """A case of a page, without labels; the picture stays where it lies."""
    return {
        "id": path.stem,
        "kind": "document",
        "document": {"path": str(picture)},
        "document_class": document_class,
    }


def mapping_of(path: Path) -> Mapping[str, Any]:
    """What a JSON file of labels holds."""
    try:
        found = parse(whole_text(path))
    except ValueError as fault:
        raise UsageError(f"{path}: {fault}") from None
    if not isinstance(found, Mapping):
        raise UsageError(f"{path}: got {shown(found)}; allowed: a mapping")
    return found
