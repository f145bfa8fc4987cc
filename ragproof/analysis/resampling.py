"""Chance, drawn once: the same resamples and the same swaps for every metric of a comparison.

What is drawn depends on the number of units alone, so a metric's interval and p-value are the same
whichever others are asked for. More units than there are blocks are put together at random: blocks
of independent units are independent, and swapping whole blocks is a subgroup of all swaps, so both
methods stay valid while their cost no longer grows with the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from ragproof.analysis.intervals import BLOCKS, RESAMPLES, SEED, Indices
from ragproof.core.record import Floats

SWAPS = 10_000
"""Random exchanges of the two runs: the smallest p-value is about 1 in as many."""
AT_ONCE = 500
"""Swaps that are in memory as numbers."""


class Resampling:
    """The draws for so many independent units."""

    def __init__(self, units: int, resamples: int = RESAMPLES) -> None:
        self.blocks, self._resamples = min(units, BLOCKS), resamples
        self._block_of = np.arange(units)
        if units > BLOCKS:
            shuffled = np.random.default_rng(SEED).permutation(units)
            self._block_of = shuffled * self.blocks // units

    def by_block(self, unit: Indices, values: Floats) -> Floats:
        """Sum values by the block of their unit."""
        sums = np.bincount(self._block_of[unit], values, minlength=self.blocks)
        return sums.astype(np.float64)

    def block_of(self, unit: Indices) -> Indices:
        """The blocks of units."""
        return self._block_of[unit]

    @cached_property
    def counts(self) -> Floats:
        """How often each resample has each block. Shape (resamples, blocks)."""
        size, draw = self.blocks, np.random.default_rng(SEED + 1)
        counts = np.empty((self._resamples, size))
        for start in range(0, self._resamples, RESAMPLES):
            some = counts[start : start + RESAMPLES]
            drawn = draw.integers(0, size, some.shape, dtype=np.uint32)
            flat = drawn + np.arange(len(some), dtype=np.uint32)[:, None] * np.uint32(size)
            some[:] = np.bincount(flat.ravel(), minlength=some.size).reshape(some.shape)
        return counts

    def resampled(self, sums: Floats) -> Floats:
        """The total of each resample."""
        return self.counts @ sums

    def swapped(self, columns: Sequence[Floats]) -> list[Floats]:
        """The total over the blocks that each random exchange swaps, for each column of sums.

        Each is multiplied by itself: together they would be rounded differently in another
        company.
        """
        found = [np.empty(SWAPS) for _ in columns]
        for start in range(0, SWAPS, AT_ONCE):
            some = slice(start, start + AT_ONCE)
            bits = np.unpackbits(self._swaps[some], axis=1, count=self.blocks).astype(np.float64)
            for total, sums in zip(found, columns, strict=True):
                total[some] = bits @ sums
        return found

    @cached_property
    def _swaps(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        draw = np.random.default_rng(SEED + 2)
        return draw.integers(0, 256, (SWAPS, (self.blocks + 7) // 8), dtype=np.uint8)


@lru_cache(maxsize=4)
def resampling(units: int, resamples: int = RESAMPLES) -> Resampling:
    """The draws for so many units, drawn when they are first asked for."""
    return Resampling(units, resamples)
