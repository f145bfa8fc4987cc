"""Two samples as one, and the dealing anew of which row is of which: what every test here rests on.

If nothing has changed, it is chance which rows are called the current ones. A statistic of all rows
and their labels is therefore held to what it is when labels are dealt anew, and its p-value is
(b + 1) / (m + 1), where b of m new deals reach the value that was found (Phipson, Smyth 2010, Stat.
Appl. Genet. Mol. Biol. 9: 39): exact at any size, whatever the statistic. Nothing that a statistic
is made of (width of a kernel, folds, axes) may depend on the labels otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.intervals import Indices
from ragproof.core.arrays import Flags, Floats

Values: TypeAlias = NDArray[Any]
"""Real numbers of any width, one row a vector; may be a file that is mapped into memory."""
AT_ONCE = 4_096
"""Rows that are in memory in double precision."""
DEALS_AT_ONCE = 64


@dataclass(frozen=True)
class Points:
    """A sample: vectors, and what else is known of each row."""

    values: Values
    """Shape (n, dimensions)."""
    columns: Mapping[str, Floats]
    """Further numbers of each row, by name, such as a length. Shape (n,)."""
    units: Indices
    """Rows of one number belong together, such as those of a session. Shape (n,)."""
    kin: Indices
    """The same, with rows that are alike, in any of the samples: a fold has all of them or none."""

    def __len__(self) -> int:
        return len(self.values)

    def only(self, rows: Indices) -> Points:
        """These rows."""
        return Points(
            np.asarray(self.values[rows]),
            {name: column[rows] for name, column in self.columns.items()},
            self.units[rows],
            self.kin[rows],
        )


@dataclass(frozen=True)
class Pool:
    """The rows of the reference, then those of the current sample."""

    reference: Points
    current: Points

    def __len__(self) -> int:
        return len(self.reference) + len(self.current)

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        return int(self.reference.values.shape[1])

    @cached_property
    def labels(self) -> Flags:
        """Which rows are current."""
        return np.arange(len(self)) >= len(self.reference)

    @cached_property
    def units(self) -> Indices:
        """The unit of each row, from 0; none has rows of both samples."""
        both = np.concatenate([self.reference.units, self.current.units])
        return np.unique(2 * both + self.labels, return_inverse=True)[1]

    @cached_property
    def kin(self) -> Indices:
        """What must not be parted by folds, from 0."""
        both = np.concatenate([self.reference.kin, self.current.kin])
        return np.unique(both, return_inverse=True)[1]

    def column(self, name: str) -> Floats:
        """Further numbers of all rows."""
        return np.concatenate([self.reference.columns[name], self.current.columns[name]])

    def rows(self, at: Indices) -> Floats:
        """Vectors of these rows in double precision. Shape (rows, dimensions)."""
        found = np.empty((at.size, self.dimensions))
        is_current = at >= len(self.reference)
        found[~is_current] = self.reference.values[at[~is_current]]
        found[is_current] = self.current.values[at[is_current] - len(self.reference)]
        return found

    def blocks(self) -> Iterator[tuple[Indices, Floats]]:
        """All rows, some at a time."""
        for start in range(0, len(self), AT_ONCE):
            at = np.arange(start, min(start + AT_ONCE, len(self)))
            yield at, self.rows(at)

    def drawn(self, most: int, draw: np.random.Generator) -> Indices:
        """No more than so many rows of each sample, drawn at random, in order."""
        sides = (np.flatnonzero(self.labels == label) for label in (False, True))
        return np.concatenate(
            [np.sort(draw.permutation(one)[:most]) if one.size > most else one for one in sides]
        )


def deals(labels: Flags, units: Indices, number: int, draw: np.random.Generator) -> Iterator[Flags]:
    """The labels as they are, then `number` times dealt anew to the units, some deals at a time.

    Yields arrays of shape (deals, rows). Units are numbered from 0, and none has two labels.
    """
    of_unit = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.bool_)
    of_unit[units] = labels
    yield labels[None, :]
    for start in range(0, number, DEALS_AT_ONCE):
        size = min(DEALS_AT_ONCE, number - start)
        yield draw.permuted(np.broadcast_to(of_unit, (size, of_unit.size)), axis=1)[:, units]


def p_value(values: Floats) -> float:
    """How often a deal reaches the first value, which is the one that was found, itself included.

    >>> p_value(np.array([3.0, 1.0, 3.0, 2.0]))
    0.5
    """
    slack = 1e-12 * np.abs(values).max(initial=0.0)
    return float((values >= values[0] - slack).mean())
