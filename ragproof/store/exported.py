"""A run read back from the table that `ragproof export --to jsonl` wrote.

The table has the outcomes and not the header, so the header is lent by the run that it is to be
compared with; of a metric that this run does not have nothing is read.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ragproof.core import CaseKind, Failed, RunState, Status, UsageError
from ragproof.core.outcome import Cause
from ragproof.core.record import CaseRow, Column, RunRecord
from ragproof.text.jsonl import read_lines

STATUSES = {one.name.lower(): one for one in Status}
NEEDED = ("run_id", "level", "case_id", "repeat", "kind", "tags", "group", "metric", "status")


def read_export(path: Path, like: RunRecord) -> RunRecord:
    """Read an exported run, taken to have been made as `like` was; UsageError names the line."""
    table = _Table(like)
    for number, raw in read_lines(path):
        try:
            table.add(json.loads(raw))
        except (ValueError, TypeError, KeyError, AttributeError) as fault:
            raise UsageError(
                f"{path}:{number}: this is no line of a table that `ragproof export --to jsonl` "
                f"writes ({type(fault).__name__}: {fault})"
            ) from None
    if not table.run_id:
        raise UsageError(f"{path}: the file holds no outcome of a run")
    return table.record(path)


class _Table:
    """Rows on their way into columns."""

    def __init__(self, like: RunRecord) -> None:
        self._like = like
        self._cases: dict[tuple[str, int], CaseRow] = {}
        self._found: dict[str, dict[tuple[str, int], tuple[Any, ...]]] = {}
        self.run_id = ""

    def add(self, row: dict[str, Any]) -> None:
        """Take one line."""
        run_id, level, name, repeat, kind, tags, group, metric, status = (
            row[key] for key in NEEDED
        )
        if self.run_id not in ("", run_id):
            raise ValueError(f"it belongs to run {run_id!r}, those before to {self.run_id!r}")
        self.run_id = run_id
        at = (str(name), int(repeat))
        if level == "case" and at not in self._cases:
            self._cases[at] = CaseRow(*at, CaseKind(kind), dict(tags), group, None)
        if level == "case" and row["cause"] in (Cause.ADAPTER, Cause.TIMEOUT):
            failure = Failed(Cause(row["cause"]), str(row["reason"]))
            self._cases[at] = dataclasses.replace(self._cases[at], failure=failure)
        code = STATUSES[status]
        scored = code is Status.SCORED
        value, weight = (float(row[key]) if scored else math.nan for key in ("value", "weight"))
        if scored and not (math.isfinite(value) and math.isfinite(weight)):
            raise ValueError("a score is a finite number")
        if metric in self._like.columns:
            told = (code, value, weight if scored else 0.0, bool(row["applies"]), row["reason"])
            self._found.setdefault(metric, {})[at] = told

    def record(self, path: Path) -> RunRecord:
        """The whole run."""
        cases = tuple(self._cases[at] for at in sorted(self._cases))
        header = dataclasses.replace(self._like.header, id=self.run_id, label=path.name)
        return RunRecord(header, RunState.COMPLETED, cases, dict(self._columns(cases)))

    def _columns(self, cases: tuple[CaseRow, ...]) -> Iterator[tuple[str, Column]]:
        absent = (Status.NOT_APPLICABLE, math.nan, 0.0, True, "no row of this metric")
        for key, found in self._found.items():
            declared = self._like.columns[key].declared
            of_cases = self._like.columns[key].subjects is None
            places = [(one.id, one.repeat) for one in cases] if of_cases else sorted(found)
            rows = [found.get(at, absent) for at in places]
            status, values, weights, applies, reasons = zip(*rows, strict=True)
            yield (
                key,
                Column(
                    declared=declared,
                    subjects=None if of_cases else tuple(name for name, _ in places),
                    status=np.array(status, np.int8),
                    values=np.array(values),
                    weights=np.array(weights),
                    applies=np.array(applies, np.bool_),
                    reasons=reasons,
                ),
            )
