"""The frozen form of a dataset: one JSON document that knows the hash of its cases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragproof.core import Case, UsageError
from ragproof.datasets.canonical import dump
from ragproof.text.faults import shown
from ragproof.text.files import as_utf8, opened, without_bom, write_whole
from ragproof.text.nearest import nearest
from ragproof.text.strict_json import parse

FORMAT = "ragproof-frozen-dataset"
VERSION = 1
SUFFIX = ".frozen.json"
_KEYS = ("format", "version", "name", "hash", "cases")


def write(target: Path, name: str, digest: str, cases: Sequence[Case]) -> None:
    """Write the frozen form, a case a line, whole or not at all. Equal content, equal bytes."""
    head = {"format": FORMAT, "version": VERSION, "name": name, "hash": digest}
    lines = ",\n".join(dump(case) for case in sorted(cases, key=lambda case: case.id))
    text = f'{json.dumps(head, separators=(",", ":"))[:-1]},"cases":[\n{lines}\n]}}\n'
    write_whole(target, text)


def read(path: Path) -> tuple[str, Iterator[str]]:
    """Give the hash that the file states and the JSON of each case, in order."""
    document = _document(path)
    cases: list[Any] = document["cases"]
    return document["hash"], (json.dumps(case) for case in cases)


def _document(path: Path) -> dict[str, Any]:
    with opened(path) as file:
        text = as_utf8(without_bom(file.read(), path), path)
    try:
        found = parse(text)
    except ValueError as fault:
        raise UsageError(f"{path}: {fault}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UsageError(
            f"{path}: this is no frozen dataset. Write the cases one a line in a .jsonl file; "
            "ragproof freeze makes the frozen form of it"
        )
    if found.get("version") != VERSION:
        got = shown(found.get("version"))
        raise UsageError(f"{path}: version: got {got}; allowed: {VERSION}. Update ragproof")
    if unknown := [key for key in found if key not in _KEYS]:
        raise UsageError(f"{path}: {unknown[0]}: unknown key.{nearest(unknown[0], _KEYS)}")
    for key, kind, allowed in (("hash", str, "a string"), ("cases", list, "a list of cases")):
        if not isinstance(found.get(key), kind):
            raise UsageError(f"{path}: {key}: got {shown(found.get(key))}; allowed: {allowed}")
    return found
