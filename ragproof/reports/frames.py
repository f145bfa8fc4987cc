"""A run as a data frame of pandas or polars: one row for each case and metric.

Neither is a dependency. What is asked for is imported when it is asked for, and of it only the
class `DataFrame` is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal

from ragproof.core import Status, UsageError
from ragproof.core.record import CaseRow, Column, RunRecord

Kind = Literal["pandas", "polars"]
COLUMNS = (
    *("run_id", "level", "case_id", "repeat", "kind", "group"),
    *("metric", "status", "value", "weight", "reason"),
)
"""The columns before those of the tags, each of which is called `tags.<name>`."""


def frame(record: RunRecord, kind: Kind = "pandas") -> Any:  # noqa: ANN401  whichever it is
    """Lay a run out as a frame, cases in order of id and repeat, metrics in order of key.

    `value` is missing where there is no score: never 0. `case_id` holds the name of the group or
    set where `level` says so. Raises UsageError where the package is not installed.
    """
    if kind not in ("pandas", "polars"):
        raise UsageError(f"kind: got {kind!r}; allowed: pandas, polars")
    try:
        module = import_module(kind)
    except ModuleNotFoundError:
        raise UsageError(
            f"a frame of {kind} needs {kind}. Install it: pip install {kind}"
        ) from None
    return module.DataFrame(columns(record))


def columns(record: RunRecord) -> dict[str, list[Any]]:
    """The same as lists, column by column."""
    tags = sorted({tag for case in record.cases for tag in case.tags})
    found: dict[str, list[Any]] = {
        name: [] for name in (*COLUMNS, *(f"tags.{tag}" for tag in tags))
    }
    of_cases = _of_cases(record, tags)
    for key, column in sorted(record.columns.items()):
        size = len(column.status)
        about = of_cases if column.subjects is None else _of_others(column, column.subjects, tags)
        for name, cells in about.items():
            found[name] += cells
        found["run_id"] += [record.header.id] * size
        found["metric"] += [key] * size
        found["status"] += [Status(code).name.lower() for code in column.status.tolist()]
        scored = (column.status == Status.SCORED).tolist()
        for name, numbers in (("value", column.values), ("weight", column.weights)):
            pairs = zip(numbers.tolist(), scored, strict=True)
            found[name] += [number if there else None for number, there in pairs]
        found["reason"] += column.reasons
    return found


def _of_cases(record: RunRecord, tags: Sequence[str]) -> dict[str, list[Any]]:
    rows: Sequence[CaseRow] = record.cases
    return {
        "level": ["case"] * len(rows),
        "case_id": [case.id for case in rows],
        "repeat": [case.repeat for case in rows],
        "kind": [case.kind.value for case in rows],
        "group": [case.group for case in rows],
        **{f"tags.{tag}": [case.tags.get(tag) for case in rows] for tag in tags},
    }


def _of_others(
    column: Column, subjects: Sequence[str], tags: Sequence[str]
) -> dict[str, list[Any]]:
    size = len(subjects)
    none = [None] * size
    return {
        "level": [column.declared.level.value] * size,
        "case_id": list(subjects),
        "repeat": [0] * size,
        "kind": none,
        "group": none,
        **{f"tags.{tag}": none for tag in tags},
    }
