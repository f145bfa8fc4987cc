"""Vectors and what else is told of them, from a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ragproof.core import UsageError
from ragproof.index.vectors import VECTOR_NAMES, Values


def table(path: Path) -> dict[str, Any]:
    """Read the columns: the vectors as an array, every other as a list."""
    arrow = _pyarrow()
    from pyarrow import parquet  # noqa: PLC0415  heavy, and an extra

    try:
        read = parquet.ParquetFile(path).read()
    except (OSError, arrow.ArrowInvalid) as fault:
        raise UsageError(f"{path}: the file cannot be read as Parquet: {fault}") from fault
    return {
        name: _vectors(column, path, name, arrow) if name in VECTOR_NAMES else column.to_pylist()
        for name, column in zip(read.column_names, read.columns, strict=True)
    }


def _vectors(column: Any, path: Path, name: str, arrow: Any) -> Values:  # noqa: ANN401
    kind, is_type = column.type, arrow.types
    if not (is_type.is_list(kind) or is_type.is_large_list(kind) or _is_fixed(kind, arrow)):
        raise UsageError(f"{path}: {name}: got a column of {kind}; allowed: lists of numbers")
    if not (is_type.is_floating(kind.value_type) or is_type.is_integer(kind.value_type)):
        raise UsageError(f"{path}: {name}: got a column of {kind}; allowed: lists of numbers")
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy())[0])
        raise UsageError(f"{path}: row {row} (from 0): {name} is null")
    whole = column.combine_chunks()
    lengths = arrow.compute.list_value_length(whole).to_numpy(zero_copy_only=False)
    if lengths.size and (lengths != lengths[0]).any():
        row = int(np.flatnonzero(lengths != lengths[0])[0])
        raise UsageError(
            f"{path}: row {row} (from 0): {name} has {int(lengths[row])} dimensions, but row 0 "
            f"has {int(lengths[0])}"
        )
    flat = whole.flatten()
    if flat.null_count:
        at = int(np.flatnonzero(flat.is_null().to_numpy(zero_copy_only=False))[0])
        raise UsageError(f"{path}: row {at // int(lengths[0])} (from 0): {name} holds a null")
    numbers: Values = flat.to_numpy(zero_copy_only=False)
    return numbers.reshape(len(lengths), -1) if len(lengths) else numbers.reshape(0, 0)


def _is_fixed(kind: Any, arrow: Any) -> bool:  # noqa: ANN401
    return bool(arrow.types.is_fixed_size_list(kind))


def _pyarrow() -> Any:  # noqa: ANN401
    try:
        import pyarrow  # noqa: PLC0415
        import pyarrow.compute  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(
            "Parquet needs pyarrow. Install it: pip install 'ragproof[parquet]'; "
            ".npy and .jsonl need nothing"
        ) from None
    return pyarrow
