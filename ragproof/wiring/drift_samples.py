"""Read a sample for `ragproof drift`: vectors or texts, from whatever holds them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ragproof.core import UsageError
from ragproof.core.arrays import Floats
from ragproof.datasets.imports.mapped import within
from ragproof.datasets.imports.records import records
from ragproof.datasets.imports.tables import OTHERS
from ragproof.index.vectors import VECTOR_NAMES, Values, Vectors, read_vectors
from ragproof.text.faults import shown
from ragproof.text.files import opened

TEXTS = (*OTHERS["question"], "text", "claim")
IDS = OTHERS["id"]
GROUPS = ("group", "session_id", "session", "conversation_id", "thread_id")
MODELS = ("model", "encoder", "embedding_model")
"""Columns that say which model made the vectors."""
CHANGING = ("release",)
"""Tags that change by themselves: of those, only what is asked for is compared."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns are meant, where their names are not the usual ones."""

    text: str | None = None
    group: str | None = None
    tags: tuple[str, ...] = ()
    """Columns that are tags, too."""
    without: tuple[str, ...] = ()
    """Tags that are not compared, besides those that change by themselves."""
    numbers: tuple[str, ...] = ()
    """Columns whose distribution is compared, too."""


USUAL = Columns()


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Rows of a file; texts or vectors, or both."""

    source: str
    ids: tuple[str, ...]
    texts: tuple[str, ...] | None = None
    vectors: Values | None = None
    tags: tuple[Mapping[str, str], ...]
    groups: tuple[str | None, ...]
    numbers: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    model: str | None = None
    named: bool = False
    """Whether the ids were given, and are not just row numbers."""
    unread_tags: int = 0
    """Rows whose `tags` are no object of names and values."""

    def __len__(self) -> int:
        return len(self.ids)


def read_sample(path: Path, columns: Columns = USUAL) -> Sample:
    """Read `.npy`, `.npz` or rows of JSONL, JSON, CSV or Parquet; raises UsageError otherwise.

    Rows with a `vector` or `embedding` are vectors; else the text is in the column that is named,
    or the first of the usual ones.
    """
    suffix = Path(str(path).partition(".npz:")[0]).suffix if ".npz:" in str(path) else path.suffix
    if ".npz:" in str(path) or suffix.casefold() == ".npz":
        return _of_vectors(archived(path), columns)
    if suffix.casefold() == ".npy" or _has_vectors(path):
        return _of_vectors(read_vectors(path), columns)
    return _of_rows(path, columns)


def _has_vectors(path: Path) -> bool:
    first = next((row for _, row in records(path)), {})
    found = any(name in first for name in VECTOR_NAMES)
    if found and path.suffix.casefold() not in {".jsonl", ".parquet"}:
        raise UsageError(
            f"{path}: vectors are read from .npy, .npz, .jsonl and .parquet; rename or convert it"
        )
    return found


def archived(path: Path) -> Vectors:
    """Read `FILE.npz`, or one array of it as `FILE.npz:NAME`; ids are in `ids` or `NAME_ids`."""
    name = ""
    if ".npz:" in str(path):
        file, _, name = str(path).partition(".npz:")
        path = Path(f"{file}.npz")
    with opened(path):
        pass
    try:
        with np.load(path, allow_pickle=False) as archive:
            held = {key: archive[key] for key in archive.files}
    except (ValueError, OSError, EOFError, BadZipFile) as fault:
        raise UsageError(f"{path}: the file cannot be read as .npz: {fault}") from fault
    tables = [key for key, one in held.items() if one.ndim == 2]
    if not name and len(tables) == 1:
        name = tables[0]
    if name not in tables:
        raise UsageError(
            f"{path}: got {shown(name) if name else 'no name'}; allowed: FILE.npz:NAME with NAME "
            f"one of {', '.join(tables) or '(the file has no array of vectors)'}"
        )
    ids = next((held[key] for key in (f"{name}_ids", "ids") if key in held), None)
    columns: dict[str, Sequence[object]] = {}
    if (model := next((held[key] for key in MODELS if key in held), None)) is not None:
        columns[MODELS[0]] = [str(model)] * len(held[name])
    named = None if ids is None else [str(one) for one in ids.tolist()]
    return Vectors.of(
        held[name], f"{path}:{name}" if len(tables) > 1 else str(path), named, columns
    )


def _of_vectors(vectors: Vectors, columns: Columns) -> Sample:
    rows = [
        {name: column[at] for name, column in vectors.columns.items()} for at in range(len(vectors))
    ]
    places = [f"{vectors.source}: row {at} (from 0)" for at in range(len(vectors))]
    found = [_text(row, columns) for row in rows] if vectors.columns else []
    texts = tuple(one for one in found if one is not None)
    return Sample(
        source=vectors.source,
        ids=vectors.ids,
        texts=texts if len(texts) == len(vectors) else None,
        vectors=vectors.values,
        tags=_tags(rows, columns, vectors.source),
        groups=_groups(rows, columns, vectors.source),
        numbers=_numbers(rows, places, columns),
        model=_model(rows, vectors.source),
        named=vectors.named,
        unread_tags=_unread(rows),
    )


def _of_rows(path: Path, columns: Columns) -> Sample:
    read = list(records(path))
    places, rows = [place for place, _ in read], [row for _, row in read]
    texts = []
    for place, row in read:
        if (text := _text(row, columns)) is None:
            wanted = columns.text or ", ".join(TEXTS)
            raise UsageError(
                f"{place}: there is no text; allowed: a text in {wanted}, or a list of numbers in "
                f"{' or '.join(VECTOR_NAMES)}. --text COLUMN names another"
            )
        texts.append(text)
    if not rows:
        raise UsageError(f"{path}: the file has no rows")
    ids = [_first(row, IDS) for row in rows]
    return Sample(
        source=str(path),
        ids=tuple(str(at) if one is None else one for at, one in enumerate(ids)),
        named=None not in ids,
        texts=tuple(texts),
        tags=_tags(rows, columns, str(path)),
        groups=_groups(rows, columns, str(path)),
        numbers=_numbers(rows, places, columns),
        unread_tags=_unread(rows),
    )


def _text(row: Mapping[str, Any], columns: Columns) -> str | None:
    names = TEXTS if columns.text is None else (columns.text,)
    for name in names:
        found = within(row, name)
        if isinstance(found, str) and found.strip():
            return found
    return None


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    for name in names:
        found = within(row, name)
        if isinstance(found, str | int) and not isinstance(found, bool) and found != "":
            return str(found)
    return None


def _tags(
    rows: Sequence[Mapping[str, Any]], columns: Columns, source: str
) -> tuple[Mapping[str, str], ...]:
    others = [
        name for name in columns.tags if all(within(row, f"tags.{name}") is None for row in rows)
    ]
    _refuse_absent(rows, others, "--tag", source)
    return tuple(
        {
            str(name): str(value)
            for name, value in chain(
                _mapping(row.get("tags")).items(),
                ((name[5:], value) for name, value in row.items() if name.startswith("tags.")),
                ((name, within(row, name)) for name in columns.tags),
            )
            if isinstance(value, str | int | float) and value != ""
        }
        for row in rows
    )


def changing(samples: Sequence[Sample], columns: Columns) -> tuple[str, ...]:
    """Tags of the samples that change by themselves, and that nobody asked for."""
    there = {name for sample in samples for tags in sample.tags for name in tags}
    return tuple(name for name in CHANGING if name in there and name not in columns.tags)


def without_tags(samples: Sequence[Sample], names: Sequence[str]) -> list[Sample]:
    """Leave out tags that are not to be compared; UsageError where no sample has one."""
    for name in names:
        if not any(name in tags for sample in samples for tags in sample.tags):
            raise UsageError(f"--no-tag: no row has a tag {shown(name)}")
    return [
        replace(
            sample,
            tags=tuple(
                {name: value for name, value in tags.items() if name not in names}
                for tags in sample.tags
            ),
        )
        for sample in samples
    ]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _unread(rows: Sequence[Mapping[str, Any]]) -> int:
    tags = (row.get("tags") for row in rows)
    return sum(one not in (None, "") and not isinstance(one, Mapping) for one in tags)


def _groups(
    rows: Sequence[Mapping[str, Any]], columns: Columns, source: str
) -> tuple[str | None, ...]:
    if columns.group is not None:
        _refuse_absent(rows, (columns.group,), "--group", source)
    names = GROUPS if columns.group is None else (columns.group,)
    return tuple(_first(row, names) for row in rows)


def _refuse_absent(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], flag: str, source: str
) -> None:
    for name in names:
        if all(within(row, name) is None for row in rows):
            raise UsageError(f"{flag}: no row of {source} has a column {shown(name)}")


def _numbers(
    rows: Sequence[Mapping[str, Any]], places: Sequence[str], columns: Columns
) -> dict[str, Floats]:
    found: dict[str, Floats] = {}
    for name in columns.numbers:
        values = [
            _number(within(row, name), f"{place}: {name}")
            for place, row in zip(places, rows, strict=True)
        ]
        found[name] = np.array(values, dtype=np.float64)
    return found


def _number(value: object, where: str) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or isinstance(value, bool):
        raise UsageError(f"{where}: got {shown(value)}; allowed: a finite number in every row")
    return number


def _model(rows: Sequence[Mapping[str, Any]], source: str) -> str | None:
    named = sorted({one for row in rows if (one := _first(row, MODELS)) is not None})
    if len(named) > 1:
        raise UsageError(
            f"{source}: the vectors are of several models ({', '.join(named[:3])}); give those of "
            "one"
        )
    return named[0] if named else None
