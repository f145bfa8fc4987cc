"""How stable the nearest neighbours of fixed probes are between two versions of an index. Pure.

Neighbour sets are compared and never vectors: two encoders need not share dimensions or axes, so
that a cosine between their vectors says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import Bounds, Indices, Sample, bounds
from ragproof.core.arrays import Floats
from ragproof.core.spec import Interval, Unit

PERSISTENCE = 0.9
"""Of rank-biased overlap: the ten first ranks carry 86 % of its weight."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean over the probes."""

    name: str
    values: Floats
    """Of each probe."""
    bounds: Bounds

    @property
    def mean(self) -> float:
        """Over the probes."""
        return float(self.values.mean())


@dataclass(frozen=True, slots=True)
class Stability:
    """How much two lists of neighbours of each probe have in common."""

    k: int
    overlap: Figure
    """The share of the k nearest that are the same."""
    jaccard: Figure
    rbo: Figure
    """Rank-biased overlap, extrapolated from depth k."""
    chance: float
    """The overlap that lists drawn at random would have."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All of them."""
        return self.overlap, self.jaccard, self.rbo


def stability(before: Indices, now: Indices, documents: int) -> Stability:
    """Compare the neighbours of each probe, nearest first. Both have shape (probes, k).

    A list names no document twice; both number the documents alike.
    """
    k = before.shape[1]
    depths = shared(before, now)
    share = depths[:, -1] / k
    return Stability(
        k,
        _figure("overlap", share),
        _figure("jaccard", share / (2 - share)),
        _figure("rbo", rank_biased_overlap(depths)),
        k / documents,
    )


def shared(before: Indices, now: Indices) -> Floats:
    """How many documents the first d of both lists share, for each depth d. Shape (probes, k).

    >>> shared(np.array([[1, 2, 3]]), np.array([[2, 1, 4]]))
    array([[0., 2., 2.]])
    """
    found = np.empty(before.shape)
    for depth in range(1, before.shape[1] + 1):
        same = before[:, :depth, None] == now[:, None, :depth]
        found[:, depth - 1] = same.any(axis=2).sum(axis=1)
    return found


def rank_biased_overlap(depths: Floats, persistence: float = PERSISTENCE) -> Floats:
    """RBO_ext of Webber, Moffat, Zobel 2010, ACM TOIS 28: 20, from how many each depth shares.

    >>> rank_biased_overlap(np.array([[0.0, 2.0, 2.0]]), 0.5).round(4)
    array([0.4167])
    """
    at = np.arange(1, depths.shape[1] + 1)
    agreed = depths / at
    weights = persistence**at
    found: Floats = agreed[:, -1] * weights[-1] + (1 - persistence) / persistence * (
        agreed @ weights
    )
    return found


def _figure(name: str, values: Floats) -> Figure:
    sample = Sample(values, np.ones(values.size))
    return Figure(name, values, bounds(sample, Interval.AUTO, Unit.FRACTION))
