"""The objects of a JSONL file, with their line numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.text.faults import shown
from ragproof.text.jsonl import read_lines
from ragproof.text.strict_json import parse


def values(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield each line's number and value; raises UsageError that names the line at fault."""
    for number, raw in read_lines(path):
        try:
            yield number, parse(raw.decode())
        except ValueError as fault:
            raise UsageError(f"{path}:{number}: {fault}") from None


def objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each line's number and object; raises UsageError that names the line at fault."""
    for number, found in values(path):
        if not isinstance(found, dict):
            raise UsageError(f"{path}:{number}: got {shown(found)}; allowed: a JSON object")
        yield number, found
