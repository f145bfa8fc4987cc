"""Which parts of the traffic became more or fewer: tags, and the words of the texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import ends_of_difference, wilson
from ragproof.core.arrays import Floats

NONE = "(none)"
"""The value of a row that lacks the tag."""
OTHERS = "(others)"
MOST = 100
"""Values of one tag that are looked at; the rarer ones count as one."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The share of units with one value of one tag, before and now."""

    tag: str
    value: str
    reference: int
    current: int
    """Units with it."""
    shares: tuple[float, float]
    ends: tuple[float, float]
    """95 % interval of the difference, current less reference; Newcombe's, from Wilson's."""
    p_value: float
    """Fisher's exact test, two-sided."""
    p_adjusted: float
    """By Holm, over all values of all tags."""

    @property
    def difference(self) -> float:
        """Share now less share before."""
        return self.shares[1] - self.shares[0]


def slices(
    reference: Sequence[Mapping[str, str]], current: Sequence[Mapping[str, str]]
) -> tuple[Slice, ...]:
    """Compare the shares of every value of every tag that both samples have; surest first.

    Each mapping is a unit. A tag that only one of them has is none that can have changed.
    """
    sides = reference, current
    names = [{name for one in side for name in one} for side in sides]
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for tag in sorted(names[0] & names[1]):
        counts = [Counter(one.get(tag, NONE) for one in side) for side in sides]
        kept = {value for value, _ in (counts[0] + counts[1]).most_common(MOST)}
        for value in sorted(kept):
            found[tag, value] = counts[0][value], counts[1][value]
        if rest := [one.total() - sum(one[value] for value in kept) for one in counts]:
            found |= {(tag, OTHERS): (rest[0], rest[1])} if any(rest) else {}
    sizes = len(reference), len(current)
    p_values = {key: fisher(counts, sizes) for key, counts in found.items()}
    adjusted = holm(p_values)
    made = [
        Slice(*key, *counts, *_difference(counts, sizes), p_values[key], adjusted[key])
        for key, counts in found.items()
    ]
    return tuple(sorted(made, key=lambda one: (one.p_value, -abs(one.difference), one.tag)))


def surest(found: Sequence[Slice]) -> float | None:
    """The p-value that no slice changed, by Holm over all; None where there are none."""
    return min((one.p_adjusted for one in found), default=None)


def one_sided(
    reference: Sequence[Mapping[str, str]], current: Sequence[Mapping[str, str]]
) -> tuple[str, ...]:
    """The tags that only one of the samples has."""
    names = [{name for one in side for name in one} for side in (reference, current)]
    return tuple(sorted(names[0] ^ names[1]))


def fisher(hits: tuple[int, int], sizes: tuple[int, int]) -> float:
    """Fisher's exact test of two shares, two-sided: tables no likelier than this one.

    >>> round(fisher((3, 1), (4, 4)), 4)
    0.4857
    """
    whole, total = sum(sizes), sum(hits)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, whole + 1)))])

    def choose(n: int, k: Floats) -> Floats:
        at = k.astype(np.intp)
        found: Floats = logs[n] - logs[at] - logs[n - at]
        return found

    low, high = max(0, total - sizes[1]), min(total, sizes[0])
    possible = np.arange(low, high + 1, dtype=np.float64)
    chances = choose(sizes[0], possible) + choose(sizes[1], total - possible)
    chances -= chances.max()
    mine = chances[hits[0] - low]
    weights = np.exp(chances)
    return min(1.0, float(weights[chances <= mine + 1e-7].sum() / weights.sum()))


def _difference(
    hits: tuple[int, int], sizes: tuple[int, int]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The shares, and the interval of their difference."""
    before, now = (hit / size for hit, size in zip(hits, sizes, strict=True))
    return (before, now), ends_of_difference(
        before, wilson(before, sizes[0]), now, wilson(now, sizes[1])
    )


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the share of texts that have it."""

    word: str
    shares: tuple[float, float]


def telling_words(
    reference: Iterable[frozenset[str]], current: Iterable[frozenset[str]], number: int
) -> tuple[Word, ...]:
    """The words that became most frequent, by the likelihood ratio G2 (Dunning 1993, CL 19: 61).

    Each set holds the words of one text. Words in fewer than three texts are left out.
    """
    sides = [list(reference), list(current)]
    counts = [Counter(word for one in side for word in one) for side in sides]
    sizes = [len(side) for side in sides]
    gains: dict[str, float] = {}
    for word, now in counts[1].items():
        before = counts[0][word]
        if now + before >= 3 and now / sizes[1] > before / sizes[0]:
            gains[word] = _likelihood_ratio((before, now), (sizes[0], sizes[1]))
    best = sorted(gains, key=lambda word: (-gains[word], word))[:number]
    return tuple(
        Word(word, (counts[0][word] / sizes[0], counts[1][word] / sizes[1])) for word in best
    )


def _likelihood_ratio(hits: tuple[int, int], sizes: tuple[int, int]) -> float:
    pooled = sum(hits) / sum(sizes)

    def part(seen: float, expected: float) -> float:
        return seen * math.log(seen / expected) if seen else 0.0

    return 2 * sum(
        part(hit, size * pooled) + part(size - hit, size * (1 - pooled))
        for hit, size in zip(hits, sizes, strict=True)
    )
