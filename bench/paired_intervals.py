"""Which interval of a change to believe: `python -m bench.paired_intervals [PAIRS]` (4000).

Pairs of runs are simulated whose true change is known, from several populations. For each way of
finding a 95 % interval two shares are shown, in percent, nominal 2.5 each: how often its lower end
lies above the true change, so that a rule of `non_inferiority` would pass a drop that is exactly
its bound; and how often its upper end lies below it, so that a gate would fail one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from ragproof.analysis.intervals import FEW, wilson
from ragproof.analysis.paired_ends import Ends, bca, farther, score, student
from ragproof.analysis.resampling import resampling
from ragproof.core.record import Floats

SEED = 20_261_130
SIZES = (20, 50, 100, 300, 1_000)
AT_ONCE = 500
WAYS = ("t", "percentile", "BCa", "score", "shipped")
Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int]], Floats]
"""Differences of pairs, a column a pair of runs."""


def latent(draw: np.random.Generator, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Two standard normals with correlation 0.64."""
    shared = 0.8 * draw.normal(size=size)
    return shared + 0.6 * draw.normal(size=size), shared + 0.6 * draw.normal(size=size)


def changed(falls: float, rises: float) -> Draw:
    """Yes and no, of which so many change."""

    def drawn(draw: np.random.Generator, size: tuple[int, int]) -> Floats:
        chance = draw.random(size)
        return np.asarray((chance < rises) * 1.0 - (chance > 1 - falls) * 1.0)

    return drawn


def banded(draw: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Scores 0, 0.5 and 1."""
    before, after = latent(draw, size)
    steps = [
        (one < ndtri(mean + 0.15)) * 1.0 + (one < ndtri(mean - 0.15))
        for one, mean in ((before, 0.7), (after, 0.65))
    ]
    return np.asarray((steps[1] - steps[0]) / 2)


def continuous(mean: float) -> Draw:
    """Scores from 0 to 1 about a mean."""

    def drawn(draw: np.random.Generator, size: tuple[int, int]) -> Floats:
        before, after = latent(draw, size)
        shift = np.sqrt(2) * ndtri([mean, mean - 0.05])
        return np.asarray(ndtr(shift[1] - after) - ndtr(shift[0] - before))

    return drawn


def rare(noise: float) -> Draw:
    """One pair in ten falls, by a half on average; the others stay about where they are."""

    def drawn(draw: np.random.Generator, size: tuple[int, int]) -> Floats:
        deep = np.where(draw.random(size) < 0.1, -draw.beta(2, 2, size), 0.0)
        return deep + noise * draw.normal(size=size)

    return drawn


def seconds(draw: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Latencies that fall by 0.2; log-normal, without a greatest value."""
    before, after = latent(draw, size)
    return 0.8 * np.exp(after - 0.5) - np.exp(before - 0.5)


POPULATIONS: Mapping[str, tuple[Draw, float]] = {
    "0/1, falls 5 %": (changed(0.05, 0), -0.05),
    "0/1, falls 7, rises 2 %": (changed(0.07, 0.02), -0.05),
    "0/1, falls 20, rises 15 %": (changed(0.20, 0.15), -0.05),
    "three bands": (banded, -0.05),
    "continuous, mean 0.7": (continuous(0.7), -0.05),
    "continuous, mean 0.9": (continuous(0.9), -0.05),
    "rare falls, else ties": (rare(0.0), -0.05),
    "rare falls, else noise": (rare(0.02), -0.05),
    "seconds": (seconds, -0.2),
}


def main() -> None:
    """Print a row a population and size."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    begun = time.process_time()
    print(f"{'lower, upper end wrong':<26}{'n':>5}" + "".join(f"{way:>13}" for way in WAYS))
    for name, (drawn, truth) in POPULATIONS.items():
        for size in SIZES:
            found = wrong(name, size, pairs, drawn, truth)
            told = [f"{found[w][0]:.1f}, {found[w][1]:.1f}" if w in found else "" for w in WAYS]
            print(f"{name:<26}{size:>5}" + "".join(f"{one:>13}" for one in told))
    print(f"{time.process_time() - begun:.0f} CPU s")


def wrong(
    name: str, size: int, pairs: int, drawn: Draw, truth: float
) -> dict[str, tuple[float, float]]:
    """How often each way has its lower end above the truth, and its upper end below, in percent."""
    draw = np.random.default_rng([SEED, [*POPULATIONS].index(name), size])
    ends: dict[str, list[Ends]] = {}
    for _ in range(0, pairs, AT_ONCE):
        differences = drawn(draw, (size, AT_ONCE))
        means = resampling(size).counts @ differences / size
        for at in range(AT_ONCE):
            for way, one in _ends(name, differences[:, at], means[:, at]):
                ends.setdefault(way, []).append(one)
    return {
        way: (
            100 * float(np.mean([low > truth + 1e-9 for low, _ in some])),
            100 * float(np.mean([high < truth - 1e-9 for _, high in some])),
        )
        for way, some in ends.items()
    }


def _ends(name: str, differences: Floats, means: Floats) -> Iterator[tuple[str, Ends]]:
    n, mean = differences.size, float(differences.mean())
    influence = (differences - mean) / n
    error = float(np.sqrt(n / (n - 1) * (influence @ influence)))
    rises, falls = int((differences > 0).sum()), int((differences < 0).sum())
    is_share = name.startswith("0/1")
    if rises + falls == 0:  # what is left open is the same whichever way
        room = wilson(0.0, n)[1]
        for way in WAYS:
            if way != "score" or is_share:
                yield way, (-room, room)
        return
    t, corrected = student(mean, error, n), bca(means, mean, influence)
    low, high = np.percentile(means, (2.5, 97.5))
    yield "t", t
    yield "percentile", (float(low), float(high))
    yield "BCa", corrected
    if is_share:
        yield "score", score(rises, falls, n)
        yield "shipped", farther(t, score(rises, falls, n))
    else:
        yield "shipped", t if n < FEW else farther(t, corrected)


if __name__ == "__main__":
    main()
