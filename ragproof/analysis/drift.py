"""Whether two samples of vectors are of one distribution: several detectors, one decision. Pure.

Every detector is a statistic whose p-value comes from labels dealt anew (`drift_pool`); together
they are adjusted by Holm, so that a false alarm of any of them is as rare as `alpha` says. Where no
alarm is raised, the same detectors are tried on a known shift of samples of this size: a test that
would have missed it has shown nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ragproof.analysis.drift_classifier import Separation, separation
from ragproof.analysis.drift_kl import Divergence, axes, divergences, projected
from ragproof.analysis.drift_mmd import Discrepancy, discrepancy
from ragproof.analysis.drift_pool import Pool, p_value
from ragproof.analysis.holm import holm
from ragproof.core.arrays import Floats

LEAST = 10
"""Independent units of a sample below which nothing can be told, and nothing should be asked."""
MMD, CLASSIFIER, KL, SLICES = "mmd", "classifier", "kl", "slices"
TESTS = 4
"""Detectors, at most."""
TOGETHER = "together"
"""What all detectors say, adjusted."""


class Verdict(StrEnum):
    """What may be said."""

    DRIFT = "drift"
    NONE = "no drift shown"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How samples are held against each other."""

    alpha: float = 0.05
    deals: int = 599
    """Times that the labels are dealt anew; of 600 ways 10 are 5 % shared by three tests."""
    axes: int = 3
    """Principal components whose distributions are compared."""
    seed: int = 0
    intervals: bool = True
    """Whether intervals are wanted, or p-values alone."""


@dataclass(frozen=True, slots=True)
class Detected:
    """What one detector found."""

    name: str
    value: float
    """The statistic; the greater, the more drift. Of slices, their smallest p-value."""
    ends: tuple[float, float] | None
    chance: tuple[float, float] | None
    """Median and 95 % quantile of the statistic where labels mean nothing."""
    p_value: float
    p_adjusted: float
    alpha: float

    @property
    def is_alarm(self) -> bool:
        """Whether it is believed, all detectors considered."""
        return self.p_adjusted <= self.alpha


@dataclass(frozen=True)
class Findings:
    """What all detectors found."""

    setup: Setup
    discrepancy: Discrepancy
    separation: Separation
    divergences: Mapping[str, Divergence]
    """By what was measured: `axis 1`, or the name of a column. The deals are the same for all."""
    detected: tuple[Detected, ...] = field(default=())

    @property
    def is_alarm(self) -> bool:
        """Whether any detector is believed."""
        return any(one.is_alarm for one in self.detected)

    @property
    def greatest(self) -> Floats:
        """The greatest divergence of any number, as found and for each deal."""
        found: Floats = np.max([one.values for one in self.divergences.values()], axis=0)
        return found

    def p_of(self, name: str) -> float:
        """The p-value of one number's divergence, held to the greatest of any in each deal.

        So all of them are adjusted at once (Westfall, Young 1993).
        """
        mine = self.divergences[name].values[:1]
        return p_value(np.concatenate([mine, self.greatest[1:]]))


def detect(pool: Pool, setup: Setup, of_slices: float | None = None) -> Findings:
    """Run all detectors; `of_slices` is the p-value of one more test, of the shares of slices.

    Raises UsageError where all vectors are the same.
    """
    draws = [np.random.default_rng([setup.seed, at]) for at in range(3)]
    found = Findings(
        setup,
        discrepancy(pool, setup.deals, draws[0]),
        separation(pool, setup.deals, draws[1]),
        _divergences(pool, setup, draws[2]),
    )
    return replace(found, detected=tuple(_detected(found, of_slices)))


def fewest_deals(alpha: float) -> int:
    """With fewer deals no p-value can be small enough for an alarm, all tests considered.

    >>> fewest_deals(0.05), fewest_deals(0.01)
    (79, 399)
    """
    return math.ceil(TESTS / alpha - 1e-9) - 1


def _detected(found: Findings, of_slices: float | None) -> Iterator[Detected]:
    statistics: dict[str, tuple[Floats, tuple[float, float] | None]] = {
        MMD: (found.discrepancy.values, None),
        CLASSIFIER: (found.separation.areas, found.separation.ends),
        KL: (found.greatest, None),
    }
    p_values = {name: p_value(values) for name, (values, _) in statistics.items()}
    if of_slices is not None:
        p_values[SLICES] = of_slices
    adjusted, alpha = holm(p_values), found.setup.alpha
    for name, (values, ends) in statistics.items():
        chance = by_chance(values)
        ps = p_values[name], adjusted[name]
        yield Detected(name, float(values[0]), ends, chance, *ps, alpha)
    if of_slices is not None:
        yield Detected(SLICES, of_slices, None, None, of_slices, adjusted[SLICES], alpha)


def _divergences(pool: Pool, setup: Setup, draw: np.random.Generator) -> dict[str, Divergence]:
    along = projected(pool, axes(pool, setup.axes, draw))
    numbers = {f"axis {at}": one for at, one in enumerate(along, 1)}
    numbers |= {name: pool.column(name) for name in pool.reference.columns}
    deal = np.random.default_rng([setup.seed, 3])
    return divergences(pool, numbers, setup.deals, deal, has_interval=setup.intervals)


def by_chance(values: Floats) -> tuple[float, float]:
    """Median and 95 % quantile of what came of the deals; the first value is what was found."""
    median, high = np.quantile(values[1:], (0.5, 0.95), method="higher")
    return float(median), float(high)
