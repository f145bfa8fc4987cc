"""Where rows come from, and what is wrong with them, told by query, document, file and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

import numpy as np

from ragproof.core import UsageError
from ragproof.rankings.rows import Ints, Rows, cut


class Kind(StrEnum):
    """What a file holds."""

    QRELS = "qrels"
    RUN = "run"


VALUE: Mapping[Kind, str] = {Kind.QRELS: "relevance", Kind.RUN: "score"}
GREATEST_GRADE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Origin:
    """A file, or something in memory, that rows were read from."""

    name: str
    kind: Kind
    unit: str = "line"

    def at(self, line: int) -> str:
        """Name a place in it."""
        return f"{self.name}:{line}" if self.unit == "line" else f"{self.name}, {self.unit} {line}"

    def wrong(self, line: int, message: str) -> NoReturn:
        """Raise UsageError about a line."""
        raise UsageError(f"{self.at(line)}: {message}")

    def checked(self, rows: Rows, given: Callable[[int], str]) -> Rows:
        """The rows, if all have ids and a proper value; `given` shows a row's value as it stood."""
        for name, ids in (("query", rows.query), ("document", rows.document)):
            if ids.length.min(initial=1) < 1:
                self.wrong(_first(rows, ids.length == 0), f"the {name} id is empty")
        if np.isnan(rows.value).any():
            at = int(np.flatnonzero(np.isnan(rows.value))[0])
            said = f"the {VALUE[self.kind]} {given(at)} is not a number"
            self.wrong(int(rows.line[at]), f"{named(rows, at)}: {said}")
        if self.kind is Kind.QRELS:
            self._check_grades(rows, given)
        return rows

    def _check_grades(self, rows: Rows, given: Callable[[int], str]) -> None:
        whole = (np.floor(rows.value) == rows.value) & (np.abs(rows.value) <= GREATEST_GRADE)
        if not whole.all():
            at = int(np.flatnonzero(~whole)[0])
            said = f"the relevance {given(at)} is no whole number up to {GREATEST_GRADE}"
            self.wrong(int(rows.line[at]), f"{named(rows, at)}: {said}")

    def twice(self, rows: Rows, first: int, second: int) -> NoReturn:
        """Raise UsageError about a document that a query has twice."""
        where = f"{self.unit} {int(rows.line[first])}"
        said = f"the document is there twice, first on {where}. Keep one of them"
        self.wrong(int(rows.line[second]), f"{named(rows, second)}: {said}")


def named(rows: Rows, at: int) -> str:
    """Say which query and document a row is about."""
    query, document = (
        cut(rows.text, one[np.array([at])])[0] for one in (rows.query, rows.document)
    )
    return f"query {shown(query)}, document {shown(document)}"


def shown(identifier: bytes) -> str:
    r"""An id in quotes, on one line, with escapes for what would act instead of being read.

    >>> print(shown(b"d1"), shown(b"d" + bytes([255])))
    'd1' 'd\xff'
    """
    try:
        return repr(identifier.decode())
    except UnicodeDecodeError:
        return repr(identifier)[1:]


def _first(rows: Rows, wrong: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int:
    lines: Ints = rows.line[wrong]
    return int(lines[0])
