"""The files that generating leaves: cases, rejects, and what both were made with.

A line is on the disk before the next attempt counts. So whatever ends it, what was made is there,
and who goes on does nothing twice.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragproof.core import Case, QuestionCase, RunError, UsageError
from ragproof.datasets.canonical import dump
from ragproof.datasets.parse import Malformed, read_case
from ragproof.text.faults import shown
from ragproof.text.files import opened, write_whole
from ragproof.text.jsonl import read_lines
from ragproof.text.strict_json import parse

ORIGINAL = "-original"
"""Ends the id of a case that another of the same attempt varies."""
UNUSABLE = "the model gave no usable reply"
"""The one reason for which an attempt that was turned down is made again by a resume."""


@dataclass
class Book:
    """What was made, and what was not."""

    out: Path
    made_with: Mapping[str, Any]
    """What a resume must have in common."""
    cases: list[QuestionCase] = field(default_factory=list[QuestionCase])
    rejects: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Each with `id`, `kind` and `reason`."""
    spent: float | None = 0.0
    """USD, that of earlier sittings included; None where a price is unknown."""
    again: set[str] = field(default_factory=set[str])
    """Attempts of earlier sittings at which the model said nothing usable: not over yet."""
    apart: bool = False
    """Whether cases are gathered in a file of their own, and `out` is written when all are made."""

    @property
    def lines(self) -> Path:
        """Where a case goes when it is made: `set.drafts.jsonl` for `set.jsonl`, or that itself."""
        return self.out.with_name(f"{self.out.stem}.drafts.jsonl") if self.apart else self.out

    @property
    def rejects_path(self) -> Path:
        """`set.rejects.jsonl` for `set.jsonl`."""
        return self.out.with_name(f"{self.out.stem}.rejects.jsonl")

    @property
    def made_path(self) -> Path:
        """`set.made.json` for `set.jsonl`."""
        return self.out.with_name(f"{self.out.stem}.made.json")

    def made(self, kind: str) -> int:
        """Attempts at this kind of which a case came."""
        return sum(not one.id.endswith(ORIGINAL) for one in self.of(kind))

    def of(self, kind: str) -> list[QuestionCase]:
        """The cases of a kind."""
        return [one for one in self.cases if one.tags.get("kind") == kind]

    @property
    def done(self) -> frozenset[str]:
        """Attempts that are over: their ids."""
        turned = {str(one["id"]) for one in self.rejects}
        return frozenset({one.id for one in self.cases} | turned) - self.again

    def reasons(self, kind: str) -> Counter[str]:
        """Why attempts at this kind were turned down, and how many for each reason."""
        return Counter(str(one["reason"]) for one in self.rejects if one["kind"] == kind)

    def add(self, cases: Iterable[QuestionCase]) -> None:
        """Write the cases of an attempt down, all at once."""
        found = list(cases)
        _append(self.lines, [dump(one) for one in found])
        self.cases += found
        if again := self.again.intersection(one.id for one in found):
            self._turned_again(again)

    def reject(self, found: Mapping[str, Any]) -> None:
        """Write down why there is no case."""
        if (id_ := str(found["id"])) in self.again:
            self._turned_again({id_}, dict(found))
            return
        _append(self.rejects_path, [_line(found)])
        self.rejects.append(dict(found))

    def _turned_again(self, ids: Set[str], *found: dict[str, Any]) -> None:
        """Put what is found now in the place of what was written of these attempts before."""
        self.rejects = [one for one in self.rejects if str(one["id"]) not in ids]
        self.rejects += found
        write_whole(self.rejects_path, "".join(f"{_line(one)}\n" for one in self.rejects))
        self.again -= ids

    def sum_up(self, told: Mapping[str, Any]) -> None:
        """Write down what was made with what, and how far it got."""
        held = {**self.made_with, **told, "cost_usd": self.spent}
        write_whole(self.made_path, json.dumps(held, indent=2, sort_keys=True) + "\n")


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Be the only process that writes these files, `set.lock` beside them while it does.

    The lock is gone with the process, however that ends. Raises RunError where another has it.
    """
    path = out.with_name(f"{out.stem}.lock")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as fault:
        raise RunError(f"{path}: the file cannot be written: {fault.strerror or fault}") from fault
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_mine = os.path.samestat(os.fstat(file), path.stat())
        except (BlockingIOError, FileNotFoundError):
            is_mine = False
        if not is_mine:  # or whoever had it took it away in this moment
            raise RunError(
                f"another process is writing {out}; wait until it ends, or end it, then try again"
            )
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(file)


def open_book(
    out: Path, made_with: Mapping[str, Any], *, resume: bool, apart: bool = False
) -> Book:
    """Begin the files, or go on with those that are there.

    Raises UsageError for files that are there and were not to be gone on with, that do not exist
    though they were, or that were made with something else.
    """
    book = Book(out, made_with, apart=apart)
    files = dict.fromkeys((out, book.lines, book.rejects_path, book.made_path))
    there = [one for one in files if one.exists()]
    if not resume:
        if there:
            raise UsageError(
                f"{there[0]} is there already; --resume goes on with it, another --out begins anew"
            )
        _append(book.made_path, [])  # whether it can be written shows before anything is paid
        book.sum_up({"status": "running"})
        return book
    if book.made_path not in there:
        raise UsageError(f"there is nothing to go on with: {book.made_path} does not exist")
    before = _made_before(book.made_path)
    for name, value in made_with.items():
        if before.get(name) != value:
            raise UsageError(
                f"{book.made_path}: {name} was {shown(before.get(name))}, now {shown(value)}; "
                "go on with what it was made with, or give another --out"
            )
    spent = before.get("cost_usd")
    book.spent = spent if isinstance(spent, int | float) else None
    book.cases = list(_cases(book.lines)) if book.lines in there else []
    turned = _rejects(book.rejects_path) if book.rejects_path in there else []
    made = {one.id for one in book.cases}  # a kill may have left a reject of before beside it
    book.rejects = [one for one in turned if str(one["id"]) not in made]
    book.again = {str(one["id"]) for one in book.rejects if one["reason"] == UNUSABLE}
    return book


def _line(found: Mapping[str, Any]) -> str:
    return json.dumps(found, sort_keys=True)


def _append(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    try:
        with path.open("ab") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise RunError(f"{path}: the file cannot be written: {fault.strerror or fault}") from fault


def _whole_lines(path: Path) -> None:
    """Cut off a last line whose end was never written."""
    with opened(path) as file:
        raw = file.read()
    if raw and not raw.endswith(b"\n"):
        os.truncate(path, raw.rfind(b"\n") + 1)


def _cases(path: Path) -> Iterable[QuestionCase]:
    _whole_lines(path)
    for number, line in read_lines(path):
        try:
            case: Case = read_case(line.decode())
        except Malformed as malformed:
            raise UsageError(f"{path}:{number}: {malformed.faults[0]}") from None
        if isinstance(case, QuestionCase):
            yield case


def _rejects(path: Path) -> list[dict[str, Any]]:
    _whole_lines(path)
    found = []
    for number, line in read_lines(path):
        try:
            one = parse(line.decode())
        except ValueError as fault:
            raise UsageError(f"{path}:{number}: {fault}") from None
        if not isinstance(one, dict) or not {"id", "kind", "reason"} <= one.keys():
            raise UsageError(f"{path}:{number}: got {shown(one)}; allowed: id, kind and reason")
        found.append(one)
    return found


def _made_before(path: Path) -> dict[str, Any]:
    with opened(path) as file:
        try:
            found = parse(file.read().decode())
        except ValueError as fault:
            raise UsageError(f"{path}: {fault}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}: got {shown(found)}; allowed: a JSON object")
    return found
