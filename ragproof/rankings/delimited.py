"""CSV and TSV, with a header line or without."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from math import isnan
from pathlib import Path
from typing import TypeAlias, cast

from ragproof.core import UsageError
from ragproof.rankings.blocks import unpacked
from ragproof.rankings.columns import Columns, by_name, given_by, is_known, table_rows
from ragproof.rankings.decimals import number
from ragproof.rankings.origin import Kind, Origin
from ragproof.rankings.rows import Rows
from ragproof.rankings.trec import COLUMNS as TREC_COLUMNS
from ragproof.rankings.trec import WANTED
from ragproof.text.counting import counted
from ragproof.text.files import without_bom

AT_ONCE = 20_000
"""Rows that are in memory."""
PLAIN = 3
"""Columns of a file without a header that is not TREC's: query, document and value."""
Record: TypeAlias = tuple[int, list[str]]
"""A line's number and cells."""


def delimited(path: Path, kind: Kind, delimiter: str) -> Iterator[Rows]:
    """Read a qrels or run file; raises UsageError that names the line at fault.

    Without a header the columns are query, document and value, or those of TREC.
    """
    origin = Origin(str(path), kind)
    records = _records(path, delimiter)
    if (first := next(records, None)) is None:
        return
    headed = any(map(is_known, first[1]))
    columns = by_name(first[1], origin, first[0]) if headed else _by_place(first, origin)
    some = [] if headed else [first]
    some += islice(records, AT_ONCE)
    if not headed and kind is Kind.RUN:
        _refuse_places(some, columns, origin)
    while some:
        yield _rows(some, columns, len(first[1]), origin)
        some = list(islice(records, AT_ONCE))


def _records(path: Path, delimiter: str) -> Iterator[Record]:
    """Yield the lines that are not blank; bytes that are not UTF-8 survive in ids."""
    with unpacked(path) as file:
        without_bom(cast("io.BufferedReader", file).peek(4)[:4], path)
        text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="")
        if delimiter == "\t":  # quotes are part of what they stand in
            reader = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
        else:
            reader = csv.reader(text, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                if cells:
                    yield reader.line_num, cells
        except csv.Error as fault:
            raise UsageError(f"{path}:{reader.line_num}: {fault}") from fault


def _by_place(first: Record, origin: Origin) -> Columns:
    line, cells = first
    trec = len(TREC_COLUMNS[origin.kind])
    if len(cells) not in {PLAIN, trec}:
        got = counted(len(cells), "column")
        said = f"{got} and no header; without one there are {PLAIN} or TREC's {trec}"
        origin.wrong(line, said)
    columns = Columns(0, 1, 2) if len(cells) == PLAIN else Columns(*WANTED[origin.kind])
    value = cells[columns.value]
    if isnan(_number(value)) and "nan" not in value.casefold():
        by_name(cells, origin, line)  # a header of names that nobody knows; says which are known
    return columns


def _refuse_places(some: Sequence[Record], columns: Columns, origin: Origin) -> None:
    """Raise UsageError where the first query's scores are 1, 2, 3, ...: it would be upside down."""
    query = some[0][1][columns.query]
    mine = takewhile(lambda one: one[1][columns.query] == query, some)
    scores = [_number(cells[columns.value]) for _, cells in mine if len(cells) > columns.value]
    if len(scores) > 1 and scores == list(range(1, len(scores) + 1)):
        said = "the scores look like places (1, 2, ...). Give the file a header line that says "
        origin.wrong(some[0][0], f"{said}'rank', or 'score' if the greater is the better")


def _rows(records: Sequence[Record], columns: Columns, width: int, origin: Origin) -> Rows:
    lines, cells = zip(*records, strict=True)
    for line, row in records:
        if len(row) != width:
            origin.wrong(line, f"{counted(len(row), 'column')}; the first line has {width}")
    queries, documents, values = (
        [row[at] for row in cells] for at in (columns.query, columns.document, columns.value)
    )
    numbers = [columns.sign * _number(value) for value in values]
    return origin.checked(table_rows((queries, documents), numbers, lines), given_by(values))


def _number(cell: str) -> float:
    return number(cell.encode("utf-8", "surrogateescape"))
