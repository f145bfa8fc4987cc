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
SHOWN = 60
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A file, or something in memory, that rows were read from."""

    name: str
    kind: Kind
    unit: str = "line"

    def at(self, line: int) -> str:
        """Name a place in it."""
        return f"{self.name}:{line}" if self.unit == "line" else f"{self.name}, {self.unit} {line}"

    @property
    def cannot_be_sorted(self) -> str:
        """Say that rows must be sorted which can be read only once."""
        return (
            f"{self.name}: the rows of a query do not stand together, and what is no file cannot "
            "be read again. Sort it by query, or save it to a file first"
        )

    def wrong(self, line: int, message: str) -> NoReturn:
        """Raise UsageError about a line."""
        raise UsageError(f"{self.at(line)}: {message}")

    def checked(self, rows: Rows, given: Callable[[int], str]) -> Rows:
        """The rows, if all have ids and a proper value; `given` shows a row's value as it stood."""
        for name, ids in (("query", rows.query), ("document", rows.document)):
            if ids.length.min(initial=1) < 1:
                self.wrong(_first(rows, ids.length == 0), f"the {name} id is empty")
        if not np.isfinite(rows.value).all():
            self._check_values(rows, given)
        if self.kind is Kind.QRELS:
            self._check_grades(rows, given)
        return rows

    def _check_values(self, rows: Rows, given: Callable[[int], str]) -> None:
        """Refuse what is no number, and digits that would all become the same infinity."""
        for at in np.flatnonzero(~np.isfinite(rows.value)).tolist():
            text = given(at)
            if np.isnan(rows.value[at]):
                self._wrong_value(rows, at, text, "is not a number")
            if "n" not in text.casefold():  # neither inf nor infinity
                self._wrong_value(rows, at, text, "is more than a 64-bit number holds")

    def _wrong_value(self, rows: Rows, at: int, text: str, fault: str) -> NoReturn:
        short = text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
        told = f"the {VALUE[self.kind]} {short} {fault}"
        self.wrong(int(rows.line[at]), f"{named(rows, at)}: {told}")

    def _check_grades(self, rows: Rows, given: Callable[[int], str]) -> None:
        whole = (np.floor(rows.value) == rows.value) & (np.abs(rows.value) <= GREATEST_GRADE)
        if not whole.all():
            at = int(np.flatnonzero(~whole)[0])
            self._wrong_value(rows, at, given(at), f"is no whole number up to {GREATEST_GRADE}")

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
