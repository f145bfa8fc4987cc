"""A control band from history: within which a window's figure lies if nothing changed. Pure.

Shares are charted by Laney's p' (2002, Quality Engineering 14:531), means likewise, percentiles as
individuals: a figure is measured in the standard errors that so many cases have by chance, and how
much more than that windows differ, sigma z, is told by the mean moving range of the history over
1.128, or by its standard deviation where that is greater, as it is where days resemble the days
before; each window is freed of its own part in the centre. So the size of a window enters by its
traffic, and a band is never narrower than chance among cases alone. Times, costs and counts are
charted by their logarithms, for their means and tails err upwards more than downwards. History is
cleaned once: windows beyond 4.5 sigma by medians are left out, a quarter at most. Limits are of a
further window: Student's t at 0.62 (m - classes) degrees of freedom, which is what moving ranges
of m windows are worth, and the uncertainty of the centre is in them. For shares of few cases they
are widened to the binomial's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ragproof.analysis.intervals import Indices
from ragproof.analysis.monitor_clock import DAY, Span, Window
from ragproof.analysis.tails import binomial_limits, t_quantile
from ragproof.core.record import Flags, Floats
from ragproof.text.counting import counted

MONTH = Span(28 * DAY)
FEWEST = 8
"""Windows of history without which there is no band."""
PERIODS = 3
"""Windows that each class of a season has before it is modelled."""
D2 = 1.128
"""Mean of the moving range of two normal values, in standard deviations."""
D4 = 0.954
"""Its median."""
OUTLYING = 4.5
WORTH = 0.62
"""Degrees of freedom that one moving range of two is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandRule:
    """How much history a band looks back on, and whether it knows of seasons."""

    history: Span = MONTH
    seasons: bool = True


@dataclass(frozen=True, slots=True)
class Past:
    """A window's figure as the chart sees it."""

    window: Window
    value: float
    n: int
    """Cases that it is of."""
    variance: float | None
    """Of one case's contribution within the window; None for a percentile."""
    is_share: bool
    """Whether every case contributes a yes or a no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The limits for one window."""

    low: float
    high: float
    centre: float
    sigma: float
    """How many times as much windows differ as chance among their cases alone makes them."""
    windows: int
    """Of the history, those that were left out not counted."""
    excluded: tuple[str, ...]
    """Names of windows that were left out as outlying."""
    season: str
    """What is modelled, and why no more is."""


@dataclass(frozen=True)
class Chart:
    """A fitted history, from which the band of any window follows."""

    past: tuple[Past, ...]
    """In the order of time."""
    kept: Flags
    class_of: Callable[[Window], object]
    numbers: dict[object, int]
    centres: Floats
    weights: Floats
    """Cases by class, like the centres."""
    scales: Floats
    """Standard deviation of one case's contribution, by class."""
    sigma: float
    season: str
    ends: tuple[float, float] = field(default=(0.0, math.inf))
    logs: bool = False
    """Whether all figures above are of logarithms."""

    def band(self, window: Window, n: int, tail: float) -> Band | str:
        """The limits for a window of n cases, beyond each of which lies a chance of `tail`."""
        at = self.numbers.get(self.class_of(window))
        if at is None or not self.weights[at]:
            return "the history has no window of this time of the week"
        centre, whole = float(self.centres[at]), float(self.weights[at])
        m = int(self.kept.sum())
        freedom = max(1, int(WORTH * (m - len(self.numbers))))
        error = self.sigma * float(self.scales[at]) * math.sqrt(1 / n + 1 / whole)
        margin = t_quantile(tail, freedom) * error
        low, high = centre - margin, centre + margin
        if self.past[0].is_share:
            effective = max(1, round(n / self.sigma**2))
            exact = binomial_limits(_smoothed(centre, whole), effective, tail)
            low, high = (low, high) if exact is None else (min(low, exact[0]), max(high, exact[1]))
        if self.logs:
            low, centre, high = (math.exp(min(one, 700.0)) for one in (low, centre, high))
        return Band(
            low=max(self.ends[0], low),
            high=min(self.ends[1], high),
            centre=centre,
            sigma=self.sigma,
            windows=m,
            excluded=tuple(
                one.window.name for one, kept in zip(self.past, self.kept, strict=True) if not kept
            ),
            season=self.season,
        )


def on_logs(ends: tuple[float, float], values: Iterable[float]) -> bool:
    """Whether figures with these least and greatest values are charted by their logarithms."""
    return ends == (0.0, math.inf) and all(one > 0 for one in values)


