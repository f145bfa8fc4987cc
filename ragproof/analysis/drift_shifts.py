"""Known shifts: how often each detector notices a shift that was put in, by its size. Pure.

Both samples are drawn from one set of rows, so that nothing differs but what is put into the
second. Without a shift, alarms are false ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ragproof.analysis.drift import TOGETHER, Setup, detect
from ragproof.analysis.drift_kl import AXES_ROWS, principal
from ragproof.analysis.drift_pool import Points, Pool
from ragproof.analysis.intervals import Indices, wilson
from ragproof.core.arrays import Floats

MOVED_SHARE = 0.2
MOVED_BY = 2.0
"""Standard deviations along the first axis."""
YARDSTICK_ROWS = 300
"""Of a larger sample no more rows are tried: what shows there shows in more."""
YARDSTICK_TRIES = 25
POWER = 0.8
"""A shift is not missed when it is noticed so often."""


class Shift(Protocol):
    """Something that happens to the current sample."""

    @property
    def name(self) -> str:
        """What kind of shift it is."""
        ...

    @property
    def size(self) -> float:
        """How much of it; 0 is none."""
        ...

    def __call__(self, base: Points, rows: Indices, draw: np.random.Generator) -> Points:
        """The rows of the base, shifted."""
        ...


@dataclass(frozen=True)
class Unshifted:
    """Nothing happens."""

    name: str = "none"
    size: float = 0.0

    def __call__(self, base: Points, rows: Indices, draw: np.random.Generator) -> Points:  # noqa: ARG002
        """The rows."""
        return base.only(rows)


@dataclass(frozen=True)
class Mixed:
    """A share of the rows are of another kind."""

    name: str
    size: float
    others: Points
    """As many as the share takes, at least."""

    def __call__(self, base: Points, rows: Indices, draw: np.random.Generator) -> Points:
        """The rows, as many as the share replaced."""
        count = round(self.size * rows.size)
        chosen = draw.permutation(len(self.others))[:count]
        return _joined(base.only(rows[count:]), self.others.only(chosen))


@dataclass(frozen=True)
class Altered:
    """A share of the rows are changed, each in itself, as by a slip of the fingers."""

    name: str
    size: float
    versions: Points
    """Of each row of the base, in its order."""

    def __call__(self, base: Points, rows: Indices, draw: np.random.Generator) -> Points:  # noqa: ARG002
        """The rows, as many as the share changed; which ones is chance already."""
        count = round(self.size * rows.size)
        return _joined(base.only(rows[count:]), self.versions.only(rows[:count]))


@dataclass(frozen=True)
class Moved:
    """A share of the vectors are moved along one direction."""

    name: str
    size: float
    step: Floats
    share: float = 1.0

    def __call__(self, base: Points, rows: Indices, draw: np.random.Generator) -> Points:  # noqa: ARG002
        """The rows, as many as the share moved."""
        found = base.only(rows)
        values = np.array(found.values, dtype=np.float64)
        values[: round(self.share * rows.size)] += self.step
        return replace(found, values=values)


@dataclass(frozen=True)
class Noticed:
    """How often a shift of one size was noticed in samples of one size."""

    shift: str
    size: float
    rows: tuple[int, int]
    tries: int
    alarms: Mapping[str, int]
    """By detector, each at `alpha` alone; and `together`, adjusted."""

    def share(self, detector: str) -> float:
        """Of the tries that ended in an alarm."""
        return self.alarms[detector] / self.tries

    def ends(self, detector: str) -> tuple[float, float]:
        """Its 95 % interval; Wilson's."""
        return wilson(self.share(detector), self.tries)


def step_along_first_axis(base: Points, by: float, draw: np.random.Generator) -> Floats:
    """So many standard deviations along the first principal component of the base."""
    some = np.sort(draw.permutation(len(base))[:AXES_ROWS])
    rows = np.asarray(base.values[some], dtype=np.float64)
    axis = principal(rows, 1)[0]
    found: Floats = by * (rows @ axis).std() * axis
    return found


def noticed(
    base: Points,
    shift: Shift,
    rows: tuple[int, int],
    tries: int,
    setup: Setup,
    of_slices: float | None = None,
) -> Noticed:
    """Try so often. The base has as many rows as both samples need, each independent.

    `of_slices` stands in for a test of slices, which such a shift does not touch.
    """
    alarms: dict[str, int] = {}
    for at in range(tries):
        draw = np.random.default_rng([setup.seed, at, *rows])
        order = draw.permutation(len(base))
        current = shift(base, order[rows[0] : sum(rows)], draw)
        pool = Pool(base.only(order[: rows[0]]), current)
        found = detect(pool, replace(setup, seed=setup.seed + at, intervals=False), of_slices)
        for one in found.detected:
            alarms[one.name] = alarms.get(one.name, 0) + (one.p_value <= setup.alpha)
        alarms[TOGETHER] = alarms.get(TOGETHER, 0) + found.is_alarm
    return Noticed(shift.name, shift.size, rows, tries, alarms)


def study(
    base: Points,
    shifts: Sequence[Shift],
    sizes: Sequence[int],
    tries: int,
    setup: Setup,
    watch: Callable[[Noticed], None] = lambda _: None,
) -> Iterator[Noticed]:
    """Try every shift at every sample size that has the rows for it."""
    for size in sizes:
        for shift in shifts:
            if isinstance(shift, Mixed) and shift.size * size > len(shift.others):
                continue
            found = noticed(base, shift, (size, size), tries, setup)
            watch(found)
            yield found


def yardstick(pool: Pool, setup: Setup, of_slices: float | None = None) -> Noticed:
    """How often a fifth of the rows, moved by two standard deviations, would have been noticed."""
    draw = np.random.default_rng(setup.seed)
    sides = [one_a_unit(one, draw) for one in (pool.reference, pool.current)]
    sides = [one.only(draw.permutation(len(one))[:YARDSTICK_ROWS]) for one in sides]
    base = replace(_joined(*sides), units=np.arange(sum(map(len, sides))))
    step = step_along_first_axis(base, MOVED_BY, draw)
    shift = Moved("moved", MOVED_BY, step, MOVED_SHARE)
    rows = len(sides[0]), len(sides[1])
    return noticed(base, shift, rows, YARDSTICK_TRIES, setup, of_slices)


def one_a_unit(points: Points, draw: np.random.Generator) -> Points:
    """One row of each unit, drawn at random."""
    order = draw.permutation(len(points))
    firsts = np.unique(points.units[order], return_index=True)[1]
    return points if firsts.size == len(points) else points.only(np.sort(order[firsts]))


def _joined(one: Points, other: Points) -> Points:
    columns = {
        name: np.concatenate([column, other.columns[name]]) for name, column in one.columns.items()
    }
    return Points(
        np.concatenate([np.asarray(one.values), np.asarray(other.values)]),
        columns,
        np.concatenate([one.units, other.units]),
        np.concatenate([one.kin, other.kin]),
    )
