"""The part of a run whose cases have certain tags."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from ragproof.core.record import CaseRow, Column, Flags, RunRecord

Slice = Mapping[str, tuple[str, ...]]
"""Tag to the values that are meant, any of them; a case needs all of the tags."""


def sliced(record: RunRecord, wanted: Slice) -> RunRecord:
    """Keep the cases with these tags. Figures of groups and sets belong to no slice."""
    if not wanted:
        return record
    keep = np.array([_has(case, wanted) for case in record.cases], dtype=np.bool_)
    return dataclasses.replace(
        record,
        cases=tuple(case for case, kept in zip(record.cases, keep, strict=True) if kept),
        columns={
            key: _cut(column, keep)
            for key, column in record.columns.items()
            if column.subjects is None
        },
    )


def _has(case: CaseRow, wanted: Slice) -> bool:
    return all(case.tags.get(tag) in values for tag, values in wanted.items())


def _cut(column: Column, keep: Flags) -> Column:
    reasons = zip(column.reasons, keep, strict=True)
    return dataclasses.replace(
        column,
        status=column.status[keep],
        values=column.values[keep],
        weights=column.weights[keep],
        applies=column.applies[keep],
        reasons=tuple(reason for reason, kept in reasons if kept),
    )
