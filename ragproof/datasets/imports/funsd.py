"""FUNSD: scanned forms with their entities, as published."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.scanned import case_of, mapping_of, pages
from ragproof.text.faults import shown


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a form, from `annotations` and `images`.

    The order of entities is not that of reading, so they are elements and no text. A link is a
    relation of the type that its target is labelled with.
    """
    for path, picture in pages(asked, "annotations", "images", (".json",)):
        listed = mapping_of(path).get("form")
        if not isinstance(listed, list):
            raise UsageError(f"{path}: form: got {shown(listed)}; allowed: a list of entities")
        entities: dict[str, tuple[str, str]] = {}
        links: list[object] = []
        for at, one in enumerate(listed):
            label, text = _labelled(one, f"{path}: form.{at}")
            if text.strip():
                entities[str(one.get("id", at))] = (label, text)
            else:
                asked.notes.lost["entity without a text"] += 1
            told = one.get("linking")
            links += told if isinstance(told, list) else []
        elements = [{"type": label, "text": text} for label, text in entities.values()]
        labels = {"expected_elements": elements, "expected_relations": _related(links, entities)}
        yield str(path), {**case_of(path, picture, "form"), **labels}


def _labelled(one: Any, place: str) -> tuple[str, str]:  # noqa: ANN401  of a file
    found = (one.get("label"), one.get("text")) if isinstance(one, Mapping) else (None, None)
    label, text = found
    if not isinstance(label, str) or not isinstance(text, str):
        raise UsageError(f"{place}: got {shown(one)}; allowed: an entity with label and text")
    return label, text


def _related(links: list[object], entities: Mapping[str, tuple[str, str]]) -> list[list[str]]:
    """Each link once, though it stands at either end; both have to have a text."""
    pairs = {json.dumps(one): one for one in links if isinstance(one, list) and len(one) == 2}
    ends = [(str(head), str(tail)) for head, tail in pairs.values()]
    return [
        [entities[head][1], *entities[tail]]
        for head, tail in ends
        if head in entities and tail in entities
    ]
