"""Exact search: the truth that an approximate index is held to. Memory stays flat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ragproof.core import UsageError
from ragproof.core.record import Floats
from ragproof.index.filters import NO_FILTER, Filters
from ragproof.index.vectors import Places, Values, Vectors

QUERIES, VECTORS = 128, 8_192
"""So many queries are held against so many vectors at a time."""
ROUNDING = 1e-6
"""Relative: nearer than this, two distances are one, as they are to an index of 32-bit floats."""


class Distance(StrEnum):
    """How near two vectors are."""

    COSINE = "cosine"
    IP = "ip"
    """Inner product: the greater, the nearer."""
    L2 = "l2"
    """Euclidean."""


@dataclass(frozen=True)
class Exact:
    """The nearest of each query, best first; equally near ones by row."""

    places: Places
    """A row a query; -1 where fewer are eligible."""
    scores: Floats
    """The greater, the nearer; -inf where there is none."""
    eligible: Places
    """How many vectors a query might be given at all."""
    longest: float
    """The greatest length of a vector, from the `centre`: rounding grows with it."""

    def top(self, k: int) -> Exact:
        """The first k."""
        return Exact(self.places[:, :k], self.scores[:, :k], self.eligible, self.longest)


def exact(
    vectors: Vectors, queries: Vectors, distance: Distance, k: int, filters: Filters = NO_FILTER
) -> Exact:
    """Find the k nearest of each query among the vectors that its filter allows."""
    refuse_without_direction(vectors, distance)
    refuse_without_direction(queries, distance)
    size = len(queries)
    places = np.full((size, k), -1, dtype=np.intp)
    scores = np.full((size, k), -np.inf)
    eligible = np.full(size, len(vectors), dtype=np.intp)
    for asked, allowed in filters.groups(size):
        if allowed is not None:
            eligible[asked] = allowed.size
        for start in range(0, asked.size, QUERIES):
            some = asked[start : start + QUERIES]
            found = _nearest(vectors, queries.values[some], distance, k, allowed)
            places[some], scores[some] = found
    longest = 1.0 if distance is Distance.COSINE else _longest(vectors, centre(vectors, distance))
    return Exact(places, scores, eligible, longest)


def centre(vectors: Vectors, distance: Distance) -> Floats:
    """Where lengths are taken from: of the Euclidean distance any point will do, so one near by.

    Far from it squares are large against their differences, which are lost in rounding.
    """
    if distance is Distance.L2:
        return np.asarray(vectors.values[0], dtype=np.float64)
    return np.zeros(vectors.dimensions)


def _nearest(
    vectors: Vectors, queries: Values, distance: Distance, k: int, allowed: Places | None
) -> tuple[Places, Floats]:
    middle = centre(vectors, distance)
    asked = _directed(queries, distance) - middle
    best = np.full((len(queries), k), -np.inf)
    where = np.full((len(queries), k), -1, dtype=np.intp)
    for rows, block in _blocks(vectors.values, allowed):
        near = _scores(asked, _directed(block, distance) - middle, distance)
        both = np.concatenate([best, near], axis=1)
        at = np.concatenate([where, np.broadcast_to(rows, near.shape)], axis=1)
        kept = _kept(both, k)
        best, where = np.take_along_axis(both, kept, 1), np.take_along_axis(at, kept, 1)
    order = np.lexsort((where, -best), axis=1)
    return np.take_along_axis(where, order, 1), np.take_along_axis(best, order, 1)


def _kept(scores: Floats, k: int) -> Places:
    """The columns of the k greatest of each row; of equal ones, any."""
    if scores.shape[1] == k:
        return np.broadcast_to(np.arange(k), scores.shape)
    return np.argpartition(-scores, k - 1, axis=1)[:, :k]


def _blocks(values: Values, allowed: Places | None) -> Iterator[tuple[Places, Values]]:
    size = len(values) if allowed is None else allowed.size
    for start in range(0, size, VECTORS):
        if allowed is None:
            rows = np.arange(start, min(start + VECTORS, size))
            yield rows, values[start : start + VECTORS]
        else:
            rows = allowed[start : start + VECTORS]
            yield rows, values[rows]


def _directed(values: Values, distance: Distance) -> Floats:
    """In double precision; for the cosine, each of length 1."""
    wide = np.asarray(values, dtype=np.float64)
    if distance is not Distance.COSINE:
        return wide
    found: Floats = wide / np.linalg.norm(wide, axis=-1, keepdims=True)
    return found


def _scores(asked: Floats, block: Floats, distance: Distance) -> Floats:
    near: Floats = asked @ block.T
    if distance is not Distance.L2:
        return near
    square: Floats = (block * block).sum(axis=1) - 2 * near
    square += (asked * asked).sum(axis=1)[:, None]
    return -square


def scores_at(vectors: Vectors, queries: Vectors, distance: Distance, places: Places) -> Floats:
    """How near each query is to the vectors at these places; -inf where there is none."""
    found = np.full(places.shape, -np.inf)
    for start in range(0, len(places), QUERIES):
        rows = slice(start, start + QUERIES)
        asked = _directed(queries.values[rows], distance)[:, None, :]
        there = _directed(vectors.values[places[rows]], distance)
        if distance is Distance.L2:
            near = -((there - asked) ** 2).sum(axis=2)
        else:
            near = (there * asked).sum(axis=2)
        found[rows] = np.where(places[rows] >= 0, near, -np.inf)
    return found


def slack(
    vectors: Vectors, queries: Vectors, distance: Distance, truth: Floats, longest: float
) -> Floats:
    """By how much a score may be below the k-th of its query and still be equal to it."""
    if distance is Distance.COSINE:
        return np.full(truth.shape, ROUNDING)
    asked = np.asarray(queries.values, dtype=np.float64) - centre(vectors, distance)
    lengths: Floats = np.linalg.norm(asked, axis=1)
    relative: Floats = ROUNDING * np.abs(truth)
    return relative + 1e-12 * (lengths**2 + longest**2)


def _longest(vectors: Vectors, middle: Floats) -> float:
    lengths = [
        np.linalg.norm(np.asarray(block, dtype=np.float64) - middle, axis=1).max()
        for _, block in _blocks(vectors.values, None)
    ]
    return float(max(lengths))


def refuse_without_direction(vectors: Vectors, distance: Distance) -> None:
    """Raise UsageError for a vector of length 0 where the cosine is asked for."""
    if distance is not Distance.COSINE:
        return
    for rows, block in _blocks(vectors.values, None):
        empty = np.linalg.norm(np.asarray(block, dtype=np.float64), axis=1) == 0
        if empty.any():
            row = int(rows[np.flatnonzero(empty)[0]])
            raise UsageError(
                f"{vectors.source}: row {row} (from 0): all its numbers are 0, or as good as 0, "
                "and so it has no direction; allowed with --metric cosine: any other vector"
            )