def chart(
    past: Sequence[Past],
    rule: BandRule,
    length: Span,
    ends: tuple[float, float],
    window: Window | None = None,
) -> Chart | str:
    """Fit the history, or say why there is no band; `window` is the one it is wanted for."""
    ordered = tuple(sorted(past, key=lambda one: one.window.start))
    if len(ordered) < FEWEST:
        there = counted(len(ordered), "window")
        return f"a band takes {FEWEST} windows of history; {there} could be measured"
    logs = not ordered[0].is_share and on_logs(ends, [one.value for one in ordered])
    ordered = tuple(_logged(one) for one in ordered) if logs else ordered
    class_of, season = _season(ordered, rule, length, window)
    numbers: dict[object, int] = {}
    found = [numbers.setdefault(class_of(one.window), len(numbers)) for one in ordered]
    classes = np.array(found, np.intp)
    kept = _kept(ordered, classes, len(numbers))
    centres, weights, scales = _levels(ordered, classes, len(numbers), kept)
    if not scales.any():
        return "the figure never varied in the history, so that nothing tells how far it may"
    z = _standardised(ordered, classes, centres, weights, scales)[kept]
    sigma = max(float(np.abs(np.diff(z)).mean()) / D2, math.sqrt(float(np.mean(z**2))))
    if ordered[0].variance is not None:
        sigma = max(1.0, sigma)
    elif sigma == 0:
        return "the figure never varied in the history, so that nothing tells how far it may"
    levels = (centres, weights, scales)
    return Chart(*(ordered, kept, class_of, numbers, *levels, sigma, season, ends), logs=logs)


def _logged(past: Past) -> Past:
    """A window's figure by its logarithm, the variance by the delta method."""
    spread = None if past.variance is None else past.variance / past.value**2
    return replace(past, value=math.log(past.value), variance=spread)


def _levels(
    past: Sequence[Past], classes: Indices, size: int, kept: Flags
) -> tuple[Floats, Floats, Floats]:
    """Centre, cases and standard deviation of one case's contribution, by class."""
    n = np.array([one.n for one in past], np.float64) * kept
    values = np.array([one.value for one in past])
    weights = np.bincount(classes, n, minlength=size)
    with np.errstate(invalid="ignore"):
        centres = np.bincount(classes, n * values, minlength=size) / weights
    centres = np.where(weights > 0, centres, np.nan)
    if past[0].is_share:
        smooth = [_smoothed(c, w) if w else 0.0 for c, w in zip(centres, weights, strict=True)]
        scales = np.sqrt(np.array(smooth) * (1 - np.array(smooth)))
    elif past[0].variance is not None:
        pooled = sum(one.variance * own for one, own in zip(past, n, strict=True) if one.variance)
        scales = np.full(size, math.sqrt(pooled / n.sum()))
    else:
        scales = np.ones(size)
    return centres, weights.astype(np.float64), scales


def _smoothed(share: float, n: float) -> float:
    """A share; in place of 0 and 1 one that is neither: what was not seen yet may come."""
    return share if 0 < share < 1 else (share * n + 0.5) / (n + 1)


def _standardised(
    past: Sequence[Past], classes: Indices, centres: Floats, weights: Floats, scales: Floats
) -> Floats:
    """How many standard errors each window lies from its centre, which it has a part in."""
    n = np.array([one.n for one in past], np.float64)
    off = np.array([one.value for one in past]) - centres[classes]
    own = np.clip(1 - n / np.maximum(weights[classes], n), 1e-9, None)
    own = np.where(own < 0.01, 1.0, own)  # alone in its class: it lies at the centre
    scale = np.where(scales[classes] > 0, scales[classes], 1.0)
    z: Floats = off * np.sqrt(n) / scale / np.sqrt(own)
    return z


def _kept(past: Sequence[Past], classes: Indices, size: int) -> Flags:
    """All but the windows that lie far off by medians, which few odd ones cannot move."""
    everything = np.ones(len(past), np.bool_)
    values = np.array([one.value for one in past])
    _, weights, scales = _levels(past, classes, size, everything)
    medians = np.array([np.median(values[classes == at]) for at in range(size)])
    z = _standardised(past, classes, medians, weights, np.where(scales > 0, scales, 1.0))
    sigma = float(np.median(np.abs(np.diff(z)))) / D4
    if past[0].variance is not None:
        sigma = max(1.0, sigma)
    far = np.abs(z) > OUTLYING * sigma if sigma > 0 else np.zeros(len(past), np.bool_)
    most = len(past) // 4
    order = np.argsort(-np.abs(z), kind="stable")[:most]
    everything[order[far[order]]] = False
    return everything


def _season(
    past: Sequence[Past], rule: BandRule, length: Span, window: Window | None
) -> tuple[Callable[[Window], object], str]:
    """Which windows are alike, and how that is told."""
    why = "seasons: none modelled"
    if not rule.seasons:
        return _alike, f"{why}, as configured"
    tried = []
    for name, class_of in _seasons(length):
        counts: dict[object, int] = {}
        for one in past:
            key = class_of(one.window)
            counts[key] = counts.get(key, 0) + 1
        fewest = min(counts.values())
        if window is not None:
            fewest = min(fewest, counts.get(class_of(window), 0))
        if fewest >= PERIODS:
            return class_of, f"seasons: by {name}"
        tried.append(f"{name} takes {PERIODS} windows of each, the fewest has {fewest}")
    return _alike, f"{why}; {'; '.join(tried) or f'windows of {length} have none'}"


def _seasons(length: Span) -> list[tuple[str, Callable[[Window], object]]]:
    if length.minutes == DAY:
        return [("day of the week", lambda one: one.weekday)]
    if length.minutes < DAY and DAY % length.minutes == 0:
        return [
            ("day of the week and hour of the day", lambda one: (one.weekday, one.minute)),
            ("hour of the day", lambda one: one.minute),
        ]
    return []


def _alike(_: Window) -> object:
    return 0
