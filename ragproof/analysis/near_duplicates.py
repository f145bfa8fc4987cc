"""Find near-duplicates by MinHash and banding, and what settings make of labelled pairs. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = tuple[str, str]
"""Two documents, the lesser id first."""
Signatures: TypeAlias = NDArray[np.uint64]
HIGH = np.uint64(32)
"""Of a product of 64 bits the upper half is well mixed."""
CAUGHT = 0.95
"""How surely a pair that is exactly as alike as asked is to become a candidate."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents that are taken for the same, and how alike they are estimated to be."""

    ids: Ids
    estimate: float


@dataclass(frozen=True, slots=True)
class Setting:
    """What one setting of the detector does on labelled documents."""

    permutations: int
    threshold: float
    merged: int
    duplicates: int
    both: int

    @property
    def precision(self) -> float | None:
        """Of the merged pairs, the share that are duplicates; None where none were merged."""
        return self.both / self.merged if self.merged else None

    @property
    def recall(self) -> float | None:
        """Of the pairs of duplicates, the share that were merged; None where there are none."""
        return self.both / self.duplicates if self.duplicates else None

    @property
    def false_merge_rate(self) -> float | None:
        """Of the merged pairs, the share that are no duplicates."""
        return (self.merged - self.both) / self.merged if self.merged else None

    @property
    def missed_merge_rate(self) -> float | None:
        """Of the pairs of duplicates, the share that were not merged."""
        return (self.duplicates - self.both) / self.duplicates if self.duplicates else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None where nothing is merged and nothing to be."""
        both = self.merged + self.duplicates
        return 2 * self.both / both if both else None


def signature(shingles: Iterable[str], permutations: int = 128, seed: int = 1) -> Signatures | None:
    """The least value of each permutation over the shingles; None where there are no shingles.

    Raises ValueError for less than one permutation. A signature begins with all shorter ones.
    """
    if permutations < 1:
        raise ValueError(f"permutations must be at least 1, got {permutations}")
    hashes = {crc32(one.encode("utf-8", "surrogatepass")) for one in shingles}
    if not hashes:
        return None
    draws = np.random.default_rng(seed).integers(1, 2**63, size=(permutations, 2), dtype=np.uint64)
    values = np.fromiter(hashes, np.uint64, len(hashes))
    # multiply, add, shift (Dietzfelbinger 1996): what is above 64 bits falls away
    least = [
        ((values * np.uint64(factor * 2 + 1) + np.uint64(more)) >> HIGH).min()
        for factor, more in draws.tolist()
    ]
    return np.array(least, dtype=np.uint64)


def near_duplicates(
    signatures: Mapping[str, Signatures | None], threshold: float = 0.8
) -> list[Pair]:
    """Pairs of documents whose estimated Jaccard similarity is at least the threshold.

    Only documents that agree in a whole band of their signatures are compared: as wide a band as
    finds a pair at the threshold 95 times in 100. A document without shingles is in no pair.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, got {threshold}")
    there = {name: one for name, one in sorted(signatures.items()) if one is not None}
    pairs = []
    for one, other in sorted(_candidates(there, threshold)):
        estimate = float(np.mean(there[one] == there[other]))
        if estimate >= threshold:
            pairs.append(Pair((one, other), estimate))
    return pairs


def sweep(
    shingles: Mapping[str, Iterable[str]],
    duplicates: Iterable[Ids],
    permutations: Sequence[int] = (16, 32, 64, 128, 256),
    thresholds: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9),
) -> list[Setting]:
    """Try every number of permutations with every threshold on labelled pairs.

    Raises ValueError for a pair whose document is not there.
    """
    wanted = {(min(pair), max(pair)) for pair in duplicates}
    if unknown := sorted({name for pair in wanted for name in pair} - shingles.keys()):
        raise ValueError(f"a labelled pair names {unknown[0]!r}, which is not among the documents")
    widest = {name: signature(one, max(permutations)) for name, one in shingles.items()}
    found: list[Setting] = []
    for count in permutations:
        cut = {name: None if one is None else one[:count] for name, one in widest.items()}
        for threshold in thresholds:
            merged = {pair.ids for pair in near_duplicates(cut, threshold)}
            both = len(merged & wanted)
            found.append(Setting(count, threshold, len(merged), len(wanted), both))
    return found


def best(settings: Iterable[Setting]) -> Setting:
    """The setting of the best F1; of equals the fewest permutations, then the strictest."""
    return max(settings, key=lambda one: (one.f1 or 0.0, -one.permutations, one.threshold))


def band_width(permutations: int, threshold: float) -> int:
    """The widest band that still finds a pair at the threshold; 1 where none surely does."""
    return max(
        (
            width
            for width in range(1, permutations + 1)
            if 1 - (1 - threshold**width) ** (permutations // width) >= CAUGHT
        ),
        default=1,
    )


def _candidates(there: Mapping[str, Signatures], threshold: float) -> set[Ids]:
    if not there:
        return set()
    permutations = len(next(iter(there.values())))
    width = band_width(permutations, threshold)
    found: set[Ids] = set()
    for start in range(0, permutations - width + 1, width):
        buckets: dict[bytes, list[str]] = defaultdict(list)
        for name, one in there.items():
            buckets[one[start : start + width].tobytes()].append(name)
        for names in buckets.values():
            found.update(combinations(names, 2))
    return found
