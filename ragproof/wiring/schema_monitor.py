"""The section `monitor` of `ragproof.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from ragproof.analysis.monitor_clock import AlertRate, Clock, Span, within
from ragproof.metrics.catalog import ids
from ragproof.text.faults import Fault, shown
from ragproof.text.faults import Path as Place
from ragproof.text.nearest import nearest
from ragproof.wiring.section import Count, Fraction, Section, Text, Texts


class BandConfig(Section):
    """Limits from history, in place of `min` and `max`."""

    history: Text = "28d"
    """How far back it looks."""
    seasons: bool = True
    """Whether days of the week and hours of the day have levels of their own, where the history
    holds three windows of each."""


class WatchedConfig(Section):
    """One guardrail."""

    metric: Text
    """Metric key: of a metric that ragproof has, or `module:Class` of your own."""
    statistic: Literal["mean", "rate", "p50", "p95", "p99", "completion"] = "mean"
    """Which figure of it; `rate` is the mean of a fraction."""
    min: float | None = None
    """Least allowed value."""
    max: float | None = None
    """Greatest allowed value."""
    band: BandConfig | None = None
    """A control band from history, `{}` for its defaults."""
    slice: Mapping[str, Text | Texts] = {}
    """Only cases with these tags: name to a value, or a list of which any will do."""
    by: Text | None = None
    """Tag, each value of which is held to it by itself."""
    window: Text | None = None
    """Length of its windows; default `monitor.window`."""
    min_samples: Count = 30
    """Fewer scored cases of a window are too few to tell."""
    priority: Literal["high", "medium", "low"] = "medium"
    """How urgent an alert is, by what it means for users."""
    on_missing: Literal["fail", "skip"] | None = None
    """Whether `monitor check` exits with 2 where it could not be measured; default
    `monitor.on_missing`."""


class ReleaseConfig(Section):
    """A change that was rolled out."""

    at: Text
    """Date or time, ISO 8601; without an offset in `monitor.timezone`."""
    name: Text
    """What it is called."""
    kind: Literal["application", "model", "prompt", "index", "data", "policy"] = "application"
    """What was changed."""


class MonitorConfig(Section):
    """How production is watched."""

    window: Text = "1d"
    """Length of a window: minutes, hours, days or weeks, as 30m, 6h, 1d, 1w."""
    step: Text | None = None
    """How far apart windows begin; shorter than the window they overlap. Default the window."""
    reference: Text | None = None
    """Stretch of time that windows are compared with, as 2026-11-01/2026-11-08; default the first
    window that has ended."""
    timezone: Text = "UTC"
    """Whose midnight windows begin at: an IANA name."""
    false_alerts: Text = "1 per 30d"
    """How many false alerts are put up with, all guardrails together; it sets how sure each look
    has to be."""
    min_completion: Fraction = 0.95
    """Least share of scored cases among those a metric applies to."""
    on_missing: Literal["fail", "skip"] = "fail"
    """Whether `monitor check` exits with 2 where a guardrail could not be measured."""
    guardrails: tuple[WatchedConfig, ...] = ()
    """What must hold in every window."""
    signals: Path | None = None
    """What `ragproof review report --out` wrote: a signal that was validated there is told with its
    direction."""
    releases: Path | tuple[ReleaseConfig, ...] = ()
    """What was rolled out when: a list, or a JSON Lines file of the same keys."""
    after_release: Text | None = None
    """An alert that begins so long after a release is laid to it at first; default one window of
    the guardrail."""


def monitor_faults(monitor: MonitorConfig) -> Iterator[Fault]:
    """Yield what is wrong with a section whose keys have the right types."""
    place: Place = ("monitor",)
    read: dict[str, Any] = {}
    for key, reader in (
        ("window", Span.parse),
        ("step", Span.parse),
        ("timezone", Clock.of),
        ("false_alerts", AlertRate.parse),
        ("after_release", Span.parse),
    ):
        yield from _read(getattr(monitor, key), reader, (*place, key), read)
    if (clock := read.get("timezone")) is not None:
        yield from _read(
            monitor.reference, lambda text: within(text, clock), (*place, "reference"), read
        )
        releases = () if isinstance(monitor.releases, Path) else monitor.releases
        for index, release in enumerate(releases):
            yield from _read(release.at, clock.moment, (*place, "releases", index, "at"), read)
    window, step = read.get("window"), read.get("step")
    if window and step and step > window:
        message = f"got {step}, longer than the window of {window}: between them cases are lost"
        yield Fault((*place, "step"), message)
    for index, one in enumerate(monitor.guardrails):
        yield from _guardrail(one, (*place, "guardrails", index), step or window)


def _read(
    text: str | None, reader: Callable[[str], object], place: Place, read: dict[str, Any]
) -> Iterator[Fault]:
    if text is None:
        return
    try:
        read[str(place[-1])] = reader(text)
    except ValueError as fault:
        yield Fault(place, str(fault))


def _guardrail(one: WatchedConfig, place: Place, step: Span | None) -> Iterator[Fault]:
    read: dict[str, Any] = {}
    known = one.metric.partition("[")[0]
    if ":" not in known and known not in ids():
        got = f"got {shown(one.metric)}, which is no metric."
        close = nearest(known, ids())
        yield Fault((*place, "metric"), f"{got}{close} List: ragproof metrics")
    yield from _read(one.window, Span.parse, (*place, "window"), read)
    if step and (window := read.get("window")) and window < step:
        message = f"got {window}, shorter than the step of {step}: between them cases are lost"
        yield Fault((*place, "window"), message)
    bounds = one.min is not None or one.max is not None
    if one.band is None and not bounds:
        yield Fault(place, "nothing can fail this guardrail; give it min, max or band")
    if one.band is not None:
        if bounds:
            yield Fault(place, "got band beside min or max; a guardrail has one or the other")
        yield from _read(one.band.history, Span.parse, (*place, "band", "history"), read)
    if one.min is not None and one.max is not None and one.min > one.max:
        message = f"got min {one.min:g} above max {one.max:g}, which nothing can meet"
        yield Fault(place, message)
    if one.by is not None and one.by in one.slice:
        yield Fault((*place, "by"), f"got {one.by!r}, which slice holds fast already")
