"""Which cases lie beyond what a gate asks of the whole: where to look when it does not pass. Pure.

A requirement holds the figure of all cases; that one case lies beyond it is no failure by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.gate import exceeds
from ragproof.analysis.requirements import Limit, Requirement
from ragproof.analysis.slicing import sliced
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Floats, RunRecord


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A case whose own score lies beyond a bound."""

    case: str
    value: float
    """Averaged over the case's repeats."""
    asked: Requirement

    @property
    def distance(self) -> float:
        """How far beyond."""
        return abs(self.value - self.asked.bound)


def falling_short(record: RunRecord, asked: Requirement) -> Iterator[Shortfall]:
    """Give the cases beyond a minimum or a maximum, in order of their ids; none of a change."""
    column = record.columns.get(asked.metric)
    if column is None or column.subjects is not None or not holds_cases(asked):
        return
    part = sliced(record, asked.slice)
    for name, value in case_figures(part, part.columns[asked.metric]):
        beyond = (
            exceeds(asked.bound, value) if asked.limit is Limit.MIN else exceeds(value, asked.bound)
        )
        if beyond:
            yield Shortfall(name, value, asked)


def holds_cases(asked: Requirement) -> bool:
    """Whether a single case can lie beyond the bound: not of changes, nor of completion."""
    return not asked.limit.is_relative and asked.statistic != "completion"


def case_figures(record: RunRecord, column: Column) -> list[tuple[str, float]]:
    """Case id and score, averaged over repeats, of every case that the metric scored."""
    rows = np.flatnonzero(column.status == Status.SCORED)
    names = [record.cases[at].id for at in rows.tolist()]
    if not names:
        return []
    values: Floats = column.values[rows]
    starts = np.array([at for at, name in enumerate(names) if at == 0 or names[at - 1] != name])
    sizes = np.diff(np.append(starts, len(names)))
    means = np.add.reduceat(values, starts) / sizes
    return list(zip([names[at] for at in starts.tolist()], means.tolist(), strict=True))
