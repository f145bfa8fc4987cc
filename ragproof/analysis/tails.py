"""How far out chance reaches: quantiles for any confidence, not only 95 %."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from ragproof.analysis.intervals import T_QUANTILES, wilson
from ragproof.analysis.sample_size import critical
from ragproof.core.record import Floats

NORMAL = NormalDist()
TAIL = 0.025
"""Beyond either end of a 95 % interval."""
EXACT = 30
"""Up to so many degrees of freedom Student's t is integrated; above, expanded about the normal."""
SMOOTH = 400.0
"""From so large a variance on a binomial is no other than the normal to what is shown."""

MANY = 10_000
"""From so many units on a mean is as good as normal."""
STEPS = 50
"""Halvings until a limit is found."""
FARTHEST = 40.0
"""Logarithm of the strongest weighting: all of the weight is on the end by then."""


def normal_quantile(tail: float) -> float:
    """The value that the standard normal exceeds with this chance."""
    return NORMAL.inv_cdf(1 - tail)


@lru_cache(4096)
def t_quantile(tail: float, freedom: int) -> float:
    """The value that Student's t exceeds with this chance; Hill 1970, CACM 13:619.

    It is off by less than 2e-5 of itself, for 95 % by less than 1e-6.

    >>> round(t_quantile(0.025, 10), 4), round(t_quantile(0.001, 60), 3)
    (2.2281, 3.232)
    """
    if tail == TAIL and freedom <= len(T_QUANTILES):
        return T_QUANTILES[freedom - 1]
    if freedom == 1:  # Cauchy's
        return 1 / math.tan(math.pi * tail)
    if freedom <= EXACT:
        return critical(2 * tail, freedom)
    z = normal_quantile(tail)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + math.fsum(one / freedom ** (at + 1) for at, one in enumerate(terms))


def binomial_limits(share: float, n: int, tail: float) -> tuple[float, float] | None:
    """Least and greatest share of n, beyond either of which lies at most this chance.

    None where the binomial is as smooth as the normal, so that its own limits serve.
    """
    if n * share * (1 - share) > SMOOTH or n < 1:
        return None
    if share <= 0 or share >= 1:
        return share, share
    mass = _binomial(share, n)
    at_most, at_least = np.cumsum(mass), np.cumsum(mass[::-1])[::-1]
    low = int(np.searchsorted(at_most, tail, side="right"))
    high = n - int(np.searchsorted(at_least[::-1], tail, side="right"))
    return low / n, high / n


def share_limit(hits: int, n: int, tail: float, *, upper: bool) -> float:
    """The one-sided limit of a share of n; Clopper and Pearson 1934, Biometrika 26:404.

    It is exact: where the truth lies at the limit, so many hits or more (with `upper` or fewer)
    have a chance of `tail`. As far out as budgets of false alerts ask, Wilson's errs several times
    as often. Of many cases the two are the same, and Wilson's is given.
    """
    if hits == (n if upper else 0):
        return float(upper)
    if n * (hits / n) * (1 - hits / n) > SMOOTH:
        return wilson(hits / n, n, normal_quantile(tail))[upper]
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        mass = _binomial(middle, n)
        chance = mass[: hits + 1].sum() if upper else mass[hits:].sum()
        if (chance > tail) == upper:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def mean_limit(values: Floats, end: float, tail: float, *, upper: bool) -> float:
    """The one-sided limit of a mean of values of which none can lie beyond `end`.

    Gaffke 2005; Learned-Miller and Thomas 2020, arXiv:1905.06208: the quantile of the means that
    weights drawn evenly at random give, `end` being one value more. Of yes and no it is Clopper
    and Pearson's. Student's t errs many times as often where the values on the side of the limit
    are rare, since few cases then show too little spread. By Lugannani and Rice's approximation
    (1980, Adv. Appl. Prob. 12:475); it is off by a few per cent of the chance at most. O(n).
    """
    below = np.append(values, end) * (1 if upper else -1)
    top = float(below.max())
    width = top - float(below.min())
    if width == 0:
        return end
    below = (below - top) / width
    low, high = -FARTHEST, FARTHEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _tilted(below, math.exp(middle))[1] > tail:
            low = middle
        else:
            high = middle
    found = top + width * _tilted(below, math.exp(high))[0]
    return found if upper else -found


def _tilted(below: Floats, weight: float) -> tuple[float, float]:
    """A mean, and the chance that one of random weights exceeds it; the values are 0 at most.

    Weights are exponential, so that the mean exceeds c where their sum over values less c does 0;
    the weighting is that of its saddlepoint, which every c has one of.
    """
    pull = 1 - weight * below
    mean = float((below / pull).sum() / (1 / pull).sum())
    tilt = weight / (1 - weight * mean)
    root = math.sqrt(2 * max(0.0, float(np.log(pull / (1 - weight * mean)).sum())))
    spread = tilt * math.sqrt(float((((below - mean) / (pull / (1 - weight * mean))) ** 2).sum()))
    if root < 1e-3 or spread == 0:
        return mean, 0.5
    chance = NORMAL.cdf(-root) + NORMAL.pdf(root) * (1 / spread - 1 / root)
    return mean, min(1.0, max(0.0, chance))


def _binomial(share: float, n: int) -> Floats:
    """The chance of each number of hits from 0 to n; the share is neither 0 nor 1."""
    counts, logs = np.arange(n + 1), _factorials(n)
    log = logs[n] - logs - logs[::-1] + counts * math.log(share)
    mass: Floats = np.exp(log + counts[::-1] * math.log1p(-share))
    return mass


@lru_cache(64)
def _factorials(n: int) -> Floats:
    """Logarithms of the factorials from 0 to n."""
    logs: Floats = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    return logs
