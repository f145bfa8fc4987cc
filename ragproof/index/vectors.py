"""Vectors with ids, read from a file; rows are counted from 0, as numpy does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ragproof.core import UsageError
from ragproof.index.lines import objects
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.text.files import opened

Values: TypeAlias = NDArray[Any]
"""Real numbers of any width, one row a vector."""
Places: TypeAlias = NDArray[np.intp]
"""Rows of `Values`; -1 is none."""

ID_NAMES = ("id", "_id", "document_id", "query_id")
VECTOR_NAMES = ("vector", "embedding")
AT_ONCE = 8_192
"""Rows that are looked at together, so that a file larger than memory can be read."""
GREATEST = 1e100
"""Squares of what is larger add up to more than a double holds."""


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """Vectors of one length, all finite, each with an id of its own."""

    ids: tuple[str, ...]
    values: Values
    source: str
    """What messages call them: the file."""
    columns: Mapping[str, Sequence[object]] = field(default_factory=dict[str, Sequence[object]])
    """What else was told of each, by name."""
    named: bool = False
    """Whether the ids were given, and are not just row numbers."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        return int(self.values.shape[1])

    @classmethod
    def of(
        cls,
        values: Values,
        source: str,
        ids: Sequence[str] | None = None,
        columns: Mapping[str, Sequence[object]] | None = None,
    ) -> Vectors:
        """Check and take them; raises UsageError that names the row at fault."""
        _check(values, source)
        if ids is None:
            names = tuple(map(str, range(len(values))))
        else:
            names = _distinct(ids, len(values), source)
        return cls(
            ids=names, values=values, source=source, columns=columns or {}, named=ids is not None
        )


def read_vectors(path: Path, ids: Path | None = None) -> Vectors:
    """Read `.npy`, `.parquet` or `.jsonl`; ids are row numbers where none are given.

    Parquet and JSONL have a column `id` and a column `vector` (or `embedding`); the other columns
    are kept for filters. `ids` is a file with one id a line, or a `.npy` of them.
    """
    match path.suffix.casefold():
        case ".npy":
            found = Vectors.of(array(path), str(path))
        case ".parquet":
            from ragproof.index.arrow import table  # noqa: PLC0415  for this kind of file only

            found = _named(table(path), path)
        case ".jsonl":
            found = _named(_columns(path), path)
        case _:
            raise UsageError(f"{path}: the name must end in .npy, .parquet or .jsonl")
    if ids is None:
        return found
    return Vectors.of(found.values, str(path), _ids(ids), found.columns)


def array(path: Path) -> Values:
    """Map a `.npy` file into memory; nothing pickled is ever loaded."""
    with opened(path):
        pass
    try:
        return np.asanyarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (ValueError, OSError, EOFError) as fault:
        raise UsageError(f"{path}: the file cannot be read as .npy: {fault}") from fault


def _ids(path: Path) -> list[str]:
    if path.suffix.casefold() == ".npy":
        found = array(path)
        if found.ndim != 1 or found.dtype.kind not in "iuU":
            raise UsageError(f"{path}: got {_described(found)}; allowed: one row of ids")
        return [str(one) for one in found.tolist()]
    with opened(path) as file:
        try:
            return file.read().decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as fault:
            raise UsageError(f"{path}: the file is not UTF-8: {fault.reason}") from None


def _columns(path: Path) -> dict[str, Any]:
    """The columns of a JSONL file; `vector` is an array of its own."""
    columns: dict[str, list[object]] = {}
    vectors: list[Values] = []
    for number, line in objects(path):
        key = next((name for name in VECTOR_NAMES if name in line), "vector")
        given = line.pop(key, None)
        if not _are_numbers(given) or (vectors and len(given) != vectors[0].size):
            length = f" of length {vectors[0].size}" if vectors else ""
            got = f"{len(given)} of them" if _are_numbers(given) else shown(given)
            raise UsageError(
                f"{path}:{number}: {key}: got {got}; allowed: a list of numbers{length}"
            )
        for name in {*columns, *line}:
            column = columns.setdefault(name, [None] * len(vectors))
            column.append(line.get(name))
        vectors.append(_narrow(given, f"{path}:{number}: {key}"))
    if not vectors:
        raise UsageError(f"{path}: the file has no vectors")
    return {**columns, "vector": np.stack(vectors)}


