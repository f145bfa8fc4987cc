"""The outcomes of a run as a table in a file: one row for each case and metric."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, TypeAlias

from ragproof.core import Failed, Finished, RunHeader, Scored, Status, UsageError

Cells: TypeAlias = Mapping[str, Any]
"""Column to value, or None; `tags` and `evidence` are mappings."""

COLUMNS: Mapping[str, str] = {
    "run_id": "string",
    "label": "string",
    "level": "string",
    "case_id": "string",
    "repeat": "int32",
    "kind": "string",
    "tags": "json",
    "group": "string",
    "metric": "string",
    "status": "string",
    "value": "float64",
    "weight": "float64",
    "applies": "bool_",
    "cause": "string",
    "reason": "string",
    "evidence": "json",
}
"""Column to its type. `case_id` holds the name of the group or set where `level` says so."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula."""
BATCH = 10_000
"""Rows of a Parquet file that are in memory."""


def rows(header: RunHeader, saved: Iterable[Finished]) -> Iterator[Cells]:
    """Lay out what was saved, one row for each subject and metric key."""
    for one in saved:
        case = one.run.case if one.run is not None else None
        about = {
            "run_id": header.id,
            "label": header.label,
            "level": str(one.level),
            "case_id": one.subject,
            "repeat": one.run.repeat if one.run is not None else 0,
            "kind": str(case.kind) if case is not None else None,
            "tags": dict(case.tags) if case is not None else {},
            "group": case.group if case is not None else None,
        }
        for row in one.rows:
            outcome = row.outcome
            scored = outcome if isinstance(outcome, Scored) else None
            failed = outcome if isinstance(outcome, Failed) else None
            yield {
                **about,
                "metric": row.key,
                "status": Status.of(outcome).name.lower(),
                "value": scored.value if scored else None,
                "weight": scored.weight if scored else None,
                "applies": row.applies,
                "cause": str(failed.cause) if failed else None,
                "reason": failed.message if failed else getattr(outcome, "reason", None),
                "evidence": getattr(outcome, "evidence", {}),
            }


def write_jsonl(table: Iterable[Cells], file: BinaryIO) -> None:
    """Write a JSON object a line, ASCII only, so that any text survives."""
    for cells in table:
        file.write(f"{json.dumps(cells)}\n".encode())


def write_csv(table: Iterable[Cells], file: BinaryIO) -> None:
    r"""Write RFC 4180: UTF-8, a header line, `\r\n`; JSON in the columns `tags` and `evidence`.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    sheet = csv.writer(codecs.getwriter("utf-8")(file))
    sheet.writerow(COLUMNS)
    for cells in table:
        sheet.writerow([_cell(cells[name]) for name in COLUMNS])


def write_parquet(table: Iterable[Cells], file: BinaryIO) -> None:
    """Write Parquet; JSON text in the columns `tags` and `evidence`."""
    arrow, parquet = _pyarrow()
    types = {name: "string" if kind == "json" else kind for name, kind in COLUMNS.items()}
    schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in types.items()])
    left = iter(table)
    with parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(left, BATCH)):
            plain = [{name: _value(cell) for name, cell in cells.items()} for cells in batch]
            writer.write_batch(arrow.RecordBatch.from_pylist(plain, schema=schema))


FORMATS: Mapping[str, Callable[[Iterable[Cells], BinaryIO], None]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "jsonl": write_jsonl,
}


def refuse_missing(form: str) -> None:
    """Raise UsageError where a format needs a package that is not installed."""
    if form == "parquet":
        _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as arrow  # noqa: PLC0415  heavy, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(
            'Parquet needs pyarrow: pip install "ragproof[parquet]"; csv and jsonl need nothing'
        ) from None
    return arrow, parquet


def _value(value: object) -> object:
    """What a column holds: mappings as JSON, text without what UTF-8 cannot carry."""
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def _cell(value: object) -> object:
    match _value(value):
        case None:
            return ""
        case bool() as flag:
            return "true" if flag else "false"
        case str() as text:
            text = text.replace("\0", "\\x00")
            return f"'{text}" if text.startswith(FORMULA) else text
        case number:
            return number
