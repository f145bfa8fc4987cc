"""A rate over all traffic from the answers that were reviewed, each by its chance. Pure.

    estimate = sum(y / p) / sum(1 / p)

over the reviewed answers, p being an answer's chance to be drawn: both sums are unbiased
(Horvitz-Thompson), their ratio nearly so (Hajek 1971). The interval is Wilson's score interval at
the effective number of answers: p (1 - p) / variance, the variance linearised, sessions being the
independent units, and never more than (sum w)^2 / (sum w^2) of Kish 1965; both lessened for few
units as in Korn, Graubard 1998, Survey Methodology 24: 193. No correction for a finite population
is made: the rate is that of traffic such as this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import Indices, wilson
from ragproof.analysis.tails import TAIL, t_quantile
from ragproof.core.record import Floats

NOTHING = 1e-15


@dataclass(frozen=True, slots=True)
class Rate:
    """A weighted share, and what it rests on."""

    value: float
    ends: tuple[float, float] | None
    """95 %; None of a single unit."""
    answers: int
    """Reviewed."""
    effective: float
    """So many answers drawn at random from all traffic would say as much."""


def total(values: Floats, weights: Floats) -> float:
    """The sum over all traffic, reviewed or not: unbiased, whatever the chances are."""
    return float(weights @ values)


def rate(values: Floats, weights: Floats, unit: Indices) -> Rate | None:
    """Estimate the mean of values in [0, 1]; None of nothing.

    `weights` are 1 over the chance of each; `unit` numbers the session that each belongs to. All
    have shape (answers,).
    """
    if not values.size:
        return None
    whole = float(weights.sum())
    value = min(1.0, max(0.0, total(values, weights) / whole))
    effective = kish(weights, unit)
    spread = variance(weights * (values - value) / whole, unit)
    if NOTHING < spread < math.inf and 0 < value < 1:
        effective = min(effective, value * (1 - value) / spread)
    return Rate(value, ends(value, effective, units(unit)), values.size, effective)


def ends(value: float, effective: float, of: int) -> tuple[float, float] | None:
    """Wilson's interval at an effective number of answers, as wide as so many units make it."""
    if of < 2:
        return None
    low, high = wilson(value, effective, t_quantile(TAIL, of - 1))
    return max(0.0, low), min(1.0, high)


def kish(weights: Floats, unit: Indices) -> float:
    """The number of equally weighted units that would vary as little; Kish 1965, ch. 11."""
    by_unit = np.bincount(unit, weights)
    square = float(by_unit @ by_unit)
    return float(weights.sum()) ** 2 / square if square > 0 else 0.0


def variance(influence: Floats, unit: Indices) -> float:
    """Of an estimate, from what each answer does to it, summed by unit."""
    sums, number = np.bincount(unit, influence), units(unit)
    return float(sums @ sums) * number / (number - 1) if number > 1 else math.inf


def units(unit: Indices) -> int:
    """How many there are."""
    return int(np.unique(unit).size)
