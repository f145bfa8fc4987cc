"""What a control band would have done: false alerts on history, and shifts that it catches. Pure.

Each window of the history is held to the band that the others make. Alerts are taken for false:
where something did happen then, they are not, so their windows are named. A shift is added to
every window of the history in turn and held to the same bands; that it is caught within j windows
is the share of stretches of j windows on end, of all there are, in which any is outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import wilson
from ragproof.analysis.monitor_band import FEWEST, Band, BandRule, Past
from ragproof.analysis.monitor_clock import DAY, AlertRate, Clock, Span
from ragproof.analysis.monitor_guardrails import WIDEST
from ragproof.analysis.monitor_history import History
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.core.header import Declared
from ragproof.core.record import Flags, Floats
from ragproof.text.counting import counted

SINGLY = 400
"""Of more windows none is left out in turn: it would hardly move the band."""
WITHIN = (1, 2, 3, 7)
SHARES = (0.1, 0.25, 0.5, 1.0)
"""Shifts, as shares of the centre, where none are asked for."""
REACHES = (0.5, 1.1, 1.5, 2.0)
"""The same where the centre is 0, as multiples of the way to the farther limit."""
WANTED = 0.8
MONTH = 30 * DAY


@dataclass(frozen=True, slots=True)
class Detection:
    """How well a shift is caught."""

    shift: float
    within: tuple[float, ...]
    """Chance to be caught within so many windows as WITHIN says."""
    windows_needed: int | None
    """Windows within which it is caught 4 times of 5; None if more than the history has."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A band for windows of one length, tried on the history."""

    length: Span
    windows: int
    """Those that were measured."""
    unmeasured: int
    tail: float
    """The chance to lie beyond one limit, by the budget of false alerts."""
    centre: float
    sigma: float
    limits: tuple[float, float]
    """Medians of the lower and of the upper one."""
    reach: float
    """Median distance from the centre to a limit."""
    season: str
    outside: tuple[str, ...]
    """Windows that would have been in alert."""
    per_month: float
    """Alerts in 30 days."""
    per_month_ends: tuple[float, float]
    """95 % interval, windows taken as independent."""
    detections: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class Untried:
    """Why there is no band for windows of this length."""

    length: Span
    why: str


@dataclass(frozen=True)
class Calibrated:
    """How a control band for one figure would have done."""

    traffic: Traffic
    declared: Declared
    key: str
    statistic: str
    false_alerts: AlertRate
    guardrails: int
    rule: BandRule
    tried: tuple[Tried | Untried, ...]


@dataclass(frozen=True)
class Trial:
    """What is tried: one figure of one stretch of traffic."""

    clock: Clock
    stretch: tuple[float, float, float]
    """First and last case, and up to when the traffic is known."""
    history: Callable[[Span], History]
    false_alerts: AlertRate
    guardrails: int = 1
    """So many share the budget."""
    shifts: tuple[float, ...] = ()

    def of(self, length: Span) -> Tried | Untried:
        """Try windows of one length, one after the other."""
        first, last, until = self.stretch
        try:
            laid = self.clock.windows(first, last, until, length, length)
        except ValueError as fault:
            return Untried(length, str(fault))
        windows = [one for one in laid if one.finished]
        history = self.history(length)
        past = [one for window in windows if (one := history.past(window)) is not None]
        budget = self.false_alerts
        share = length.minutes / budget.period.minutes
        tail = min(WIDEST, budget.alerts * share / self.guardrails) / 3
        bands = _bands(history, past, tail, len(windows))
        if isinstance(bands, str):
            return Untried(length, bands)
        return self._tried(length, past, bands, len(windows) - len(past), tail)

    def _tried(
        self, length: Span, past: Sequence[Past], bands: Sequence[Band], lost: int, tail: float
    ) -> Tried:
        lows, highs = (np.array([getattr(one, end) for one in bands]) for end in ("low", "high"))
        values = np.array([one.value for one in past])
        outside = (values < lows) | (values > highs)
        m, monthly = len(past), MONTH / length.minutes
        centre = float(np.mean([one.centre for one in bands]))
        limits = float(np.median(lows)), float(np.median(highs))
        ends = wilson(float(outside.mean()), m)
        return Tried(
            length=length,
            windows=m,
            unmeasured=lost,
            tail=tail,
            centre=centre,
            sigma=float(np.median([one.sigma for one in bands])),
            limits=limits,
            reach=float(np.median((highs - lows) / 2)),
            season=bands[-1].season,
            outside=tuple(one.window.name for one, out in zip(past, outside, strict=True) if out),
            per_month=float(outside.mean()) * monthly,
            per_month_ends=(ends[0] * monthly, ends[1] * monthly),
            detections=tuple(
                _detected(one, values, lows, highs)
                for one in self.shifts or _shifts(centre, limits)
            ),
        )


def _shifts(centre: float, limits: tuple[float, float]) -> tuple[float, ...]:
    """Shifts that a reader can place: against the level, or, where that is 0, the band."""
    if centre:
        return tuple(share * abs(centre) for share in SHARES)
    return tuple(times * max(abs(one) for one in limits) for times in REACHES)


def _bands(history: History, past: Sequence[Past], tail: float, ended: int) -> list[Band] | str:
    """The band of each window by the others, or why there is none."""
    if len(past) <= FEWEST:
        cases = counted(history.fewest, "scored case")
        return (
            f"leaving each out in turn takes {FEWEST + 1} windows of at least {cases}; "
            f"{len(past):,} of {counted(ended, 'window')} that ended have them"
        )
    singly = len(past) <= SINGLY
    fitted = history.fitted(past)
    found: list[Band] = []
    for at, one in enumerate(past):
        if singly:
            fitted = history.fitted([*past[:at], *past[at + 1 :]], one.window)
        if isinstance(fitted, str):
            return fitted
        band = fitted.band(one.window, one.n, tail)
        if isinstance(band, str):
            return band
        found.append(band)
    return found


def _detected(shift: float, values: Floats, lows: Floats, highs: Floats) -> Detection:
    moved = values + shift
    out = (moved < lows) | (moved > highs)
    caught = [_caught(out, number) for number in range(1, values.size + 1)]
    needed = next((number for number, one in enumerate(caught, 1) if one >= WANTED), None)
    return Detection(shift, tuple(caught[min(one, values.size) - 1] for one in WITHIN), needed)


def _caught(out: Flags, number: int) -> float:
    """The share of stretches of so many windows with any outside; the end goes on in front."""
    counts = np.cumsum(np.concatenate([[0], out, out[: number - 1]]))
    return float(((counts[number:] - counts[:-number]) > 0).mean())
