"""Records of a file, whatever holds them: JSONL, JSON, CSV, Parquet, each possibly gzipped."""

from __future__ import annotations

import csv
import gzip
import io
import math
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.text.files import as_utf8, opened, without_bom
from ragproof.text.strict_json import parse

WRAPPERS = ("data", "examples", "items", "goldens", "test_cases", "testset", "samples", "rows")
"""Keys under which an export keeps its records."""
GUARDED = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for a formula; our own export puts an apostrophe before it."""


def records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where each record stands and what it holds; raises UsageError with the place."""
    match kind(path):
        case ".csv" | ".tsv":
            yield from _of_table(path)
        case ".parquet":
            yield from _of_parquet(path)
        case ".json":
            yield from _of_document(path)
        case _:
            for place, value in json_lines(path):
                yield place, _mapping(value, place)


def kind(path: Path) -> str:
    """The suffix that says what a file is; `.gz` says only how it is packed."""
    return Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def lines(path: Path) -> Iterator[tuple[int, str]]:
    r"""Number and text of each line that is not blank; lines end at `\n` or `\r\n`."""
    with opened(path) as file:
        stream = gzip.GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else file
        try:
            for number, raw in enumerate(stream, 1):
                line = without_bom(raw, path) if number == 1 else raw
                if line and not line.isspace():
                    yield number, as_utf8(line, path, number).rstrip("\r\n")
        except (OSError, EOFError, zlib.error) as fault:
            raise UsageError(f"{path}: not readable as gzip: {fault}") from None


def whole_text(path: Path) -> str:
    """The text of a file, unpacked."""
    with opened(path) as file:
        raw = file.read()
    if path.suffix.lower() == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as fault:
            raise UsageError(f"{path}: not readable as gzip: {fault}") from None
    return as_utf8(without_bom(raw, path), path)


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Place and value of each line."""
    for number, text in lines(path):
        place = f"{path}:{number}"
        yield place, _parsed(text, place)


def _of_document(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """A list of records, or an object with one under a usual key, perhaps one level down."""
    text = whole_text(path)
    try:
        found = parse(text)
    except ValueError:
        if "\n{" in text.strip():  # JSON Lines by another name
            for place, value in json_lines(path):
                yield place, _mapping(value, place)
            return
        raise UsageError(f"{path}: {_why(text)}") from None
    listed = _listed(found)
    if listed is None:
        raise UsageError(
            f"{path}: got {shown(found)}; allowed: a list of records, or an object with one under "
            f"{', '.join(WRAPPERS)}"
        )
    for number, value in enumerate(listed, 1):
        place = f"{path}: record {number}"
        yield place, _mapping(value, place)


def _listed(found: object, depth: int = 2) -> list[Any] | None:
    if isinstance(found, list):
        return found
    if isinstance(found, dict) and depth:
        for key in WRAPPERS:
            if key in found and (inner := _listed(found[key], depth - 1)) is not None:
                return inner
    return None


def _why(text: str) -> str:
    try:
        parse(text)
    except ValueError as fault:
        return str(fault)
    return ""


def _of_table(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    text = whole_text(path)
    delimiter = _delimiter(text, path)
    csv.field_size_limit(2**31 - 1)
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        titles = next(table, [])
        while titles and not titles[-1].strip():  # columns that a spreadsheet leaves at the end
            titles.pop()
        if len({*titles}) != len(titles):
            twice = next(name for name in titles if titles.count(name) > 1)
            raise UsageError(f"{path}:1: the column {shown(twice)} is there twice")
        for cells in table:
            if not any(cells):
                continue
            if not any(cells[len(titles) :]):
                del cells[len(titles) :]
            place = f"{path}:{table.line_num}"
            if len(cells) != len(titles):
                got = counted(len(cells), "cell")
                raise UsageError(f"{place}: got {got}; allowed: {len(titles)}")
            row = zip(titles, cells, strict=True)
            yield (
                place,
                {name: _cell(cell) if cell[:1] == "'" else cell or None for name, cell in row},
            )
    except csv.Error as fault:
        raise UsageError(f"{path}:{table.line_num}: {fault}") from None


def _delimiter(text: str, path: Path) -> str:
    """What parts the cells: spreadsheets of some countries write `;` into what they call CSV."""
    if kind(path) == ".tsv":
        return "\t"
    first = text.partition("\n")[0]
    return next((one for one in ";\t" if one in first and "," not in first), ",")


def _cell(text: str) -> str:
    """A cell that begins with an apostrophe; the guard against formulas is taken off."""
    bare = text.lstrip("'")
    return text[1:] if bare.startswith(GUARDED) else text


def _of_parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415  heavy, and an extra
    except ModuleNotFoundError:
        raise UsageError(
            'Parquet needs pyarrow: pip install "ragproof[parquet]"; csv and jsonl need nothing'
        ) from None
    number = 0
    with opened(path) as file:
        try:
            for batch in parquet.ParquetFile(file).iter_batches(5_000):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}: row {number}", {name: _json(one) for name, one in row.items()}
        except ArrowException as fault:
            raise UsageError(f"{path}: not Parquet: {fault}") from None


def _json(value: Any) -> Any:  # noqa: ANN401  whatever a column of Parquet may hold
    """A value as JSON has it: times as ISO 8601, decimals and bytes as text, NaN as nothing."""
    match value:
        case str() | int() | None:
            return value
        case float():
            return value if math.isfinite(value) else None
        case list() | tuple():
            return [_json(one) for one in value]
        case Mapping():
            return {str(key): _json(one) for key, one in value.items()}
        case date() | time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return str(value)


def _parsed(text: str, place: str) -> Any:  # noqa: ANN401  any JSON value
    try:
        return parse(text)
    except ValueError as fault:
        raise UsageError(f"{place}: {fault}") from None


def _mapping(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: got {shown(value)}; allowed: an object")
    return dict(value)
