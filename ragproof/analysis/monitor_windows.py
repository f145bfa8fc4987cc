"""Traffic by windows: figures of each, and how far each is from before and from a reference. Pure.

Intervals are those of reports of runs, 95 % each, not adjusted for their number: what is beyond
chance among so many windows, guardrails and the test of the course say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ragproof.analysis.by_tag import MANY
from ragproof.analysis.holm import holm
from ragproof.analysis.monitor_clock import Clock, Span, Window
from ragproof.analysis.monitor_figures import Figure, Part, by_value, change, figure, part
from ragproof.analysis.monitor_shape import Course, course
from ragproof.analysis.monitor_traffic import Measure, Traffic
from ragproof.core.header import Declared

Change = tuple[float, tuple[float, float] | None]
"""How far, and its interval where there is one."""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric in one window."""

    figure: Figure
    from_before: Change | None
    """Against the newest window that has ended when this one begins."""
    from_reference: Change | None


@dataclass(frozen=True, kw_only=True)
class Series:
    """One statistic of one metric over all windows, of all cases or of those with a tag's value."""

    key: str
    declared: Declared
    statistic: str
    value_of: str | None
    rows: tuple[Row, ...]
    reference: Figure | None
    course: Course | str
    p_adjusted: float | None = None
    """Of the course, over all that are shown."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """One a window."""
        return tuple(one.figure for one in self.rows)

    @property
    def latest(self) -> int | None:
        """Index of the newest window with a figure."""
        there = [at for at, one in enumerate(self.rows) if one.figure.value is not None]
        return there[-1] if there else None


@dataclass(frozen=True, slots=True)
class Load:
    """The traffic of one window."""

    cases: int
    failed: int
    """Where the pipeline gave no answer; they are in no mean."""


@dataclass(frozen=True, kw_only=True)
class Monitored:
    """Traffic as a table of windows."""

    traffic: Traffic
    clock: Clock
    length: Span
    step: Span
    windows: tuple[Window, ...]
    loads: tuple[Load, ...]
    reference: Window | None
    by: str | None
    series: tuple[Series, ...]
    slices: tuple[Series, ...]
    """The same by the values of the tag."""
    absent: tuple[str, ...]
    """Metrics that were asked for and that no run has."""
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How the table is to be laid out."""

    clock: Clock
    length: Span
    step: Span
    reference: tuple[float, float] | None = None
    """Beginning and end; None for the first window that has ended."""
    metrics: tuple[tuple[str, str], ...] = ()
    """Key and statistic of each."""
    by: str | None = None


def monitored(traffic: Traffic, asked: Asked) -> Monitored:
    """Lay the table out; ValueError where there would be too many windows."""
    windows: list[Window] = []
    if traffic.size:
        first, last = float(traffic.asked_at[0]), float(traffic.asked_at[-1])
        windows = asked.clock.windows(first, last, traffic.until, asked.length, asked.step)
    reference = _reference(traffic, windows, asked)
    laid = _Laid(traffic, windows, _earlier(windows), reference)
    there = [(key, statistic) for key, statistic in asked.metrics if traffic.measure(key)]
    series = [laid.series(key, statistic) for key, statistic in there]
    slices = [one for key, statistic in there for one in laid.slices(key, statistic, asked.by)]
    return Monitored(
        traffic=traffic,
        clock=asked.clock,
        length=asked.length,
        step=asked.step,
        windows=tuple(windows),
        loads=tuple(_load(traffic, one) for one in windows),
        reference=reference,
        by=asked.by,
        series=tuple(_adjusted(series)),
        slices=tuple(_adjusted(slices)),
        absent=tuple(key for key, _ in asked.metrics if traffic.measure(key) is None),
        notes=tuple(traffic.notes([key for key, _ in there])),
    )


def _load(traffic: Traffic, window: Window) -> Load:
    rows = traffic.rows(window.start, window.end)
    return Load(rows.stop - rows.start, int(traffic.failed[rows].sum()))


def _reference(traffic: Traffic, windows: Sequence[Window], asked: Asked) -> Window | None:
    """What windows are held to: a stretch that was named, or the first that ended."""
    if asked.reference is not None:
        start, end = asked.reference
        name = f"{asked.clock.told(start)} to {asked.clock.told(end)}"
        return Window(start=start, end=end, name=name, weekday=0, minute=0)
    ended = (one for one in windows if one.finished and _load(traffic, one).cases)
    return next(ended, None)


def _earlier(windows: Sequence[Window]) -> list[int | None]:
    """For each window the newest that has ended when it begins."""
    found: list[int | None] = []
    at = -1
    for one in windows:
        while windows[at + 1].end <= one.start:
            at += 1
        found.append(at if at >= 0 else None)
    return found


@dataclass(frozen=True)
class _Laid:
    traffic: Traffic
    windows: Sequence[Window]
    earlier: Sequence[int | None]
    reference: Window | None

    def series(self, key: str, statistic: str) -> Series:
        measure = self.traffic.measure(key)
        assert measure is not None
        return self._of(
            measure, statistic, None, [self._part(measure, one) for one in self.windows]
        )

    def slices(self, key: str, statistic: str, tag: str | None) -> Iterator[Series]:
        measure = self.traffic.measure(key)
        assert measure is not None
        if tag is None or not 1 <= len(self.traffic.codes(tag)[0]) <= MANY:
            return
        parted = [dict(by_value(self._part(measure, one), tag)) for one in self.windows]
        for value in self.traffic.codes(tag)[0]:
            yield self._of(measure, statistic, (tag, value), [one[value] for one in parted])

    def _part(self, measure: Measure, window: Window) -> Part:
        return part(self.traffic, measure, self.traffic.rows(window.start, window.end))

    def _of(
        self, measure: Measure, statistic: str, value: tuple[str, str] | None, parts: list[Part]
    ) -> Series:
        figures = [figure(one, statistic) for one in parts]
        reference = None
        if self.reference is not None:
            there = self._part(measure, self.reference)
            reference = figure(
                there if value is None else dict(by_value(there, value[0]))[value[1]], statistic
            )
        rows = [
            Row(
                one,
                None if before is None else change(figures[before], one),
                self._from_reference(window, reference, one),
            )
            for window, one, before in zip(self.windows, figures, self.earlier, strict=True)
        ]
        return Series(
            key=measure.key,
            declared=measure.declared,
            statistic=statistic,
            value_of=None if value is None else value[1],
            rows=tuple(rows),
            reference=reference,
            course=course(self._apart(figures), measure.ends(statistic)),
        )

    def _apart(self, figures: Sequence[Figure]) -> list[Figure]:
        """Those of windows that have ended and share no time; the rest as if not measured."""
        found, end = [], -math.inf
        for one, window in zip(figures, self.windows, strict=True):
            taken = window.finished and window.start >= end
            end = window.end if taken else end
            found.append(one if taken else replace(one, value=None))
        return found

    def _from_reference(
        self, window: Window, reference: Figure | None, one: Figure
    ) -> Change | None:
        """The change; none against a window that shares cases with the reference."""
        there = self.reference
        if (
            there is None
            or reference is None
            or (there.start < window.end and window.start < there.end)
        ):
            return None
        return change(reference, one)


def _adjusted(series: Sequence[Series]) -> list[Series]:
    found = {
        at: one.course.p_value for at, one in enumerate(series) if not isinstance(one.course, str)
    }
    adjusted = holm(found)
    return [replace(one, p_adjusted=adjusted.get(at)) for at, one in enumerate(series)]