def _narrow(given: list[float], where: str) -> Values:
    """As 32-bit floats, which is what embedding models write."""
    with np.errstate(over="ignore"):
        try:
            found = np.array(given, dtype=np.float32)
        except OverflowError:  # a whole number of hundreds of digits
            found = np.full(len(given), np.inf, dtype=np.float32)
    if np.isinf(found).any():
        raise UsageError(f"{where}: a number is beyond what a 32-bit float holds, 3.4e38")
    return found


def _named(columns: dict[str, Any], path: Path) -> Vectors:
    vector = next((name for name in VECTOR_NAMES if name in columns), None)
    if vector is None:
        raise UsageError(f"{path}: there is no column {' or '.join(VECTOR_NAMES)}")
    values = columns.pop(vector)
    name = next((name for name in ID_NAMES if name in columns), None)
    ids = None if name is None else [_id(one, path, at) for at, one in enumerate(columns[name])]
    return Vectors.of(values, str(path), ids, columns)


def _id(one: object, path: Path, row: int) -> str:
    if isinstance(one, bool) or not isinstance(one, str | int) or one == "":
        raise UsageError(
            f"{path}: row {row}: id: got {shown(one)}; allowed: a text or a whole number"
        )
    return str(one)


def _are_numbers(given: object) -> TypeGuard[list[float]]:
    return isinstance(given, list) and all(type(one) in (int, float) for one in given)


def _described(found: Values) -> str:
    return f"an array of {found.dtype} with shape {found.shape}"


def _check(values: Values, source: str) -> None:
    if values.ndim != 2 or values.dtype.kind not in "fiu" or 0 in values.shape:
        raise UsageError(
            f"{source}: got {_described(values)}; allowed: numbers with shape (vectors, dimensions)"
        )
    if values.dtype.kind != "f":
        return
    for start in range(0, len(values), AT_ONCE):
        block = values[start : start + AT_ONCE]
        fine = np.isfinite(block)
        if block.dtype.itemsize > np.float32().itemsize:  # no other holds more
            fine &= np.abs(block) <= GREATEST
        if not fine.all():
            row, at = (int(one[0]) for one in np.nonzero(~fine))
            _refuse_number(source, start + row, at, float(values[start + row, at]))


def _refuse_number(source: str, row: int, at: int, number: float) -> NoReturn:
    raise UsageError(
        f"{source}: row {row} (from 0): got {number} at dimension {at}; allowed: finite numbers, "
        f"{GREATEST:g} at most"
    )


def _distinct(ids: Sequence[str], size: int, source: str) -> tuple[str, ...]:
    if len(ids) != size:
        raise UsageError(f"{source}: got {counted(len(ids), 'id')} for {counted(size, 'vector')}")
    found = dict(zip(reversed(ids), range(size - 1, -1, -1), strict=True))
    if len(found) != size:
        row = next(at for at, one in enumerate(ids) if found[one] != at)
        raise UsageError(
            f"{source}: row {row} (from 0): id: {shown(ids[row])} is already the id of row "
            f"{found[ids[row]]}"
        )
    return tuple(ids)


def refuse_mismatch(vectors: Vectors, queries: Vectors) -> None:
    """Raise UsageError for queries that are of another length than what they search."""
    if vectors.dimensions != queries.dimensions:
        raise UsageError(
            f"{queries.source}: row 0 has {queries.dimensions} dimensions, but {vectors.source} "
            f"has {vectors.dimensions}. Both must be of one embedding model"
        )
