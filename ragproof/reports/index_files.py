"""What was measured of an index, written to files: a row a query, a drawing of the frontier."""

from __future__ import annotations

import codecs
import csv
import json
from pathlib import Path

from ragproof.core import UsageError
from ragproof.index.advice import Study
from ragproof.index.verdict import IndexRecall
from ragproof.reports.index_chart import frontier_svg
from ragproof.reports.index_json import query_record
from ragproof.reports.table_files import FORMULA
from ragproof.text.files import whole, write_whole

FORMS = (".csv", ".jsonl")


def refuse_form(path: Path) -> None:
    """Raise UsageError for a file whose name does not say how to write it."""
    if path.suffix.casefold() not in FORMS:
        raise UsageError(f"{path}: the name must end in {' or '.join(FORMS)}")


def write_queries(path: Path, found: IndexRecall) -> None:
    """Write a row a query; raises RunError where the file cannot be written."""
    records = [query_record(one) for one in found.queries]
    with whole(path) as file:
        if path.suffix.casefold() == ".jsonl":
            file.writelines(f"{json.dumps(one)}\n".encode() for one in records)
            return
        sheet = csv.writer(codecs.getwriter("utf-8")(file))
        sheet.writerow(records[0])
        for one in records:
            sheet.writerow([_cell(value) for value in one.values()])


def write_frontier(path: Path, study: Study) -> None:
    """Draw recall against speed; raises RunError where the file cannot be written."""
    write_whole(path, frontier_svg(study))


def _cell(value: object) -> object:
    """A list as JSON; no text begins like a formula."""
    text = json.dumps(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(FORMULA) else text
