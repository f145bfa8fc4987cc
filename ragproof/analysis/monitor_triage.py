"""What to look at first after an alert: a release, or the traffic. Pure.

An alert right after a release points to a regression, one without to drift. Neither is proof: a
release may coincide with a change of traffic, and a provider or the data may change without one.
So the slices that moved most and single traces are named, in which to confirm it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ragproof.analysis.by_tag import FEW, MANY, bounds_of_part
from ragproof.analysis.monitor_clock import Window
from ragproof.analysis.monitor_figures import Figure, Part, by_value, change, figure
from ragproof.analysis.monitor_guardrails import Held, Looker, Release, Standing
from ragproof.analysis.requirements import PERCENTILES
from ragproof.core.outcome import Status
from ragproof.core.spec import Interval, Unit

SLICES = 3
TRACES = 5
QUIET = 2
"""So many windows on end without an alert part one alert from another."""
BACK = 60
"""So many windows back the beginning of an alert is looked for."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A slice whose figure moved."""

    tag: str
    value: str
    before: Figure
    after: Figure
    delta: float
    ends: tuple[float, float] | None
    share: tuple[float, float]
    """Of all cases that it is, before and after."""
    beyond: float | None = None
    """Where a percentile is in alert: the figures are shares of answers beyond this."""


@dataclass(frozen=True, slots=True)
class Triage:
    """Where an alert points to."""

    began: Window
    """The first of the windows that were in alert, but for single ones between them."""
    releases: tuple[Release, ...]
    """Those shortly before it began, or in that window; the newest first."""
    against: str
    """Which windows the slices are compared with."""
    slices: tuple[Moved, ...]
    """Those that moved most beyond chance, the farthest first."""
    traces: tuple[str, ...]
    """Ids of the cases that pull most."""

    @property
    def points_to(self) -> str:
        """The first hypothesis: `regression`, `drift`, or `no change`.

        Nothing changed where it was so from the first window on: look at the bound, or further
        back.
        """
        if self.releases:
            return "regression"
        return "drift" if self.against else "no change"


def triage(looker: Looker, alert: Held) -> Triage:
    """Say what to look at first."""
    windows = looker.windows(alert.guardrail)
    at = next(number for number, one in enumerate(windows) if one.start == alert.window.start)
    first = _first(looker, alert, windows[: at + 1])
    began, clock = windows[first], looker.watch.clock
    after = looker.watch.after_release or alert.guardrail.window
    since = clock.time_of(clock.minute_of(began.start) - after.minutes)
    near = [one for one in looker.watch.releases if since <= one.at < began.end]
    before = [one for one in windows[:first] if one.end <= began.start]
    now = looker.cases(alert.guardrail, alert.window, alert.value_of)
    assert now is not None
    then = _all_of(looker, alert, before)
    against = f"{before[0].name} to {before[-1].name}" if before else ""
    return Triage(
        began=began,
        releases=tuple(sorted(near, key=lambda one: -one.at)),
        against=against,
        slices=() if then is None else tuple(_moved(alert, then, now))[:SLICES],
        traces=tuple(_traces(alert, now)),
    )


def _first(looker: Looker, alert: Held, windows: list[Window]) -> int:
    """Index of the window in which the alert began; one quiet window does not end it."""
    first = at = len(windows) - 1
    while at > 0 and first - at < QUIET and len(windows) - at <= BACK:
        at -= 1
        if _was_alert(looker, alert, windows[at]):
            first = at
    return first


def _was_alert(looker: Looker, alert: Held, window: Window) -> bool:
    return looker.hold(alert.guardrail, window, alert.value_of).standing is Standing.ALERT


def _all_of(looker: Looker, alert: Held, windows: list[Window]) -> Part | None:
    """All cases of the time before the alert began."""
    if not windows:
        return None
    whole = Window(
        start=windows[0].start, end=windows[-1].end, name="", weekday=0, minute=0, finished=True
    )
    return looker.cases(alert.guardrail, whole, alert.value_of)


def _moved(alert: Held, then: Part, now: Part) -> Iterator[Moved]:
    found: list[tuple[float, Moved]] = []
    for tag in now.traffic.tags:
        names, _ = now.traffic.codes(tag)
        if tag == alert.guardrail.by or not 2 <= len(names) <= MANY:
            continue
        earlier = dict(by_value(then, tag))
        for value, mine in by_value(now, tag):
            one = _slice(alert, (tag, value), (then, earlier[value]), (now, mine))
            if one is not None:
                found.append(one)
    for _, moved in sorted(found, key=lambda one: (-one[0], one[1].tag, one[1].value)):
        yield moved


def _slice(
    alert: Held, named: tuple[str, str], then: tuple[Part, Part], now: tuple[Part, Part]
) -> tuple[float, Moved] | None:
    bound = _bound(alert)
    before, after = (_figure(alert, bound, one[1]) for one in (then, now))
    told = change(before, after)
    if told is None or min(before.n, after.n) < FEW:
        return None
    delta, ends = told
    if (
        ends is None
        or ends[0] <= 0 <= ends[1]
        or (alert.above is not None and (delta > 0) != alert.above)
    ):
        return None
    share = tuple(part.places.size / whole.places.size for whole, part in (then, now))
    far = min(abs(end) for end in ends) * share[1]
    return far, Moved(*named, before, after, delta, ends, (share[0], share[1]), bound)


def _bound(alert: Held) -> float | None:
    """What a percentile is beyond; None for other figures."""
    if alert.above is None or alert.guardrail.statistic not in PERCENTILES:
        return None
    if alert.band is not None:
        return alert.band.high if alert.above else alert.band.low
    return alert.guardrail.max if alert.above else alert.guardrail.min


def _figure(alert: Held, bound: float | None, of: Part) -> Figure:
    """The figure of a slice; of a percentile the share beyond, which few cases tell, too."""
    found = figure(of, alert.guardrail.statistic)
    if bound is None or not found.n:
        return found
    sample = of.share(of.values > bound if alert.above else of.values < bound)
    ends = bounds_of_part(sample, Interval.WILSON, Unit.FRACTION)
    return replace(found, value=sample.figure, bounds=ends)


def _traces(alert: Held, now: Part) -> Iterator[str]:
    """Failed cases where failures are what is wrong, else the farthest on the side of the alert."""
    measure, places = now.measure, now.places
    if alert.above is None or alert.guardrail.statistic == "completion":
        chosen = places[measure.lost[places]][:TRACES]
    else:
        scored = places[measure.status[places] == Status.SCORED]
        values = measure.values[scored]
        order = np.argsort(-values if alert.above else values, kind="stable")
        chosen = scored[order[:TRACES]]
    for at in chosen.tolist():
        yield now.traffic.case(at).id
