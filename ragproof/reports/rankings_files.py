"""The value of each query in a file."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ragproof.core import UsageError
from ragproof.rankings.evaluation import Evaluated
from ragproof.reports.table_files import FORMULA
from ragproof.text.files import whole

FORMS = (".csv", ".jsonl")


def refuse_form(path: Path) -> None:
    """Raise UsageError for a file whose name does not say how to write it."""
    if path.suffix.casefold() not in FORMS:
        raise UsageError(f"{path}: the name must end in {' or '.join(FORMS)}")


def write_queries(path: Path, run: Evaluated, against: Evaluated | None = None) -> None:
    """Write a row a query, in the order of the qrels: documents returned, and each measure.

    Raises RunError where the file cannot be written.
    """
    with whole(path) as file:
        if path.suffix.casefold() == ".csv":
            _write_csv(file, run, against)
        else:
            _write_jsonl(file, run, against)


def _write_csv(file: BinaryIO, run: Evaluated, against: Evaluated | None) -> None:
    r"""Write RFC 4180: UTF-8, a header line, `\r\n`; no cell begins like a formula."""
    sheet = csv.writer(codecs.getwriter("utf-8")(file))
    titles = ["query_id", "returned", *run.values]
    if against is not None:
        titles += [f"{title} (against)" for title in titles[1:]]
    sheet.writerow(titles)
    for query, ours, theirs in _lines(run, against):
        name = f"'{query}" if query.startswith(FORMULA) else query
        sheet.writerow([name, *ours.values(), *(theirs or {}).values()])


def _write_jsonl(file: BinaryIO, run: Evaluated, against: Evaluated | None) -> None:
    for query, ours, theirs in _lines(run, against):
        record: dict[str, Any] = {"query_id": query, **_record(ours)}
        if theirs is not None:
            record["against"] = _record(theirs)
        file.write(f"{json.dumps(record)}\n".encode())


def _record(values: Mapping[str, float]) -> dict[str, Any]:
    metrics = dict(values)
    return {"returned": metrics.pop("returned"), "metrics": metrics}


def _lines(
    run: Evaluated, against: Evaluated | None
) -> Iterator[tuple[str, Mapping[str, float], Mapping[str, float] | None]]:
    """Yield each query and its values in the one run and the other."""
    ours = _values(run)
    theirs = None if against is None else _values(against)
    for query in run.queries:
        yield query, next(ours), None if theirs is None else next(theirs)


def _values(run: Evaluated) -> Iterator[Mapping[str, float]]:
    columns = [run.returned.tolist(), *(values.tolist() for values in run.values.values())]
    names = ("returned", *run.values)
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
