"""Find texts that are nearly the same, among many, without comparing each with each.

A text is the set of its stretches of 5 characters; two are alike when these sets share at least so
much (Jaccard). Candidates come from MinHash signatures cut into bands (Broder 1997, SEQUENCES: 21;
Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, ch. 3); every pair that is reported was
compared in full. With 16 bands of 4, a pair that shares 0.8 is a candidate in 9,998 of 10,000
cases, one that shares 0.7 in 98 of 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ragproof.text.shingles import jaccard, shingles

Words = NDArray[np.uint64]
K = 5
BANDS, ROWS = 16, 4
WINDOW = 12
"""In a band, a text is compared with so many of those that agree with it there."""
MOST = 300_000
"""So many pairs are compared in full."""
SLACK = 0.15
"""Three standard deviations of a share that 64 hashes estimate."""
_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Alike:
    """Texts that belong together: each is like another of the group."""

    members: tuple[int, ...]
    """Places in the list of texts, in order."""
    similarity: float
    """The lowest of the pairs that tie the group together."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The groups of a list of texts."""

    groups: tuple[Alike, ...]
    crowded: bool
    """Whether so many texts resemble each other that pairs may have been missed."""


class Joined:
    """Places that belong together, joined pair by pair."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def root(self, at: int) -> int:
        """The place that stands for all that belong with this one: the first."""
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, other: int) -> bool:
        """Put two together; tell whether they were apart."""
        low, high = sorted((self.root(one), self.root(other)))
        self._above[high] = low
        return low != high

    def groups(self) -> dict[int, list[int]]:
        """The first place of each group of two and more, to all its places."""
        found: dict[int, list[int]] = {}
        for at in range(len(self._above)):
            found.setdefault(self.root(at), []).append(at)
        return {first: places for first, places in found.items() if len(places) > 1}


def alike(texts: Sequence[str], least: float = 0.8) -> Likeness:
    """Group the texts that share at least `least`; texts below 5 characters resemble none."""
    long = [at for at, text in enumerate(texts) if len(text) >= K]
    signatures = _signatures([texts[at] for at in long])
    firsts, seconds, crowded = _candidates(signatures, least)
    cached = lru_cache(maxsize=4096)(lambda at: shingles(texts[at], K))
    joined, ties = Joined(len(texts)), []
    for number, (first, second) in enumerate(zip(firsts, seconds, strict=True)):
        if number >= MOST:
            crowded = True
            break
        one, other = long[first], long[second]
        if joined.root(one) == joined.root(other):
            continue
        share = jaccard(cached(one), cached(other))
        if share is not None and share >= least:
            joined.join(one, other)
            ties.append((one, share))
    lowest: dict[int, float] = {}
    for at, share in ties:
        root = joined.root(at)
        lowest[root] = min(share, lowest.get(root, 1.0))
    groups = joined.groups()
    return Likeness(tuple(Alike(tuple(groups[at]), lowest[at]) for at in groups), crowded)


def _signatures(texts: Sequence[str]) -> NDArray[np.uint32]:
    """The least of each of 64 hashes of the shingles of each text; shape (texts, 64)."""
    draw = np.random.default_rng(K)
    factors = draw.integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    shifts = draw.integers(0, 2**63, BANDS * ROWS, dtype=np.uint64)
    found = np.empty((len(texts), BANDS * ROWS), dtype=np.uint32)
    for begin in range(0, len(texts), _AT_ONCE):
        some = texts[begin : begin + _AT_ONCE]
        hashes, starts = _hashes(some)
        for at in range(BANDS * ROWS):
            mixed = (hashes * factors[at] + shifts[at]) >> np.uint64(32)
            found[begin : begin + len(some), at] = np.minimum.reduceat(mixed, starts)
    return found


def _hashes(texts: Sequence[str]) -> tuple[Words, NDArray[np.intp]]:
    """A hash of every shingle, text by text, and where each text begins."""
    lower = [text.lower() for text in texts]
    letters = np.frombuffer("".join(lower).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    sizes = np.array([len(text) for text in lower])
    rolled = np.zeros(letters.size - K + 1, dtype=np.uint64)
    for at in range(K):
        rolled = rolled * np.uint64(0x100000001B3) + letters[at : at + rolled.size]
    rolled ^= rolled >> np.uint64(29)
    rolled *= np.uint64(0xBF58476D1CE4E5B9)
    rolled ^= rolled >> np.uint64(32)
    ends = np.cumsum(sizes)
    inside = np.ones(letters.size, dtype=bool)
    for back in range(1, K):
        inside[ends - back] = False
    counts = sizes - K + 1
    return rolled[inside[: rolled.size]], np.concatenate(([0], np.cumsum(counts)[:-1]))


def _candidates(signatures: NDArray[np.uint32], least: float) -> tuple[list[int], list[int], bool]:
    """Pairs that agree in a band and, by all their hashes, may share enough: the first ones."""
    size = len(signatures)
    found, crowded = np.empty(0, dtype=np.int64), False
    for keys in _bands(signatures):
        here = [found]
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        for lag in range(1, min(WINDOW + 1, size)):
            same = ordered[lag:] == ordered[:-lag]
            if not same.any():
                break
            first, second = order[:-lag][same], order[lag:][same]
            pairs = np.minimum(first, second) * size + np.maximum(first, second)
            here.append(_likely(pairs, signatures, least))
            crowded = crowded or (lag == WINDOW and here[-1].size > 0)
        found = np.unique(np.concatenate(here))[: MOST + 1]  # no more are looked at, and one tells
    first, second = np.divmod(found, max(size, 1))
    return first.tolist(), second.tolist(), crowded


def _bands(signatures: NDArray[np.uint32]) -> Iterator[Words]:
    for band in range(BANDS):
        keys = np.zeros(len(signatures), dtype=np.uint64)
        for row in range(ROWS):
            keys = keys * np.uint64(0x9E3779B97F4A7C15) + signatures[:, band * ROWS + row]
        yield keys


def _likely(
    pairs: NDArray[np.int64], signatures: NDArray[np.uint32], least: float
) -> NDArray[np.int64]:
    kept = [pairs[:0]]
    for begin in range(0, pairs.size, _AT_ONCE):
        some = pairs[begin : begin + _AT_ONCE]
        first, second = np.divmod(some, len(signatures))
        share = (signatures[first] == signatures[second]).mean(axis=1)
        kept.append(some[share >= least - SLACK])
    return np.concatenate(kept)
