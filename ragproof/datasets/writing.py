"""Write cases to a dataset file, one canonical line each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ragproof.core import Case, UsageError
from ragproof.datasets.canonical import dump
from ragproof.text.files import whole


def write_cases(path: Path, cases: Iterable[Case]) -> int:
    """Write a JSONL file, whole or not at all, in this order; return how many lines.

    Raises UsageError for a name that does not say JSONL, RunError where it cannot be written.
    """
    refuse_name(path)
    number = 0
    with whole(path) as file:
        for case in cases:
            file.write(f"{dump(case)}\n".encode("ascii"))
            number += 1
    return number


def refuse_name(path: Path) -> None:
    """Raise UsageError for a name under which the cases would not be read back."""
    if path.suffix.casefold() not in (".jsonl", ".ndjson"):
        raise UsageError(f"{path}: the name must end in .jsonl; `ragproof freeze` makes the rest")
