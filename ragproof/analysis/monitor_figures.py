"""Figures of one window: a value, its interval, and whether it lies beyond a bound. Pure.

Means carry the interval that reports of runs give them. That of a percentile is Woodruff's (1952,
JASA 47:635): the interval of the share of scores below it, read off the sorted scores. Cases of
one group are one unit in both. A change between windows that share no case is Newcombe's (1998,
Stat. Med. 17:873) and Zou and Donner's (2008, Stat. Med. 27:1693): it recovers variances from the
two intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ragproof.analysis.by_tag import bounds_of_part
from ragproof.analysis.gate import exceeds
from ragproof.analysis.intervals import UNKNOWN, Bounds, Indices, Sample, ends_of_difference
from ragproof.analysis.monitor_traffic import Measure, Traffic
from ragproof.analysis.requirements import PERCENTILES
from ragproof.analysis.summary import nearest_rank
from ragproof.analysis.tails import (
    MANY,
    TAIL,
    binomial_limits,
    mean_limit,
    normal_quantile,
    share_limit,
    t_quantile,
)
from ragproof.analysis.units import summed
from ragproof.core.outcome import Status
from ragproof.core.record import Flags, Floats
from ragproof.core.spec import Interval, Unit
from ragproof.text.counting import counted

STATISTICS = ("mean", "rate", "p50", "p95", "p99", "completion")
"""`rate` is the mean of a fraction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One statistic of a metric over some cases. `value` is None where nothing was scored."""

    value: float | None
    bounds: Bounds
    cases: int
    scored: int
    lost: int
    """Cases that the metric would have scored, had they not failed; they are in no mean."""
    why: str | None = None
    """The most frequent reason why nothing was scored, or why the value has no interval."""
    is_completion: bool = False

    @property
    def n(self) -> int:
        """Cases that the value is of: of completion those that failed, too."""
        return self.scored + self.lost if self.is_completion else self.scored

    @property
    def completion(self) -> float | None:
        """Scored / (scored + lost)."""
        covered = self.scored + self.lost
        return self.scored / covered if covered else None


@dataclass(frozen=True, slots=True)
class Part:
    """Some cases as one metric sees them."""

    traffic: Traffic
    measure: Measure
    places: Indices
    """Of the cases, in the order of time."""

    @property
    def scored(self) -> Indices:
        """Places of the cases that have a score."""
        found: Indices = self.places[self.measure.status[self.places] == Status.SCORED]
        return found

    @property
    def lost(self) -> int:
        """How many a failure kept from a score."""
        return int(self.measure.lost[self.places].sum())

    @property
    def values(self) -> Floats:
        """The scores, in the order of time."""
        return self.measure.values[self.scored]

    def sample(self) -> Sample:
        """What each independent unit contributes to the mean."""
        rows = self.scored
        lower = self.measure.weights[rows]
        return _united(self.traffic.unit[rows], self.measure.values[rows] * lower, lower)

    def share(self, where: Flags) -> Sample:
        """The share of scores of which something holds; shape that of `values`."""
        return _united(
            self.traffic.unit[self.scored], where.astype(np.float64), np.ones(where.size)
        )

    def completed(self) -> Sample:
        """The share of scores among the cases that the metric covers."""
        status, lost = self.measure.status[self.places], self.measure.lost[self.places]
        covered = self.places[(status == Status.SCORED) | lost]
        good = (self.measure.status[covered] == Status.SCORED).astype(np.float64)
        return _united(self.traffic.unit[covered], good, np.ones(good.size))

    def only(self, where: Flags) -> Part:
        """Those of the cases where this holds, of all cases of the traffic."""
        return replace(self, places=self.places[where[self.places]])


def part(traffic: Traffic, measure: Measure, rows: slice) -> Part:
    """The cases in a stretch of time."""
    return Part(traffic, measure, np.arange(rows.start, rows.stop))


def figure(of: Part, statistic: str) -> Figure:
    """One statistic with its 95 % interval."""
    values, lost = of.values, of.lost
    why = None
    if values.size == 0:
        reasons = of.measure.reasons(of.places)
        why = max(reasons, key=lambda one: (reasons[one], one), default="no traffic")
    declared = of.measure.declared
    if statistic in PERCENTILES:
        fraction = PERCENTILES[statistic]  # type: ignore[index]
        value, bounds = nearest_rank(np.sort(values), fraction), woodruff(of, fraction, TAIL)
    elif statistic == "completion":
        sample = of.completed()
        value, bounds = sample.figure, bounds_of_part(sample, Interval.WILSON, Unit.FRACTION)
    else:
        sample = of.sample()
        value, bounds = sample.figure, bounds_of_part(sample, declared.interval, declared.unit)
    if value is not None and bounds.ends is None:
        why = _no_interval(of, statistic)
    return Figure(
        value=value,
        bounds=bounds,
        cases=of.places.size,
        scored=values.size,
        lost=lost,
        why=why,
        is_completion=statistic == "completion",
    )


def _no_interval(of: Part, statistic: str) -> str:
    """Why a figure of scores has no interval."""
    if statistic in PERCENTILES:
        n = of.values.size
        if _shares(of, PERCENTILES[statistic], TAIL) is not None:  # type: ignore[index]
            return f"the scores around {statistic} are all the same"
        return f"{counted(n, 'case')} {'is' if n == 1 else 'are'} too few for one of {statistic}"
    sample = of.completed() if statistic == "completion" else of.sample()
    n, unit = sample.numerators.size, "session" if sample.clustered else "case"
    return f"1 {unit} is too few" if n == 1 else f"all {n:,} {unit}s have the same score"


def woodruff(of: Part, fraction: float, tail: float) -> Bounds:
    """The interval of a percentile, beyond each end of which lies a chance of at most `tail`.

    The ends are scores, at ranks between which lies the number of scores below the true percentile.
    Too few scores have no such ranks.
    """
    shares = _shares(of, fraction, tail)
    if shares is None:
        return UNKNOWN
    ordered = np.sort(of.values)
    low, high = (nearest_rank(ordered, share) for share in shares)
    assert low is not None
    assert high is not None
    return Bounds((low, high), "woodruff") if low < high else UNKNOWN


def _shares(of: Part, fraction: float, tail: float) -> tuple[float, float] | None:
    """Between which shares of the sorted scores the interval lies; None where they are too few."""
    values = of.values
    if values.size < 2:
        return None
    found = nearest_rank(np.sort(values), fraction)
    assert found is not None
    n = max(1, math.floor(_effective(of.share(values <= found), fraction)))
    exact = binomial_limits(fraction, n, tail)
    margin = normal_quantile(tail) * math.sqrt(fraction * (1 - fraction) / n)
    low, high = (fraction - margin, fraction + margin) if exact is None else exact
    if exact is not None:
        high += 1 / n
    return None if low * n < 1 or exceeds(high, 1.0) else (low, high)


def limit(sample: Sample, unit: Unit, tail: float, *, upper: bool) -> float | None:
    """The one-sided confidence limit of a figure, beyond which lies at most a chance of `tail`.

    Clopper and Pearson's for shares of yes and no, else Gaffke's over independent units where the
    unit has an end on that side, else, as for the upper limit of seconds, Student's t. None where
    units show no spread to compute that from.
    """
    figure, n = sample.figure, sample.numerators.size
    if figure is None:
        return None
    values, whole = sample.numerators, sample.denominators
    is_share = unit is Unit.FRACTION and bool(((values == 0) | (values == whole)).all())
    if is_share and not sample.clustered and (whole == 1).all():
        return share_limit(round(float(values.sum())), n, tail, upper=upper)
    end = unit.range[upper]
    each = figure + (values - figure * whole) * (n / float(whole.sum()))
    if math.isfinite(end) and n < MANY:
        found = mean_limit(each, end, tail, upper=upper)
        return min(end, found) if upper else max(end, found)
    spread = each - figure
    if n < 2 or np.abs(spread).max() <= 1e-12 * np.abs(each).max(initial=1e-300):
        return None
    margin = t_quantile(tail, n - 1) * math.sqrt(float(spread @ spread) / (n - 1) / n)
    return min(end, figure + margin) if upper else max(end, figure - margin)


def change(before: Figure, after: Figure) -> tuple[float, tuple[float, float] | None] | None:
    """How far a figure moved between two windows without a common case, with its interval."""
    if before.value is None or after.value is None:
        return None
    delta, ends = after.value - before.value, (before.bounds.ends, after.bounds.ends)
    if ends[0] is None or ends[1] is None:
        return delta, None
    return delta, ends_of_difference(before.value, ends[0], after.value, ends[1])


def by_value(of: Part, tag: str) -> Iterator[tuple[str, Part]]:
    """The cases with each value of a tag; those without it are in no part."""
    names, codes = of.traffic.codes(tag)
    mine = codes[of.places]
    for at, name in enumerate(names):
        yield name, replace(of, places=of.places[mine == at])


def _united(unit: Indices, upper: Floats, lower: Floats) -> Sample:
    """Sum what cases contribute by their unit, where any two share one."""
    found, sums, _ = summed(unit, upper, lower)
    return Sample(upper, lower) if found.size == unit.size else Sample(*sums, clustered=True)


def _effective(sample: Sample, fraction: float) -> float:
    """How many independent cases would tell a share of this size as well."""
    n = float(sample.denominators.sum())
    units = sample.numerators.size
    if not sample.clustered or units < 2:
        return n
    assert sample.figure is not None
    spread = sample.numerators - sample.figure * sample.denominators
    variance = units / (units - 1) * float(spread @ spread) / n**2
    plain = fraction * (1 - fraction) / n
    return n * min(1.0, plain / variance) if variance > 0 else float(units)
