"""Order the cases of a run from the worst to the best. Pure, on the record.

The rule, for people to check by hand: take the figures of a case that are fractions, have a
better and a worse end, may blame a case (precision at k may not: where fewer than k are right no
case reaches 1), are not of the system layer, and are not the same for all cases; of an answer that
declines leave out what its words are worth, since `robustness.*` tells whether it should have; turn
those round where lower is better, and average them. The lowest average comes first; of equal ones
the case with more zeros, then the smaller id. The average only sorts: it mixes layers, so it is no
figure of the system. Of equally low figures those of the earlier layer are named first, since a
fault is handed down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import Indices
from ragproof.core.case import CaseKind
from ragproof.core.header import Declared
from ragproof.core.outcome import Failed, Status
from ragproof.core.record import Column, Flags, Floats, RunRecord
from ragproof.core.spec import Better, Layer, Unit

LAYERS = list(Layer)
DECLINES = frozenset({"robustness.refused", "robustness.abstention", "robustness.overrefusal"})
"""Metrics that are 1 where the answer declines."""
LOWEST = 3
"""So many metrics are named as the reason."""


@dataclass(frozen=True, slots=True)
class RankedCase:
    """A case and its figures, averaged over its repeats."""

    id: str
    kind: CaseKind
    average: float | None
    """Of 0, worst, to 1, best; None when no figure could be averaged."""
    lowest: tuple[str, ...]
    """Keys of up to three metrics that pull it down, the lowest first."""
    figures: Mapping[str, float]
    """Metric key to value, for every metric that scored it."""


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A trial that gave no observation."""

    id: str
    repeat: int
    failure: Failed


def ranked(record: RunRecord, count: int) -> tuple[RankedCase, ...]:
    """Give the `count` worst cases, those without any average last."""
    if not record.cases:
        return ()
    first = np.array(
        [at == 0 or record.cases[at - 1].id != case.id for at, case in enumerate(record.cases)]
    )
    starts = np.flatnonzero(first)
    case_of = np.cumsum(first) - 1
    average, zeros = _averages(record, case_of, starts.size)
    order = np.lexsort((np.arange(starts.size), -zeros, average))[:count]  # NaN sorts last
    ends = np.append(starts[1:], len(record.cases))
    blamed = _blamed(record)
    return tuple(
        _described(record, blamed, slice(int(starts[at]), int(ends[at])), float(average[at]))
        for at in order
    )


def worst(record: RunRecord, count: int = 3) -> tuple[RankedCase, ...]:
    """Give up to `count` of the worst cases; one without a fault is not among them."""
    return tuple(case for case in ranked(record, count) if case.lowest)


def failures(record: RunRecord, count: int) -> tuple[FailedCase, ...]:
    """Give the first `count` trials that failed, in order of case id."""
    found = (
        FailedCase(case.id, case.repeat, case.failure)
        for case in record.cases
        if case.failure is not None
    )
    return tuple(one for one, _ in zip(found, range(count), strict=False))


def _ranks(column: Column) -> bool:
    """Whether the figures tell cases apart, and which of them is the better one."""
    declared, scored = column.declared, column.values[column.status == Status.SCORED]
    if declared.unit is not Unit.FRACTION or declared.better is Better.NEITHER:
        return False
    if declared.layer is Layer.SYSTEM:  # that a cache had to be filled is no fault of the case
        return False
    if not declared.blames:
        return False
    return scored.size < 2 or bool((scored != scored[0]).any())


def _blamed(record: RunRecord) -> dict[str, Flags]:
    """Key of each metric that ranks to the trials that it may blame."""
    columns = _by_case(record)
    declines = np.zeros(len(record.cases), dtype=np.bool_)
    for column in columns.values():
        if column.declared.id in DECLINES:
            declines |= (column.status == Status.SCORED) & (column.values == 1)
    return {
        key: (one.status == Status.SCORED) & ~(declines & _is_of_words(one.declared))
        for key, one in columns.items()
        if _ranks(one)
    }


def _is_of_words(declared: Declared) -> bool:
    """Whether it is about what an answer says, not about whether there should be one."""
    return declared.layer is Layer.ANSWER and not declared.id.startswith("robustness.")


def _goodness(declared: Declared, value: Floats) -> Floats:
    """From 0, worst, to 1, best."""
    return 1 - value if declared.better is Better.LOWER else value


def _averages(record: RunRecord, case_of: Indices, cases: int) -> tuple[Floats, Indices]:
    """The average of each case, NaN where nothing was scored, and its number of zeros."""
    total, scores = np.zeros(cases), np.zeros(cases)
    zeros = np.zeros(cases, dtype=np.intp)
    for key, scored in _blamed(record).items():
        column = record.columns[key]
        good = _goodness(column.declared, column.values[scored])
        place = case_of[scored]
        total += np.bincount(place, good, minlength=cases)
        scores += np.bincount(place, minlength=cases)
        zeros += np.bincount(place[good == 0], minlength=cases)
    average = np.full(cases, np.nan)
    np.divide(total, scores, out=average, where=scores > 0)
    # equal averages must be equal however their terms were added
    return np.round(average, 12), zeros


def _by_case(record: RunRecord) -> dict[str, Column]:
    return {key: one for key, one in sorted(record.columns.items()) if one.subjects is None}


def _described(
    record: RunRecord, blamed: Mapping[str, Flags], rows: slice, average: float
) -> RankedCase:
    case = record.cases[rows.start]
    figures: dict[str, float] = {}
    pulled: list[tuple[float, int, str]] = []
    for key, column in _by_case(record).items():
        scored = column.status[rows] == Status.SCORED
        if scored.any():
            figures[key] = float(column.values[rows][scored].mean())
        if key in blamed and (held := blamed[key][rows]).any():
            good = float(_goodness(column.declared, column.values[rows][held]).mean())
            if good < 1:
                pulled.append((good, LAYERS.index(column.declared.layer), key))
    lowest = tuple(key for _, _, key in sorted(pulled)[:LOWEST])
    return RankedCase(case.id, case.kind, None if np.isnan(average) else average, lowest, figures)
