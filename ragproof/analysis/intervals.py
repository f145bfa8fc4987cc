"""Confidence intervals of a run's figures: 95 %, two-sided, equal for equal data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core.record import Floats
from ragproof.core.spec import Interval, Unit

Indices: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = NDArray[np.complex128]
"""Numerator and denominator in one number, the second as its imaginary part; added as one."""

SEED = 20_240_229
"""Of every resampling, so that an interval depends on nothing but its own metric's scores."""
RESAMPLES = 2_000
FEW = 50
"""Below this many units the bootstrap is too narrow and Student's t is used."""
DISTINCT = 64
"""Up to so many different values are drawn by their counts."""
BLOCKS = 1_000
"""More units than this, of more different values, are resampled as so many random blocks."""
Z = 1.959963984540054
# fmt: off
T_QUANTILES = (
    12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851,
    2.364624252, 2.306004135, 2.262157163, 2.228138852, 2.200985160, 2.178812830,
    2.160368656, 2.144786688, 2.131449546, 2.119905299, 2.109815578, 2.100922040,
    2.093024054, 2.085963447, 2.079613845, 2.073873068, 2.068657610, 2.063898562,
    2.059538553, 2.055529439, 2.051830516, 2.048407142, 2.045229642, 2.042272456,
    2.039513446, 2.036933343, 2.034515297, 2.032244509, 2.030107928, 2.028094001,
    2.026192463, 2.024394164, 2.022690920, 2.021075390, 2.019540970, 2.018081703,
    2.016692199, 2.015367574, 2.014103389, 2.012895599, 2.011740514, 2.010634758,
)
"""97.5 % quantiles of Student's t for 1 to 48 degrees of freedom."""
# fmt: on


@dataclass(frozen=True, slots=True)
class Sample:
    """What independent units contribute to a figure: the sum of numerators over denominators.

    For a plain mean over cases a unit is a case, its numerator the score, its denominator 1.
    Where cases stand or fall together a unit is a cluster, and both are sums over its cases.
    """

    numerators: Floats
    denominators: Floats
    clustered: bool = False

    @property
    def figure(self) -> float | None:
        """The figure, or None when nothing was scored or all denominators are 0."""
        whole = float(self.denominators.sum())
        return float(self.numerators.sum()) / whole if whole > 0 else None


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval; `ends` is None, and the method `none`, where there is no honest one."""

    ends: tuple[float, float] | None
    method: str


UNKNOWN = Bounds(None, "none")


def bounds(sample: Sample, wanted: Interval, unit: Unit) -> Bounds:
    """Find the interval of the sample's figure.

    Units of equal values show no spread from which one could be computed. For shares of yes and
    no there is still Wilson's; for anything else an interval of width zero would claim certainty,
    and so there is none.
    """
    figure, n = sample.figure, sample.numerators.size
    if figure is None or wanted is Interval.NONE:
        return UNKNOWN
    if _is_share(sample, wanted, unit):
        return Bounds(wilson(figure, n), "wilson")
    spread = sample.numerators - figure * sample.denominators
    if n < 2 or np.abs(spread).max() <= 1e-12 * np.abs(sample.numerators).max(initial=1e-300):
        if n > 1 and unit is Unit.FRACTION and figure in {0.0, 1.0}:
            return _named(wilson(figure, n), "wilson", sample)
        return UNKNOWN
    low, high = unit.range
    if n < FEW:
        margin = T_QUANTILES[n - 2] * _standard_error(sample, spread)
        ends = (max(low, figure - margin), min(high, figure + margin))
        return _named(ends, "student t", sample)
    return _named(_bootstrapped(sample), "bootstrap", sample)


def effective(figure: float | None, cases: float) -> Bounds:
    """Find the interval of a figure of a set, a share that is worth so many cases."""
    return UNKNOWN if figure is None or cases <= 0 else Bounds(wilson(figure, cases), "wilson")


def wilson(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """Wilson's score interval of a share of n; Wilson 1927, JASA 22:209."""
    centre = share + z * z / (2 * n)
    margin = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low, high = (centre - margin) / scale, (centre + margin) / scale
    return (0.0 if share == 0 else low, 1.0 if share == 1 else high)


def ends_of_difference(
    before: float, before_ends: tuple[float, float], after: float, after_ends: tuple[float, float]
) -> tuple[float, float]:
    """The interval of a difference, after less before, of two independent figures with intervals.

    Of shares with Wilson's intervals it is Newcombe's method 10 (1998, Stat. Med. 17: 873); of
    others Zou and Donner's (2008, Stat. Med. 27: 1693).

    >>> low, high = ends_of_difference(48 / 80, wilson(48 / 80, 80), 56 / 70, wilson(56 / 70, 70))
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    delta = after - before
    down = math.hypot(after - after_ends[0], before_ends[1] - before)
    up = math.hypot(after_ends[1] - after, before - before_ends[0])
    return delta - down, delta + up


def _is_share(sample: Sample, wanted: Interval, unit: Unit) -> bool:
    """Whether every unit counts once with a yes or a no.

    A metric that asks for Wilson's also gets it where repeats were averaged: no other values in
    [0, 1] spread wider than yes and no, so it is then on the safe side.
    """
    if sample.clustered or unit is not Unit.FRACTION or (sample.denominators != 1).any():
        return False
    values = sample.numerators
    return wanted is Interval.WILSON or bool(((values == 0) | (values == 1)).all())


def _named(ends: tuple[float, float], method: str, sample: Sample) -> Bounds:
    return Bounds(ends, f"cluster {method}" if sample.clustered else method)


def _standard_error(sample: Sample, spread: Floats) -> float:
    """Of a ratio of sums, linearised; of a mean it is the usual s / sqrt(n)."""
    n = spread.size
    return math.sqrt(n / (n - 1) * float(spread @ spread)) / float(sample.denominators.sum())


def _bootstrapped(sample: Sample) -> tuple[float, float]:
    """Percentile bootstrap: figures of as many units drawn again with replacement."""
    draw = np.random.default_rng(SEED)
    units = sample.numerators + 1j * sample.denominators
    atoms, counts = np.unique(units, return_counts=True)
    if atoms.size <= DISTINCT:  # drawing how often each value comes is the same, and quick
        sums = draw.multinomial(units.size, counts / units.size, RESAMPLES) @ atoms
    else:
        sums = _resampled(_blocks(units, draw), draw)
    defined = sums[sums.imag > 0]
    low, high = np.percentile(defined.real / defined.imag, (2.5, 97.5))
    return float(low), float(high)


def _blocks(units: Pairs, draw: np.random.Generator) -> Pairs:
    """Sums of random blocks, or the units themselves where they are few.

    Blocks of independent units are independent, so resampling them is valid; their number fixes
    the cost, whatever the size of the run.
    """
    if units.size <= BLOCKS:
        return units
    starts = np.arange(BLOCKS) * units.size // BLOCKS
    return np.add.reduceat(draw.permutation(units), starts)


def _resampled(units: Pairs, draw: np.random.Generator, at_once: int = 100) -> Pairs:
    """The sum of each resample; a few at once, so that memory stays flat."""
    shape = (at_once, units.size)
    parts = [
        units[draw.integers(0, units.size, shape, dtype=np.uint32)].sum(axis=1)
        for _ in range(RESAMPLES // at_once)
    ]
    return np.concatenate(parts)
