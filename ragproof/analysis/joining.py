"""Two runs side by side: the cases that both have, and what each contributes there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ragproof.analysis.intervals import Indices
from ragproof.analysis.units import clusters, groups_of, parts
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Flags, Floats, RunRecord

Contribution: TypeAlias = tuple[Indices, Floats, Floats]
"""Rows of a run, and the numerator and denominator of each."""


@dataclass(frozen=True)
class Side:
    """What one run contributes at each place; 0 where it has nothing."""

    upper: Floats
    lower: Floats
    there: Flags


@dataclass(frozen=True)
class Pairs:
    """What both runs contribute to a figure, place by place."""

    baseline: Side
    candidate: Side
    join: Join

    @property
    def both(self) -> Flags:
        """Where both runs contribute."""
        return self.baseline.there & self.candidate.there


@dataclass(frozen=True)
class Join:
    """The cases, groups or sets that two runs have in common: the places."""

    names: tuple[str, ...]
    baseline_at: Indices
    """Row of the baseline to its place, -1 for what only the baseline has."""
    candidate_at: Indices
    unit_of: Indices
    """Place to the independent unit that it belongs to: itself, or a cluster of cases."""
    units: int
    clustered: bool = False

    @classmethod
    def of_cases(cls, baseline: RunRecord, candidate: RunRecord) -> Join:
        """Join on case ids. Cases that share a group in either run are one unit."""
        rows = [[case.id for case in run.cases] for run in (baseline, candidate)]
        joined = cls.of_names(*rows)
        groups = groups_of(baseline.cases) | groups_of(candidate.cases)
        unit_of = clusters({name: groups.get(name, "") for name in joined.names})
        if unit_of is None:
            return joined
        units = int(unit_of.max()) + 1
        return replace(joined, unit_of=unit_of, units=units, clustered=True)

    @classmethod
    def of_names(cls, baseline: Sequence[str], candidate: Sequence[str]) -> Join:
        """Join on names, each a unit of its own."""
        there = set(candidate)
        names = tuple(name for name in dict.fromkeys(baseline) if name in there)
        place = {name: at for at, name in enumerate(names)}
        rows = (np.array([place.get(one, -1) for one in run]) for run in (baseline, candidate))
        before, after = (one.astype(np.intp) for one in rows)
        return cls(names, before, after, np.arange(len(names)), len(names))

    def pairs(self, baseline: Contribution, candidate: Contribution) -> Pairs:
        """Lay two contributions side by side, repeats averaged."""
        sides = (self._side(self.baseline_at, baseline), self._side(self.candidate_at, candidate))
        return Pairs(*sides, self)

    def _side(self, place_of: Indices, found: Contribution) -> Side:
        rows, upper, lower = found
        joined = place_of[rows] >= 0
        place, size = place_of[rows][joined], len(self.names)
        times = np.bincount(place, minlength=size)
        several = np.maximum(times, 1)
        return Side(
            np.bincount(place, upper[joined], minlength=size) / several,
            np.bincount(place, lower[joined], minlength=size) / several,
            times > 0,
        )


def scores(column: Column) -> Contribution:
    """What the scored rows contribute to the metric's figure."""
    scored = column.status == Status.SCORED
    return (np.flatnonzero(scored), *parts(column, scored))


def completed(column: Column) -> Contribution:
    """What the rows that the metric covers contribute to its completion."""
    scored = column.status == Status.SCORED
    rows = np.flatnonzero(scored | column.lost)
    return rows, scored[rows].astype(np.float64), np.ones(rows.size)
