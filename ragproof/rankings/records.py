"""JSON Lines: an object a line, with the names that columns have elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from ragproof.rankings.blocks import unpacked
from ragproof.rankings.columns import by_name, given_by, identifier, table_rows
from ragproof.rankings.decimals import double
from ragproof.rankings.delimited import AT_ONCE
from ragproof.rankings.origin import VALUE, Kind, Origin
from ragproof.rankings.rows import Rows
from ragproof.text.files import without_bom

Record: TypeAlias = tuple[int, Mapping[str, Any]]
"""A line's number and object."""


def jsonl(path: Path, kind: Kind) -> Iterator[Rows]:
    """Read a qrels or run file; raises UsageError that names the line at fault."""
    origin = Origin(str(path), kind)
    records = _records(path, origin)
    if (first := next(records, None)) is None:
        return
    names = list(first[1])
    columns = by_name(names, origin, first[0])
    keys = tuple(names[at] for at in (columns.query, columns.document, columns.value))
    some = [first, *islice(records, AT_ONCE)]
    while some:
        yield _rows(some, keys, columns.sign, origin)
        some = list(islice(records, AT_ONCE))


def _records(path: Path, origin: Origin) -> Iterator[Record]:
    with unpacked(path) as file:
        for line, raw in enumerate(file, 1):
            text = without_bom(raw, path) if line == 1 else raw
            if text.isspace() or not text:
                continue
            try:
                record = json.loads(text)
            except (ValueError, RecursionError) as fault:
                origin.wrong(line, f"not JSON: {fault}")
            if not isinstance(record, dict):
                origin.wrong(line, "not a JSON object")
            yield line, record


def _rows(records: list[Record], keys: tuple[str, ...], sign: float, origin: Origin) -> Rows:
    lines, objects = zip(*records, strict=True)
    try:
        queries, documents, values = zip(*map(itemgetter(*keys), objects), strict=True)
    except KeyError as fault:
        line = next(line for line, record in records if fault.args[0] not in record)
        origin.wrong(line, f"no {fault.args[0]!r}")
    ids = tuple(
        [identifier(one, name, line, origin) for line, one in zip(lines, column, strict=True)]
        for name, column in zip(keys, (queries, documents), strict=False)
    )
    for line, value in zip(lines, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float):
            origin.wrong(line, f"the {VALUE[origin.kind]} {value!r} is not a number")
    numbers = [sign * double(value) for value in values]
    return origin.checked(table_rows((ids[0], ids[1]), numbers, lines), given_by(values))
