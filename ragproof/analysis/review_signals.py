"""Which signals of traffic go with what reviewers say, by a rule that is fixed beforehand. Pure.

A click or a vote is a candidate until it is seen to go with blind verdicts of the same traffic.
All estimates weigh each answer by 1 over its chance to be reviewed; sessions are the independent
units.

- A signal of yes and no: the difference of the two rates, its interval by Newcombe's method 10
  (1998, Statistics in Medicine 17: 873) from the two intervals of `review_rate`; a score test at
  Kish's effective numbers.
- A signal with more values: the chance that it stands higher on an answer that has the label than
  on one that has not (AUROC), ties a half; variance as in DeLong et al. 1988, Biometrics 44: 837,
  tested against the variance of Wilcoxon's statistic where nothing is associated.

Each test, and the interval of an AUROC, takes the greater of the two variances that it knows, the
linearised one and that of no association. P-values are adjusted by Holm over all that were
looked at.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np

from ragproof.analysis.agreement import Figure
from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import Indices, Z, ends_of_difference
from ragproof.analysis.review_rate import Rate, ends, kish, rate, units, variance
from ragproof.core.record import Flags, Floats

ALPHA = 0.05
POWER = 0.8
MATTERS = 0.1
"""A difference of rates, or a distance of an AUROC from 0.5, below which nobody would act."""
LEAST = 5.0
"""Effective answers that each side must have before anything is concluded."""
_NORMAL = NormalDist()


class Standing(StrEnum):
    """What is known of a signal."""

    MORE = "validated: more"
    """Where it is there, or higher, the label is more frequent."""
    LESS = "validated: less"
    NONE = "no association shown"
    """And none that would matter is likely."""
    OPEN = "inconclusive"
    WITHHELD = "withheld"
    """Something would be concluded, were the verdicts to be relied on."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A signal beside a label, one row an answer. Shapes (answers,)."""

    signal: str
    label: str
    """`bad`, `distrust`, ..."""
    values: Floats
    """NaN where it was not measured."""
    labels: Floats
    """Share of the reviewers who gave the label; NaN where none said anything."""


@dataclass(frozen=True, kw_only=True)
class Association:
    """What a signal and a label have to do with each other."""

    signal: str
    label: str
    measured: int
    """Reviewed answers that have both."""
    reviewed: int
    """Reviewed answers."""
    having: Rate | None = None
    """The label's rate where a yes-or-no signal is there."""
    lacking: Rate | None = None
    """And where it is not."""
    difference: Figure | None = None
    odds_ratio: Figure | None = None
    """None where a cell is empty."""
    auroc: Figure | None = None
    """Of a signal with more than two values."""
    p_value: float | None = None
    p_adjusted: float | None = None
    standing: Standing = Standing.OPEN
    needed: int | None = None
    """Reviewed answers, drawn as these were, that would show what matters 80 times in 100."""
    reason: str | None = None
    """Why nothing is concluded."""

    @property
    def effect(self) -> tuple[float, tuple[float, float] | None] | None:
        """How far it is from no association, and the ends of that."""
        if self.difference is not None:
            return self.difference.value, self.difference.ends
        if self.auroc is None:
            return None
        span = self.auroc.ends
        return self.auroc.value - 0.5, span and (span[0] - 0.5, span[1] - 0.5)


def associations(
    candidates: Sequence[Candidate], weights: Floats, unit: Indices, matters: float = MATTERS
) -> tuple[Association, ...]:
    """Look at all candidates together, and conclude by the rule."""
    tests = max(1, sum(_varies(one) for one in candidates))
    found = [_looked_at(one, weights, unit, matters, tests) for one in candidates]
    tested = {at: one.p_value for at, one in enumerate(found) if one.p_value is not None}
    adjusted = holm(tested)
    return tuple(_concluded(one, adjusted.get(at), matters) for at, one in enumerate(found))


def withheld(found: Sequence[Association], why: str) -> tuple[Association, ...]:
    """The same with nothing concluded, and the reason."""
    return tuple(
        one
        if one.standing is Standing.OPEN
        else dataclasses.replace(one, standing=Standing.WITHHELD, reason=why)
        for one in found
    )


