"""Ontologies as a table, a row a child and a parent of it: CSV, or TSV by its suffix."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from ragproof.core import Entity, UsageError
from ragproof.datasets.ontology_found import Found
from ragproof.text.counting import counted
from ragproof.text.faults import shown

HINT = "Write a line `child,parent` for each; one without a parent is a root"
COLUMNS = ("child", "parent", "name", "synonyms")
"""The first may be called `id`. Synonyms are parted by `|`."""


_PARTED = re.compile(r"[;\t]")
"""What parts columns in files that are no CSV with commas."""


def read(text: str, path: Path) -> Found:
    """Read the rows; a parent that is nobody's child is a root.

    Raises UsageError that names the line at fault.
    """
    parents: dict[str, dict[str, None]] = {}
    names: dict[str, str] = {}
    synonyms: dict[str, dict[str, None]] = {}
    for line, row in _rows(text, path):
        child, parent = row["child"], row.get("parent", "")
        if not child:
            raise UsageError(f"{path}:{line}: child: got {shown(child)}; allowed: an id")
        known = parents.setdefault(child, {})
        if parent:
            known[parent] = None
        if (name := row.get("name")) and names.setdefault(child, name) != name:
            raise UsageError(
                f"{path}:{line}: name: got {shown(name)} for {child!r}, which is "
                f"{shown(names[child])} above; allowed: one name an id"
            )
        for said in filter(None, map(str.strip, row.get("synonyms", "").split("|"))):
            synonyms.setdefault(child, {})[said] = None
    for up in [up for known in parents.values() for up in known]:
        parents.setdefault(up, {})
    entities = [
        Entity(one, names.get(one), tuple(up), tuple(synonyms.get(one, ())))
        for one, up in parents.items()
    ]
    return Found(entities, HINT)


def _rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells by column; without a header the columns are child and parent."""
    suffix = PurePath(path.name.removesuffix(".gz")).suffix.lower()
    reader = csv.reader(io.StringIO(text), delimiter="\t" if suffix == ".tsv" else ",", strict=True)
    columns: tuple[str, ...] | None = None
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if columns is None and len(cells) == 1 and (sign := _PARTED.search(cells[0])):
                got = f"got one column with {shown(sign[0])} in it"
                told = "columns parted by commas, or by tabs in a file that ends in .tsv"
                raise UsageError(f"{path}:{reader.line_num}: {got}; allowed: {told}")
            if columns is None and (columns := _header(cells, path)) != COLUMNS[:2]:
                continue
            if columns == COLUMNS[:2] and _is_header(cells):
                continue
            if len(cells) > len(columns):
                got = f"got {counted(len(cells), 'cell')}; allowed: {', '.join(columns)}"
                raise UsageError(f"{path}:{reader.line_num}: {got}")
            yield reader.line_num, dict(zip(columns, cells, strict=False))
    except csv.Error as fault:
        raise UsageError(f"{path}:{reader.line_num}: not CSV: {fault}") from None


def _is_header(cells: list[str]) -> bool:
    first, second = [cell.casefold() for cell in [*cells, "", ""][:2]]
    return first in ("child", "id") and second in ("parent", "parents", *COLUMNS[2:])


def _header(cells: list[str], path: Path) -> tuple[str, ...]:
    if not _is_header(cells):
        return COLUMNS[:2]
    called = {"id": "child", "parents": "parent"}
    columns = tuple(called.get(one, one) for one in map(str.casefold, cells))
    if (set(columns) - set(COLUMNS)) or len(set(columns)) != len(columns):
        raise UsageError(f"{path}:1: got columns {', '.join(cells)}; allowed: {', '.join(COLUMNS)}")
    return columns
