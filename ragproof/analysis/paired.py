"""What changed between two runs of the same cases: the difference, its interval, its p-value.

Every figure is a ratio of sums over units (a plain mean has ones below), so one way serves all.
The interval is Student's t on the linearised difference below 50 units; from 50 on the units are
drawn again in pairs (BCa), and of yes and no it is a score interval whatever the number; each end
of these two is at least as far out as Student's. The p-value is of the randomisation test: if
nothing changed, it is chance which of a unit's two scores came from which run, so they are swapped
at random; p = (swaps at least as far apart + 1) / (swaps + 1), exact where so few units differ that
all swaps can be tried. Smucker, Allan, Carterette 2007, CIKM: 623.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragproof.analysis.intervals import FEW, RESAMPLES, UNKNOWN, Bounds
from ragproof.analysis.joining import Pairs
from ragproof.analysis.paired_ends import Ends, bca, farther, score, student
from ragproof.analysis.resampling import SWAPS, Resampling, resampling
from ragproof.analysis.tails import TAIL, t_quantile
from ragproof.core.record import Flags, Floats

EXACT = 13
"""Up to so many differing units all swaps are tried, fewer than are drawn otherwise."""
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Change:
    """A figure in two runs, over the cases that both scored. None where nothing can be said."""

    baseline: float | None
    candidate: float | None
    delta: float | None
    """Candidate less baseline."""
    bounds: Bounds
    """Of the delta. There are none of a single unit, nor where all units changed alike."""
    error: float | None
    """Standard error of the delta; 0 where all units changed alike."""
    p_value: float | None
    """Two-sided; of percentiles there is none."""
    pairs: int
    """Cases (or groups, or sets) that both runs scored."""
    units: int
    """Independent units among them: fewer where cases share a group."""
    rises: int
    falls: int
    ties: int

    @property
    def effect_size(self) -> float | None:
        """The mean difference in standard deviations of the differences (Cohen's d of pairs)."""
        if self.delta is None or not self.error:
            return None
        return self.delta / (self.error * math.sqrt(self.units))

    @property
    def reach(self) -> float | None:
        """The standard error, or what the longer side of the interval says of it, if that is more.

        It tells how many more units an interval takes that is wider than its spread alone makes it.
        """
        if not self.error or self.delta is None or self.bounds.ends is None:
            return self.error
        longer = max(self.delta - self.bounds.ends[0], self.bounds.ends[1] - self.delta)
        return max(self.error, longer / t_quantile(TAIL, self.units - 1))

    @property
    def is_none(self) -> bool:
        """Whether there are pairs, and every one of them is a tie."""
        return self.pairs > 0 and self.ties == self.pairs


def changes(
    all_pairs: Sequence[Pairs], widest: Sequence[float], resamples: int = RESAMPLES
) -> list[Change]:
    """Find what changed in each metric; `widest` is the greatest change that its unit allows."""
    paired = [_Paired(pairs, resamples) for pairs in all_pairs]
    p_values = _p_values(paired)
    return [one.change(p, width) for one, p, width in zip(paired, p_values, widest, strict=True)]


def _p_values(paired: Sequence[_Paired]) -> list[float | None]:
    """Those that all swaps settle, and the rest from the same random ones."""
    found = [one.exact_p_value for one in paired]
    waiting: dict[int, list[int]] = defaultdict(list)
    for at, one in enumerate(paired):
        if found[at] is None and one.delta is not None:
            waiting[one.pairs.join.units].append(at)
    for places in waiting.values():
        columns = [paired[at].swap_columns for at in places]
        drawn = iter(paired[places[0]].draws.swapped([one for few in columns for one in few]))
        for at, few in zip(places, columns, strict=True):
            far = paired[at].as_far([next(drawn) for _ in few])
            found[at] = (int(far.sum()) + 1) / (SWAPS + 1)
    return found


class _Paired:
    """Sums by unit of one metric, and what follows from them."""

    def __init__(self, pairs: Pairs, resamples: int) -> None:
        self.pairs, self._resamples = pairs, resamples
        both = pairs.both
        place = pairs.join.unit_of[both]
        self.unit, at = np.unique(place, return_inverse=True)
        self.sums = [
            np.bincount(at, column[both], minlength=self.unit.size).astype(np.float64)
            for side in (pairs.baseline, pairs.candidate)
            for column in (side.upper, side.lower)
        ]
        """By unit: numerators and denominators of the baseline, then of the candidate."""
        self.totals = [float(column.sum()) for column in self.sums]

    @property
    def figures(self) -> tuple[float | None, float | None]:
        """Of the baseline and of the candidate."""
        ua, la, ub, lb = self.totals
        return (ua / la if la > 0 else None), (ub / lb if lb > 0 else None)

    @cached_property
    def delta(self) -> float | None:
        """The difference of the figures."""
        before, after = self.figures
        return None if before is None or after is None else after - before

    @property
    def draws(self) -> Resampling:
        """The draws for as many units as the runs share, whether this metric scored them or not."""
        return resampling(self.pairs.join.units, self._resamples)

    def change(self, p_value: float | None, widest: float) -> Change:
        """Put it together."""
        before, after = self.figures
        rises, falls, ties = self.directions
        return Change(
            baseline=before,
            candidate=after,
            delta=self.delta,
            bounds=self._bounds(widest),
            error=self.error,
            p_value=p_value,
            pairs=int(self.pairs.both.sum()),
            units=self.unit.size,
            rises=rises,
            falls=falls,
            ties=ties,
        )

    @cached_property
    def _influence(self) -> Floats | None:
        """What each unit adds to a difference of ratios, linearised; zeros where all are alike."""
        before, after = self.figures
        if before is None or after is None or self.unit.size < 2:
            return None
        ua, la, ub, lb = self.sums
        spread = (ub - after * lb) / self.totals[3] - (ua - before * la) / self.totals[1]
        scale = np.abs(ub).max() / self.totals[3] + np.abs(ua).max() / self.totals[1]
        is_none = np.abs(spread).max() <= ROUNDING * scale
        return np.zeros_like(spread) if is_none else spread

    @cached_property
    def error(self) -> float | None:
        """The standard error; of means it is the usual s / sqrt(n)."""
        spread = self._influence
        if spread is None:
            return None
        return math.sqrt(spread.size / (spread.size - 1) * float(spread @ spread))

    def _bounds(self, widest: float) -> Bounds:
        if self.delta is None or self.error is None:
            return UNKNOWN
        name = "cluster paired" if self.pairs.join.clustered else "paired"
        ends = student(self.delta, self.error, self.unit.size)
        rises, falls, ties = self.directions
        if rises + falls and self._is_yes_or_no(widest):
            method, ends = "score", farther(ends, score(rises, falls, rises + falls + ties))
        elif not self.error:
            return UNKNOWN
        elif self.unit.size < FEW:
            method = "t"
        else:
            method, ends = "bca", farther(ends, self._resampled_ends())
        return Bounds((max(-widest, ends[0]), min(widest, ends[1])), f"{name} {method}")

    def _is_yes_or_no(self, widest: float) -> bool:
        """Whether every unit is one pair, and each of its scores a yes or a no."""
        if self.pairs.join.clustered or widest != 1:
            return False
        ua, la, ub, lb = self.sums
        ones = bool((la == 1).all() and (lb == 1).all())
        return ones and all(bool(((one == 0) | (one == 1)).all()) for one in (ua, ub))

    def _resampled_ends(self) -> Ends:
        assert self.delta is not None
        assert self._influence is not None
        ua, la, ub, lb = (self._resampled(column) for column in self.sums)
        defined = (la > 0) & (lb > 0)
        deltas = ub[defined] / lb[defined] - ua[defined] / la[defined]
        return bca(deltas, self.delta, self._influence)

    def _resampled(self, column: Floats) -> Floats:
        return self.draws.resampled(self.draws.by_block(self.unit, column))

    def _differences(self) -> tuple[Floats, Floats]:
        ua, la, ub, lb = self.sums
        return ub - ua, lb - la

    @property
    def exact_p_value(self) -> float | None:
        """The share of all swaps that set the runs as far apart; None where they are too many."""
        upper, lower = self._differences()
        differ = np.flatnonzero((upper != 0) | (lower != 0))
        if self.delta is None or differ.size > EXACT:
            return None
        swaps = np.arange(1 << differ.size)[:, None] >> np.arange(differ.size) & 1
        return float(self.as_far([swaps @ upper[differ], swaps @ lower[differ]]).mean())

    @property
    def swap_columns(self) -> list[Floats]:
        """By block, what a swap moves: of the numerators and, in ratios, of the denominators."""
        upper, lower = self._differences()
        moved = [upper, lower] if lower.any() else [upper]
        return [self.draws.by_block(self.unit, column) for column in moved]

    def as_far(self, moved: Sequence[Floats]) -> Flags:
        """Whether the runs are at least as far apart after each swap; undefined counts as far."""
        ua, la, ub, lb = self.totals
        upper, lower = moved[0], moved[1] if len(moved) > 1 else np.float64(0)
        with np.errstate(divide="ignore", invalid="ignore"):
            deltas = (ub - upper) / (lb - lower) - (ua + upper) / (la + lower)
        least = abs(self.delta or 0.0) - ROUNDING * (abs(ua / la) + abs(ub / lb))
        far: Flags = ~(np.abs(deltas) < least)
        return far

    @cached_property
    def directions(self) -> tuple[int, int, int]:
        """Pairs that rose, fell and stayed."""
        both = self.pairs.both
        sides = (self.pairs.baseline, self.pairs.candidate)
        before, after = (_values(side.upper[both], side.lower[both]) for side in sides)
        near = ROUNDING * np.maximum(np.abs(before), np.abs(after))
        rises, falls = int((after - before > near).sum()), int((before - after > near).sum())
        return rises, falls, int(both.sum()) - rises - falls


def _values(upper: Floats, lower: Floats) -> Floats:
    """Each pair's own score; NaN, which neither rises nor falls, where its denominator is 0."""
    values = np.full(upper.size, np.nan)
    np.divide(upper, lower, out=values, where=lower > 0)
    return values