def _concluded(one: Association, adjusted: float | None, matters: float) -> Association:
    """Validated: p below 0.05 and the interval beyond 0. None shown: all of it too small."""
    effect, standing = one.effect, Standing.OPEN
    if one.reason is None and effect is not None and effect[1] is not None:
        low, high = effect[1]
        if adjusted is not None and adjusted < ALPHA and not low <= 0 <= high:
            standing = Standing.MORE if low > 0 else Standing.LESS
        elif -matters < low and high < matters:
            standing = Standing.NONE
    needed = one.needed if standing is Standing.OPEN else None
    return dataclasses.replace(one, p_adjusted=adjusted, standing=standing, needed=needed)


def _varies(one: Candidate) -> bool:
    """Whether there is anything to test."""
    values = one.values[~np.isnan(one.labels) & ~np.isnan(one.values)]
    return bool(values.size and (values != values[0]).any())


def _looked_at(
    one: Candidate, weights: Floats, unit: Indices, matters: float, tests: int
) -> Association:
    labelled = ~np.isnan(one.labels)
    here = labelled & ~np.isnan(one.values)
    start = Association(
        signal=one.signal,
        label=one.label,
        measured=int(here.sum()),
        reviewed=int(labelled.sum()),
    )
    if not start.measured:
        return dataclasses.replace(start, reason="it was not measured on any reviewed answer")
    rows = _Rows(one.values[here], one.labels[here], weights[here], unit[here], matters, tests)
    if not _varies(one):
        told = "it is the same on every reviewed answer that has it"
        return dataclasses.replace(start, reason=told)
    binary = bool(np.isin(rows.values, (0.0, 1.0)).all())
    return rows.of_two(start) if binary else rows.of_many(start)


