"""How many cases a change needs, what those at hand can show, and when one may look. Pure.

The test is the paired t-test, two-sided; its power is exact, from the noncentral t distribution,
integrated over the spread's own distribution. Looks before the end spend the significance level
by a function of the share of cases that are in (Lan, DeMets 1983, Biometrika 70: 659), and their
boundaries come from the recursion of Armitage, McPherson, Rowe 1969 (JRSS A 132: 235).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from statistics import NormalDist

import numpy as np

from ragproof.core.record import Floats

NORMAL = NormalDist()
MOST = 10_000_000
"""More units than this settle nothing in practice."""
NODES = 200
GRID = 401
"""Points of the recursion over looks."""


class Spending(StrEnum):
    """How the significance level is spent over the looks."""

    OBRIEN_FLEMING = "obrien-fleming"
    """Hardly anything early: the last look is nearly as sharp as a single one."""
    POCOCK = "pocock"
    """About as much at every look: stops sooner, needs more cases in all."""

    def spent(self, share: float, alpha: float) -> float:
        """The level that is spent when this share of the units is in."""
        if self is Spending.POCOCK:
            return alpha * math.log(1 + (math.e - 1) * share)
        return 4 - 4 * NORMAL.cdf(NORMAL.inv_cdf(1 - alpha / 4) / math.sqrt(share))


@dataclass(frozen=True, slots=True)
class Look:
    """One time at which the data may be tested."""

    share: float
    """Of all units, those that are in."""
    boundary: float
    """The z-value from which on the difference is shown."""
    p_value: float
    """The same, as a two-sided nominal p-value."""
    spent: float
    """Of the significance level, up to and with this look."""


@dataclass(frozen=True, slots=True)
class LookPlan:
    """Looks that together keep the significance level."""

    looks: tuple[Look, ...]
    inflation: float
    """So many times the units of a single look are needed in the end."""


def power(effect: float, units: int, alpha: float = 0.05) -> float:
    """The chance that the paired t-test sees an effect, given in standard deviations."""
    if units < 2:
        return 0.0
    freedom, shift = units - 1, abs(effect) * math.sqrt(units)
    far = critical(alpha, freedom)
    return _beyond(far, freedom, shift) + _beyond(far, freedom, -shift)


def units_needed(effect: float, wanted: float = 0.8, alpha: float = 0.05) -> int | None:
    """The least number of units that show the effect with this power; None above MOST."""
    if effect == 0 or power(effect, MOST, alpha) < wanted:
        return None
    quantiles = NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(wanted)
    low = max(1, math.floor((quantiles / effect) ** 2) - 2)
    while low > 1 and power(effect, low, alpha) >= wanted:
        low //= 2
    high = max(2, low + 1)
    while power(effect, high, alpha) < wanted:
        high += max(1, high - low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(effect, middle, alpha) >= wanted else (middle, high)
    return high


def detectable(units: int, wanted: float = 0.8, alpha: float = 0.05) -> float | None:
    """The smallest effect, in standard deviations, that so many units show with this power."""
    if units < 2:
        return None
    return _root(lambda effect: power(effect, units, alpha) - wanted, 0.0, 1e3)


def look_plan(
    looks: int,
    spending: Spending = Spending.OBRIEN_FLEMING,
    alpha: float = 0.05,
    wanted: float = 0.8,
) -> LookPlan:
    """Boundaries for evenly spaced looks, and what looking costs in cases."""
    shares = [(at + 1) / looks for at in range(looks)]
    spent = [min(alpha, spending.spent(share, alpha)) for share in shares]
    bounds: list[float] = []
    path: _Path | None = None
    for at, share in enumerate(shares):
        budget = spent[at] - (spent[at - 1] if at else 0.0)

        def unspent(bound: float, path: _Path | None = path, budget: float = budget) -> float:
            return budget - _crossing(path, bound, share, 0.0)  # noqa: B023  called at once

        bounds.append(_root(unspent, 0.0, 12.0))
        path = _onward(path, bounds[-1], share, 0.0)
    drift = _root(lambda one: _crossed(bounds, shares, one) - wanted, 0.0, 20.0)
    single = NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(wanted)
    told = tuple(
        Look(share, bound, 2 * NORMAL.cdf(-bound), used)
        for share, bound, used in zip(shares, bounds, spent, strict=True)
    )
    return LookPlan(told, (drift / single) ** 2 if looks > 1 else 1.0)


def half_width(rate: float, n: int) -> float:
    """Of the 95 % interval of a share: 1.96 times the root of p (1 - p) / n."""
    return 1.96 * math.sqrt(rate * (1 - rate) / n)


@cache
def critical(alpha: float, freedom: int) -> float:
    """The two-sided critical value of Student's t."""
    low = NORMAL.inv_cdf(1 - alpha / 2)
    high = 4 * low if freedom > 5 and alpha > 1e-4 else 1e5
    return _root(lambda value: alpha - 2 * _beyond(value, freedom, 0.0), low, high)


