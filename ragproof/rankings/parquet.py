"""Parquet, whose columns of text are already what the rest of this room works on."""

from __future__ import annotations

from collections.abc import Iterator
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ragproof.core import UsageError
from ragproof.rankings.blocks import unpacked
from ragproof.rankings.columns import by_name, given_by
from ragproof.rankings.origin import Kind, Origin
from ragproof.rankings.rows import PAD, Bytes, Fields, Ints, Rows

AT_ONCE = 32_768
"""Rows that are in memory."""


def parquet(path: Path, kind: Kind) -> Iterator[Rows]:
    """Read a qrels or run file; raises UsageError that names the row at fault, from 1."""
    origin, arrow = Origin(str(path), kind, "row"), _pyarrow()
    with _opened(path, arrow) as file:
        names = file.schema_arrow.names
        columns = by_name(names, origin)
        wanted = [names[at] for at in (columns.query, columns.document, columns.value)]
        first = 1
        for batch in file.iter_batches(AT_ONCE, columns=wanted):
            table = {name: batch.column(name) for name in wanted}
            lines = np.arange(first, first + batch.num_rows)
            ids = [_texts(table[name], name, arrow, origin, first) for name in wanted[:2]]
            value = columns.sign * _values(table[wanted[2]], wanted[2], arrow, origin, first)
            if lines.size:
                yield origin.checked(_together(ids, value, lines), given_by(value))
            first += batch.num_rows


def _together(ids: list[tuple[Bytes, Fields]], value: Any, lines: Ints) -> Rows:  # noqa: ANN401
    (queries, query), (documents, document) = ids
    text = np.concatenate([queries, documents, np.zeros(PAD, dtype=np.uint8)])
    moved = Fields(document.start + queries.size, document.length)
    return Rows(text, query, moved, value, lines)


def _texts(column: Any, name: str, arrow: Any, origin: Origin, first: int) -> tuple[Bytes, Fields]:  # noqa: ANN401
    """The bytes of a column, and where in them each value is."""
    kind = column.type
    if arrow.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if arrow.types.is_floating(kind) or arrow.types.is_nested(kind):
        origin.wrong(first, f"{name!r} is a column of {kind}; an id is text or a whole number")
    _refuse_nulls(column, name, origin, first)
    whole = column.cast(arrow.large_string())
    _, ends, data = whole.buffers()
    offsets = np.frombuffer(ends, np.int64)[whole.offset : whole.offset + len(whole) + 1]
    held = np.frombuffer(data if data is not None else b"", np.uint8)[offsets[0] : offsets[-1]]
    return held, Fields(offsets[:-1] - offsets[0], np.diff(offsets))


def _values(column: Any, name: str, arrow: Any, origin: Origin, first: int) -> Any:  # noqa: ANN401
    kind = column.type
    if not (arrow.types.is_integer(kind) or arrow.types.is_floating(kind)):
        origin.wrong(first, f"{name!r} is a column of {kind}; it must hold numbers")
    _refuse_nulls(column, name, origin, first)
    return column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False)


def _refuse_nulls(column: Any, name: str, origin: Origin, first: int) -> None:  # noqa: ANN401
    if column.null_count:
        at = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        origin.wrong(first + at, f"{name!r} is null")


def _opened(path: Path, arrow: Any) -> Any:  # noqa: ANN401
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415  heavy, and an extra

    try:
        with unpacked(path) as file:
            packed = isinstance(file, GzipFile)
            return ParquetFile(BytesIO(file.read()) if packed else path)
    except (OSError, arrow.ArrowInvalid) as fault:
        raise UsageError(f"{path}: the file cannot be read as Parquet: {fault}") from fault


def _pyarrow() -> Any:  # noqa: ANN401
    try:
        import pyarrow  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(
            'Parquet needs pyarrow: pip install "ragproof[parquet]"; '
            "trec, csv, tsv and jsonl need nothing"
        ) from None
    return pyarrow