@dataclass(frozen=True)
class _Rows:
    """Answers that have both. Shapes (answers,)."""

    values: Floats
    labels: Floats
    weights: Floats
    unit: Indices
    matters: float
    tests: int

    def of_two(self, start: Association) -> Association:
        """Compare the rate where the signal is there with that where it is not."""
        there = self.values == 1
        having, lacking = self._rate(there), self._rate(~there)
        sizes = kish(self.weights[there], self.unit[there]), self._kish(~there)
        value = having.value - lacking.value
        share = (sizes[0] * having.value + sizes[1] * lacking.value) / sum(sizes)
        null = share * (1 - share) * (1 / sizes[0] + 1 / sizes[1])
        told = dataclasses.replace(
            start,
            having=having,
            lacking=lacking,
            difference=Figure(value, _apart(having, lacking)),
            odds_ratio=self._odds_ratio(having, lacking, there),
            p_value=self._p_value(value, null, self._influence_of_two(there, having, lacking)),
            needed=self._needed(float(self.weights[there].sum() / self.weights.sum())),
            reason=self._few(sizes, ("with", "without"), "the signal"),
        )
        return dataclasses.replace(told, reason=told.reason or self._one_sided())

    def of_many(self, start: Association) -> Association:
        """Ask whether answers with the label have the higher values."""
        if unlabelled := self._one_sided():
            return dataclasses.replace(start, reason=unlabelled, needed=self._needed(None))
        upper, lower = self.weights * self.labels, self.weights * (1 - self.labels)
        above, below = _above(self.values, lower), _above(-self.values, upper)
        value = float(upper @ above / upper.sum())
        influence = upper * (above - value) / upper.sum() + lower * (below - value) / lower.sum()
        sizes = kish(upper, self.unit), kish(lower, self.unit)
        spread = variance(influence, self.unit)
        null = (sum(sizes) + 1) / (12 * sizes[0] * sizes[1])
        effective = min(sizes)
        if 0 < value < 1 and 0 < spread < math.inf:
            effective = min(value * (1 - value) / spread, 0.25 / null)
        of = min(units(self.unit[side > 0]) for side in (upper, lower))
        return dataclasses.replace(
            start,
            auroc=Figure(value, ends(value, effective, of)),
            p_value=self._p_value(value - 0.5, null, influence),
            needed=self._needed(None),
            reason=self._few(sizes, ("with", "without"), "the label"),
        )

    def _rate(self, where: Flags) -> Rate:
        found = rate(self.labels[where], self.weights[where], self.unit[where])
        assert found is not None
        return found

    def _kish(self, where: Flags) -> float:
        return kish(self.weights[where], self.unit[where])

    def _influence_of_two(self, there: Flags, having: Rate, lacking: Rate) -> Floats:
        """What each answer does to the difference."""
        found = self.weights * (self.labels - np.where(there, having.value, lacking.value))
        ones, others = self.weights[there].sum(), self.weights[~there].sum()
        return np.asarray(np.where(there, found / ones, -found / others), dtype=np.float64)

    def _p_value(self, value: float, null: float, influence: Floats) -> float:
        spread = variance(influence, self.unit)
        error = math.sqrt(max(null, spread if math.isfinite(spread) else 0.0))
        return 1.0 if error == 0 else 2 * _NORMAL.cdf(-abs(value) / error)

    def _odds_ratio(self, having: Rate, lacking: Rate, there: Flags) -> Figure | None:
        """With the interval of its logarithm, from Wilson's intervals of the two rates."""
        one, other = having.value, lacking.value
        if not (0 < one < 1 and 0 < other < 1):
            return None
        value = one / (1 - one) / (other / (1 - other))
        if units(self.unit[there]) < 2 or units(self.unit[~there]) < 2:
            return Figure(value, None)
        factor = math.exp(math.hypot(_log_odds_margin(having), _log_odds_margin(lacking)))
        return Figure(value, (value / factor, value * factor))

    def _few(self, sizes: tuple[float, float], names: tuple[str, str], of: str) -> str | None:
        """Which side is too small to conclude from."""
        short = [
            f"{size:.1f} {name}" for size, name in zip(sizes, names, strict=True) if size < LEAST
        ]
        if not short:
            return None
        return f"too few effective answers: {' and '.join(short)} {of}, at least {LEAST:g} needed"

    def _one_sided(self) -> str | None:
        if (self.labels != self.labels[0]).any() or self.labels[0] not in (0, 1):
            return None
        return f"every reviewed answer has {'the' if self.labels[0] else 'no'} label"

    def _needed(self, share: float | None) -> int | None:
        """Reviewed answers for a test at the level that Holm may leave; `share` has the signal."""
        size = self.values.size
        part = (float(self.weights @ self.labels / self.weights.sum()) * size + 1) / (size + 2)
        design = size / kish(self.weights, self.unit)
        quantiles = _NORMAL.inv_cdf(1 - ALPHA / self.tests / 2) + _NORMAL.inv_cdf(POWER)
        if share is None:
            single = 1 / (12 * part * (1 - part))
        else:
            single = part * (1 - part) / (share * (1 - share))
        return math.ceil(design * (quantiles / self.matters) ** 2 * single)


def _apart(one: Rate, other: Rate) -> tuple[float, float] | None:
    """The interval of a difference, from those of its parts."""
    if one.ends is None or other.ends is None:
        return None
    low, high = ends_of_difference(other.value, other.ends, one.value, one.ends)
    return max(-1.0, low), min(1.0, high)


def _log_odds_margin(of: Rate) -> float:
    """Half of what Wilson's interval spans in log odds, where it lies even about the rate.

    Newcombe 2001, American Statistician 55: 200; near the usual one for many answers, and finite
    for a rate however near 0.
    """
    return 2 * math.asinh(Z / 2 / math.sqrt(of.effective * of.value * (1 - of.value)))


def _above(values: Floats, weights: Floats) -> Floats:
    """For each value, the share of the weight that lies below it, ties a half."""
    _, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weights)
    below = np.cumsum(mass) - mass / 2
    return np.asarray(below[place] / mass.sum(), dtype=np.float64)
