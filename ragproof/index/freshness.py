"""How long after its commit a document can be found, from timestamps that were written down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

INFINITE = math.inf


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """What became of one document; times in seconds on one clock."""

    document_id: str
    committed: float
    """When the index said that it had taken the document."""
    retrievable: float | None
    """When it was first found; None where it never was."""
    waited: float | None = None
    """For one never found: how long it was looked for, where that is known."""
    uncertain: float = 0.0
    """It may have been retrievable by so many seconds earlier: it was looked for only so often."""

    @property
    def lag(self) -> float:
        """Seconds from commit to retrievable; infinite where it was never found."""
        return INFINITE if self.retrievable is None else self.retrievable - self.committed


@dataclass(frozen=True, kw_only=True)
class Freshness:
    """The lags of all documents."""

    arrivals: tuple[Arrival, ...]
    never: int
    """Documents that were never found."""
    p50: float | None
    """Nearest rank over the documents that were found; None where none was."""
    p99: float | None
    p50_of_all: float
    """The same over all, those never found as infinitely late: a loss cannot improve it."""
    p99_of_all: float
    greatest: float
    """The greatest lag; infinite where a document was never found."""


def freshness(arrivals: Sequence[Arrival]) -> Freshness:
    """Sum up; there must be at least one arrival.

    >>> found = freshness([Arrival(document_id="a", committed=0, retrievable=2.0),
    ...                    Arrival(document_id="b", committed=0, retrievable=None)])
    >>> found.p50, found.p99, found.p99_of_all, found.never
    (2.0, 2.0, inf, 1)
    """
    lags = sorted(one.lag for one in arrivals)
    there = [lag for lag in lags if lag != INFINITE]
    return Freshness(
        arrivals=tuple(arrivals),
        never=len(lags) - len(there),
        p50=nearest_rank(there, 50) if there else None,
        p99=nearest_rank(there, 99) if there else None,
        p50_of_all=nearest_rank(lags, 50),
        p99_of_all=nearest_rank(lags, 99),
        greatest=lags[-1],
    )


def nearest_rank(ordered: Sequence[float], percent: int) -> float:
    """The value at rank ceil(percent / 100 * n), from 1, of values in ascending order.

    >>> nearest_rank([1.0, 2.0, 3.0, 4.0], 50), nearest_rank([1.0, 2.0, 3.0, 4.0], 99)
    (2.0, 4.0)
    """
    return ordered[max(1, -(-percent * len(ordered) // 100)) - 1]
