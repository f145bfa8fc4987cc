"""Quality against latency or cost: where points, whiskers and the frontier are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ragproof.analysis.sweep import Study
from ragproof.analysis.sweep_points import SweepPoint
from ragproof.core.spec import Better, Unit
from ragproof.reports.wording import figure

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 36, 16, 44
TICKS = 5
"""About so many marks on an axis."""
LEAST = 1e-9
"""Values that differ by less are drawn as one."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A point in the drawing."""

    point: int
    x: float
    y: float
    whisker: tuple[float, float] | None
    """Upper and lower end, where there is an interval."""
    on_frontier: bool
    chosen: bool
    words: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A drawing; all lengths in its own unit."""

    title: str
    dots: tuple[Dot, ...]
    line: str
    """The path of the frontier."""
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_title: str
    y_title: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def charts(study: Study) -> list[Chart]:
    """One drawing for each of latency and cost, where points have figures of it."""
    found = []
    if (one := _chart(study, "latency")) is not None:
        found.append(one)
    if (one := _chart(study, "cost")) is not None:
        found.append(one)
    return found


def _chart(study: Study, axis: str) -> Chart | None:
    placed = [
        (at, x, y)
        for at, one in enumerate(study.points)
        if (x := _x(one, axis)) is not None and (y := _y(one)) is not None
    ]
    if not placed:
        return None
    first = study.points[placed[0][0]]
    assert first.quality is not None
    unit = first.quality.column.declared.unit
    ends = [end for at, _, _ in placed for end in _ends(study.points[at])]
    x_scale = Scale([x for _, x, _ in placed], LEFT, WIDTH - RIGHT, least=0.0)
    y_scale = Scale([*(y for _, _, y in placed), *ends], HEIGHT - BOTTOM, TOP)
    x_unit = Unit.SECONDS if axis == "latency" else _cost_unit(study)
    dots = tuple(_dot(study, at, x_scale.at(x), y_scale.at(y), y_scale) for at, x, y in placed)
    lower = first.quality.column.declared.better is Better.LOWER
    return Chart(
        title=f"Quality against {axis}",
        dots=dots,
        line=_path(sorted((dot.x, dot.y) for dot in dots if dot.on_frontier)),
        x_ticks=tuple(Tick(x_scale.at(one), figure(one, x_unit)) for one in x_scale.ticks),
        y_ticks=tuple(Tick(y_scale.at(one), figure(one, unit)) for one in y_scale.ticks),
        x_title="latency, p95" if axis == "latency" else "cost, mean",
        y_title=study.axes.quality + (" (lower is better)" if lower else ""),
    )


class Scale:
    """From values to lengths, with round marks."""

    def __init__(
        self, values: Sequence[float], start: float, end: float, least: float | None = None
    ) -> None:
        low, high = min(values) if least is None else least, max(values)
        if high - low < LEAST:
            low, high = (
                end + sign * (abs(end) if abs(end) > LEAST else 1.0) / 2
                for end, sign in ((low, -1), (high, 1))
            )
        step = _round_step((high - low) / TICKS)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        self.ticks = [round(at * step, 12) for at in range(first, last + 1)]
        self._low, self._high = self.ticks[0], self.ticks[-1]
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Where a value lies."""
        share = (value - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)


def _round_step(rough: float) -> float:
    """The next of 1, 2, 5 and 10 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(one * power for one in (1.0, 2.0, 5.0, 10.0) if rough <= one * power * (1 + 1e-9))


def _path(placed: Sequence[tuple[float, float]]) -> str:
    """Steps from point to point: between two, the quality of the cheaper is what one gets."""
    if len(placed) < 2:
        return ""
    path = f"M{placed[0][0]} {placed[0][1]}"
    for _, (x, y) in pairwise(placed):
        path += f"H{x}V{y}"
    return path


def _dot(study: Study, at: int, x: float, y: float, scale: Scale) -> Dot:
    one = study.points[at]
    ends = [scale.at(end) for end in _ends(one)]
    return Dot(
        point=at,
        x=x,
        y=y,
        whisker=(min(ends), max(ends)) if ends else None,
        on_frontier=study.frontier.places[at].on_frontier,
        chosen=study.choice is not None and study.choice.chosen == at,
        words=one.name,
    )


def _ends(point: SweepPoint) -> tuple[float, ...]:
    ends = None if point.quality is None else point.quality.bounds.ends
    return () if ends is None else ends


def _x(point: SweepPoint, axis: str) -> float | None:
    return point.seconds if axis == "latency" else point.price


def _y(point: SweepPoint) -> float | None:
    return None if point.quality is None else point.quality.mean


def _cost_unit(study: Study) -> Unit:
    return next(one.cost.column.declared.unit for one in study.points if one.cost is not None)
