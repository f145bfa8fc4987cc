"""How the scores of a metric are spread: what a mean alone does not show. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import Indices
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Floats

BINS = 20
DISTINCT = 12
"""Up to so many different values are counted one by one."""
TAIL = 0.99
"""Of what has no greatest value, so much is drawn; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Scores from `low` up to `high`; of that very value where the two are equal."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The scores of one metric, counted."""

    low: float
    high: float
    """The ends of the scale."""
    bars: tuple[Bar, ...]
    """In order; bars without a score among them are there, too. The last holds its own end."""
    beyond: int
    """Scores above the scale."""

    @property
    def most(self) -> int:
        """The highest bar."""
        return max((bar.count for bar in self.bars), default=0)


def spread(column: Column) -> Spread | None:
    """Count the scores of a column, None where there is none."""
    scores = column.values[column.status == Status.SCORED]
    if scores.size == 0:
        return None
    values, counts = np.unique(scores, return_counts=True)
    low, high = _scale(column, values, counts)
    if values.size <= DISTINCT and values[-1] <= high:
        pairs = zip(values.tolist(), counts.tolist(), strict=True)
        return Spread(low, high, tuple(Bar(one, one, count) for one, count in pairs), 0)
    inside = scores[scores <= high]
    edges = np.round(np.linspace(low, high, BINS + 1), 12)  # 0.95 belongs above 0.95
    edges[0], edges[-1] = low, high
    counted, ends = np.histogram(inside, edges)[0], edges.tolist()
    bars = tuple(map(Bar, ends[:-1], ends[1:], counted.tolist()))
    return Spread(low, high, bars, int(scores.size - inside.size))


def _scale(column: Column, values: Floats, counts: Indices) -> tuple[float, float]:
    """The whole range of the unit; where that has no end, to the value that few exceed."""
    low, high = column.declared.unit.range
    if math.isfinite(high):
        return low, high
    low = min(low, float(values[0]))
    place = int(np.searchsorted(np.cumsum(counts), TAIL * counts.sum()))
    high = float(values[min(place, values.size - 1)] if values.size > DISTINCT else values[-1])
    return low, high if high > low else low + 1