def _beyond(critical: float, freedom: int, shift: float) -> float:
    """P(T > critical) for the noncentral t: the mean over the spread s of P(Z > critical s)."""
    spreads, weights = _spread(freedom)
    tails = [math.erfc((critical * one - shift) / math.sqrt(2)) / 2 for one in spreads]
    return float(np.dot(tails, weights))


@cache
def _spread(freedom: int) -> tuple[list[float], Floats]:
    """Nodes and weights for the root of a chi-square over its degrees of freedom."""
    wide = 9 / math.sqrt(2 * freedom)
    low, high = max(0.0, 1 - wide), 1 + wide
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    spreads = (high - low) / 2 * nodes + (high + low) / 2
    log = (
        math.log(2)
        + freedom / 2 * math.log(freedom / 2)
        - math.lgamma(freedom / 2)
        + (freedom - 1) * np.log(spreads)
        - freedom * spreads**2 / 2
    )
    density = np.exp(log) * weights * (high - low) / 2
    return spreads.tolist(), density / density.sum()


@dataclass(frozen=True)
class _Path:
    """Where the sum may stand after a look at which it did not cross."""

    share: float
    places: Floats
    masses: Floats
    """The density at each place, times the weight of the place."""


def _crossed(bounds: list[float], shares: list[float], drift: float) -> float:
    """The chance to cross at any look; `drift` is the mean of the z-value at the end."""
    found, path = 0.0, None
    for bound, share in zip(bounds, shares, strict=True):
        found += _crossing(path, bound, share, drift)
        path = _onward(path, bound, share, drift)
    return found


def _crossing(path: _Path | None, bound: float, share: float, drift: float) -> float:
    """The chance to cross at this look for the first time."""
    step = share - (path.share if path else 0.0)
    edge, mean, wide = bound * math.sqrt(share), drift * step, math.sqrt(step)
    if path is None:
        return _tail((edge - mean) / wide) + _tail((edge + mean) / wide)
    found = 0.0
    for at, mass in zip(path.places.tolist(), path.masses.tolist(), strict=True):
        above, below = _tail((edge - at - mean) / wide), _tail((edge + at + mean) / wide)
        found += (above + below) * mass
    return found


def _onward(path: _Path | None, bound: float, share: float, drift: float) -> _Path:
    step = share - (path.share if path else 0.0)
    edge, mean, wide = bound * math.sqrt(share), drift * step, math.sqrt(step)
    fresh = np.linspace(-edge, edge, GRID)
    if path is None:
        density = _density((fresh - mean) / wide) / wide
    else:
        apart = fresh[:, None] - path.places[None, :] - mean
        density = (_density(apart / wide) / wide) @ path.masses
    return _Path(share, fresh, density * _simpson(fresh))


def _tail(value: float) -> float:
    return math.erfc(value / math.sqrt(2)) / 2


def _density(values: Floats) -> Floats:
    return np.asarray(np.exp(-values * values / 2) / math.sqrt(2 * math.pi), dtype=np.float64)


def _simpson(points: Floats) -> Floats:
    weights = np.full(points.size, 2.0)
    weights[1::2] = 4.0
    weights[0] = weights[-1] = 1.0
    return np.asarray(weights * (points[1] - points[0]) / 3, dtype=np.float64)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function passes 0, by halving."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
        if high - low < 1e-10 * max(1.0, high):
            break
    return (low + high) / 2
