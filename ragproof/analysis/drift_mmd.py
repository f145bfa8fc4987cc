"""Maximum mean discrepancy: how far apart two samples are in the space of a kernel.

Gretton, Borgwardt, Rasch, Schoelkopf, Smola 2012, JMLR 13: 723. The kernel is Gaussian,
exp(-|x - y|^2 / (2 s^2)); s is the median distance of two different rows (of both samples: labels
play no part). Where there are more rows than a kernel matrix holds, the mean over blocks of both
samples is taken (Zaremba, Gretton, Blaschko 2013, NIPS 26), so that memory stays flat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.drift_pool import Pool, deals
from ragproof.analysis.intervals import Indices
from ragproof.core import UsageError
from ragproof.core.arrays import Flags, Floats

BLOCK = 1_024
"""Rows of one sample in a kernel matrix."""
LEAST = 16
"""Units of each sample that a block is to have, where there are several."""
ROWS = BLOCK // LEAST
"""Of a unit; of a larger one so many are drawn, so that a block holds units enough to deal."""
MEDIAN_ROWS = 1_000
"""The median distance is that of so many rows of each sample."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """What was found, and what came of labels dealt anew."""

    values: Floats
    """Squared, unbiased: below 0 as often as above where nothing changed. The first is found."""
    width: float
    """The median distance."""
    blocks: int
    rows: int
    """That were used: of a sample that is much larger than the other, not all."""


def squared_distances(one: Floats, other: Floats) -> Floats:
    """Of each row to each row. Shape (rows of one, rows of other)."""
    lengths = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1)
    found: Floats = np.maximum(lengths - 2 * (one @ other.T), 0.0)
    return found


def median_distance(rows: Floats) -> float:
    """The median distance of two different rows; raises UsageError where all are the same."""
    centred = rows - rows.mean(axis=0)
    square = squared_distances(centred, centred)[np.triu_indices(len(rows), 1)]
    longest = float(square.max(initial=0.0))
    apart = square[square > 1e-12 * max(longest, float((centred * centred).sum(axis=1).max()))]
    if apart.size == 0:
        raise UsageError("all vectors are the same, so nothing can be told apart")
    return float(np.sqrt(np.median(apart)))


def squared_mmd(kernel: Floats, current: Flags) -> Floats:
    """The unbiased estimate for each way of labelling the rows.

    `kernel` has shape (rows, rows), `current` (deals, rows). NaN where a sample has no two rows.

    >>> apart = np.kron(np.eye(2), np.ones((2, 2)))
    >>> squared_mmd(apart, np.array([[False, False, True, True], [False, True, False, True]]))
    array([ 2., -1.])
    """
    alone = kernel - np.diag(np.diag(kernel))
    ys = current.astype(np.float64)
    to_ys = ys @ alone
    m = ys.sum(axis=1)
    n = current.shape[1] - m
    within = (to_ys * ys).sum(axis=1)
    across = to_ys.sum(axis=1) - within
    rest = alone.sum() - within - 2 * across
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = rest / (n * (n - 1)) + within / (m * (m - 1)) - 2 * across / (n * m)
    found[(n < 2) | (m < 2)] = np.nan
    return found


def discrepancy(pool: Pool, number: int, draw: np.random.Generator) -> Discrepancy:
    """Find the squared discrepancy, and that of `number` new deals."""
    width = median_distance(pool.rows(pool.drawn(MEDIAN_ROWS, draw)))
    total, blocks, used = np.zeros(number + 1), 0, 0
    for at in _dealt_to_blocks(pool, draw):
        rows = pool.rows(at)
        rows -= rows.mean(axis=0)
        kernel = np.exp(squared_distances(rows, rows) / (-2 * width * width))
        units = np.unique(pool.units[at], return_inverse=True)[1]
        total += np.concatenate(
            [squared_mmd(kernel, some) for some in deals(pool.labels[at], units, number, draw)]
        )
        blocks, used = blocks + 1, used + at.size
    return Discrepancy(total / blocks, width, blocks, used)


def _dealt_to_blocks(pool: Pool, draw: np.random.Generator) -> Iterator[Indices]:
    """Rows of each block: units of both samples, no more rows of either than a block holds."""
    rows = _some_of_each(pool.units, draw)
    units, labels = pool.units[rows], pool.labels[rows]
    sides = [units[labels == label] for label in (False, True)]
    dealt = [draw.permutation(np.unique(side)) for side in sides]
    wanted = -(-max(side.size for side in sides) // BLOCK)
    number = max(1, min(wanted, *(one.size // LEAST for one in dealt)))
    block_of = np.full(int(units.max()) + 1, -1, dtype=np.intp)
    sizes = np.bincount(units)
    for side in dealt:
        block_of[side] = np.arange(side.size) % number
        for block in range(number):
            mine = side[block::number]
            block_of[mine[np.cumsum(sizes[mine]) > BLOCK]] = -1
    order = np.argsort(block_of[units], kind="stable")
    bounds = np.searchsorted(block_of[units][order], np.arange(number + 1))
    for block in range(number):
        yield rows[order[bounds[block] : bounds[block + 1]]]


def _some_of_each(units: Indices, draw: np.random.Generator) -> Indices:
    """The rows, in order; of a large unit some, drawn at random."""
    sizes = np.bincount(units)
    if sizes.max() <= ROWS:
        return np.arange(units.size)
    order = draw.permutation(units.size)
    order = order[np.argsort(units[order], kind="stable")]
    place = np.arange(units.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort(order[place < ROWS])
