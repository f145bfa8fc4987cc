"""What changed in a percentile between two runs of the same cases.

Percentiles are nearest ranks over trials. The interval is a percentile bootstrap on paired units,
from the same resamples as every other figure's. A resample never needs sorting: its percentile is
found by counting through the sorted scores near the rank, how often each was drawn.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ragproof.analysis.intervals import UNKNOWN, Bounds, Indices, Z
from ragproof.analysis.joining import Pairs
from ragproof.analysis.paired import Change, changes
from ragproof.analysis.resampling import Resampling, resampling
from ragproof.analysis.units import Units
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Floats, RunRecord

WINDOW = 256
"""Ranks around the percentile that are counted through at first."""


def percentile_change(pairs: Pairs, baseline: Column, candidate: Column, fraction: float) -> Change:
    """Find what changed. The counts of rises and falls are those of the scores themselves."""
    join = pairs.join
    before = _Ranked.of(baseline, join.baseline_at, pairs)
    after = _Ranked.of(candidate, join.candidate_at, pairs)
    there = changes([pairs], [math.inf])[0]
    was, now = before.at(fraction), after.at(fraction)
    bounds = UNKNOWN
    if there.units >= fewest(fraction):
        draws = resampling(join.units)
        deltas = after.resampled(draws, fraction) - before.resampled(draws, fraction)
        low, high = np.percentile(deltas[np.isfinite(deltas)], (2.5, 97.5))
        if low < high:
            bounds = Bounds((float(low), float(high)), "paired bootstrap")
    return dataclasses.replace(
        there,
        baseline=was,
        candidate=now,
        delta=None if was is None or now is None else now - was,
        bounds=bounds,
        error=None if bounds.ends is None else (bounds.ends[1] - bounds.ends[0]) / (2 * Z),
        p_value=None,
    )


def percentile_draws(record: RunRecord, column: Column, fraction: float) -> Floats | None:
    """The percentile of one run in each resample of its units; None of too few of them."""
    units = Units.of(record.cases)
    rows = np.flatnonzero(column.status == Status.SCORED)
    unit = rows
    if column.subjects is None and units.case_of is not None:
        unit = units.case_of[rows]
    if column.subjects is None and units.cluster_of is not None:
        unit = units.cluster_of[unit]
    found, place = np.unique(unit, return_inverse=True)
    if found.size < fewest(fraction):
        return None
    return _Ranked(column.values[rows], place).resampled(resampling(found.size), fraction)


def fewest(fraction: float) -> int:
    """So many units are needed before a 95 % interval of the percentile has two ends."""
    return math.ceil(math.log(0.025) / math.log(max(fraction, 1 - fraction)))


class _Ranked:
    """The scored trials of one run at the joined places, in order of their values."""

    def __init__(self, values: Floats, unit: Indices) -> None:
        order = np.argsort(values, kind="stable")
        self._values, self._unit = values[order], unit[order]

    @classmethod
    def of(cls, column: Column, place_of: Indices, pairs: Pairs) -> _Ranked:
        """Take the trials of the cases that both runs scored."""
        rows = np.flatnonzero((column.status == Status.SCORED) & (place_of >= 0))
        rows = rows[pairs.both[place_of[rows]]]
        return cls(column.values[rows], pairs.join.unit_of[place_of[rows]])

    def at(self, fraction: float) -> float | None:
        """The percentile."""
        size = self._values.size
        return float(self._values[_rank(fraction, np.array([float(size)]))[0]]) if size else None

    def resampled(self, draws: Resampling, fraction: float) -> Floats:
        """The percentile of each resample; NaN of an empty one."""
        block = draws.block_of(self._unit)
        totals = draws.resampled(np.bincount(block, minlength=draws.blocks).astype(np.float64))
        wanted = _rank(fraction, totals)
        middle, reach = int(fraction * block.size), WINDOW
        while True:
            start, end = max(0, middle - reach), min(block.size, middle + reach)
            below = draws.resampled(
                np.bincount(block[:start], minlength=draws.blocks).astype(np.float64)
            )
            counted = below[:, None] + np.cumsum(draws.counts[:, block[start:end]], axis=1)
            inside = (start == 0) | (below <= wanted).all()
            if (inside and (counted[:, -1] > wanted).all()) or end - start == block.size:
                found = np.minimum((counted <= wanted[:, None]).sum(axis=1), end - start - 1)
                return np.where(totals > 0, self._values[start + found], np.nan)
            reach *= 4


def _rank(fraction: float, sizes: Floats) -> Indices:
    """The place from 0 of the nearest rank, max(1, ceil(fraction * n)) from 1."""
    return (np.maximum(1, np.ceil(np.round(fraction * sizes, 9))) - 1).astype(np.intp)
