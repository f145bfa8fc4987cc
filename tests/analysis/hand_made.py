"""Runs made by hand, short enough to be checked by eye."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ragproof.core.case import CaseKind
from ragproof.core.header import (
    AdapterInfo,
    DatasetInfo,
    Declared,
    RunHeader,
    RunSettings,
    RunState,
)
from ragproof.core.outcome import Failed, NotApplicable, Outcome, Scored, Skipped, Status
from ragproof.core.record import CaseRow, Column, RunRecord
from ragproof.core.spec import HEADLINES, Better, Interval, Layer, Pool, Unit
from ragproof.core.subject import Level

FRACTION = Declared(
    id="retrieval.recall_at_k",
    params={"k": 5},
    version=1,
    unit=Unit.FRACTION,
    better=Better.HIGHER,
    pool=Pool.MEAN,
    interval=Interval.AUTO,
    level=Level.CASE,
    kinds=(CaseKind.INJECTION, CaseKind.QA, CaseKind.UNANSWERABLE),
    each=None,
    layer=Layer.QUERY,
    headline=False,
)


def declared(key: str, **changed: Any) -> Declared:
    """A declaration, by default of a fraction that is better when higher."""
    family = key.partition(".")[0]
    own: dict[str, Any] = {"id": key, "layer": Layer.of(family), "headline": family in HEADLINES}
    return dataclasses.replace(FRACTION, **(own | changed))


def column(
    of: Declared,
    outcomes: Sequence[float | Outcome],
    *,
    subjects: tuple[str, ...] | None = None,
    spared: Sequence[int] = (),
) -> Column:
    """A column of outcomes; a bare number is a score. `spared` rows would not have been scored."""
    found = [Scored(one) if isinstance(one, int | float) else one for one in outcomes]
    return Column(
        declared=of,
        subjects=subjects,
        status=np.array([Status.of(one) for one in found], dtype=np.int8),
        values=np.array([one.value if isinstance(one, Scored) else np.nan for one in found]),
        weights=np.array([one.weight if isinstance(one, Scored) else 0.0 for one in found]),
        applies=np.array([at not in spared for at in range(len(found))], dtype=np.bool_),
        reasons=tuple(_reason(one) for one in found),
    )


def _reason(outcome: Outcome) -> str | None:
    match outcome:
        case Skipped(reason=reason) | NotApplicable(reason=reason):
            return reason
        case Failed(cause=cause, message=message):
            return f"{cause}: {message}"
        case _:
            return None


def case(name: str, repeat: int = 0, **changed: Any) -> CaseRow:
    """A question that the pipeline answered."""
    row = CaseRow(name, repeat, CaseKind.QA, {}, None, None)
    return dataclasses.replace(row, **changed)


def cases(count: int) -> tuple[CaseRow, ...]:
    """So many of them: c0000, c0001 and so on."""
    return tuple(case(f"c{number:04d}") for number in range(count))


def record(
    rows: Sequence[CaseRow],
    columns: Mapping[str, Column],
    *,
    state: RunState = RunState.COMPLETED,
    settings: RunSettings | None = None,
    expected: int | None = None,
    **header: Any,
) -> RunRecord:
    """A run of these cases; `expected` is how many cases were selected."""
    total = len({row.id for row in rows}) if expected is None else expected
    head = RunHeader(
        id="20260304-101500-ab12",
        project="manual",
        started_at="2026-03-04T10:15:00.000000Z",
        dataset=DatasetInfo(
            name="manual.jsonl",
            path="/data/manual.jsonl",
            hash="3f2a" * 16,
            total=total,
            cases=total,
        ),
        adapter=AdapterInfo(type="python", target="my_package.pipeline:build", version="2.1"),
        settings=settings or RunSettings(),
        metrics={key: one.declared for key, one in columns.items()},
        environment={"ragproof": "0.1.0", "python": "3.11.9", "platform": "Linux x86_64"},
    )
    return RunRecord(dataclasses.replace(head, **header), state, tuple(rows), dict(columns))


def one_metric(
    outcomes: Sequence[float | Outcome],
    rows: Sequence[CaseRow] | None = None,
    of: Declared = FRACTION,
) -> RunRecord:
    """A run with a single metric of cases."""
    return record(rows or cases(len(outcomes)), {of.id: column(of, outcomes)})
