"""Write cases to a dataset file, one canonical line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from ragproof.core import Case, UsageError
from ragproof.datasets.canonical import dump
from ragproof.text.files import is_any_of, whole


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


def write_and_hash(path: Path, cases: Sequence[Case]) -> str:
    """The same; return the hash that the dataset has, each case being written out once."""
    refuse_name(path)
    lines = [(case.id, f"{dump(case)}\n".encode("ascii")) for case in cases]
    with whole(path) as file:
        file.writelines(line for _, line in lines)
    digest = sha256()
    for _, line in sorted(lines):
        digest.update(line)
    return digest.hexdigest()


def refuse_name(path: Path) -> None:
    """Raise UsageError for a name under which the cases would not be read back."""
    if path.suffix.casefold() not in (".jsonl", ".ndjson"):
        raise UsageError(f"{path}: the name must end in .jsonl; `ragproof freeze` makes the rest")


def refuse_source(out: Path, *read: Path | None) -> None:
    """Raise UsageError where what is made of a file would take its place."""
    if is_any_of(out, read):
        raise UsageError(f"--out: {out} is what is read; give another name")
