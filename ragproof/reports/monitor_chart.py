"""A figure over windows: where points, intervals and the reference are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.analysis.monitor_windows import Monitored, Series
from ragproof.reports.monitor_wording import called, ends_told, unit_of
from ragproof.reports.sweep_chart import Scale, Tick
from ragproof.reports.wording import figure

WIDTH, HEIGHT = 720, 200
LEFT, RIGHT, TOP, BOTTOM = 64, 56, 16, 32
MARKS = 6
"""So many windows are named below the drawing."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A window in the drawing."""

    x: float
    y: float
    ends: tuple[float, float] | None
    finished: bool
    words: str


@dataclass(frozen=True, kw_only=True)
class Course:
    """A drawing; all lengths in its own unit."""

    title: str
    spots: tuple[Spot, ...]
    lines: tuple[str, ...]
    """Points of each stretch of windows without a gap."""
    reference: float | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def drawn(found: Monitored, one: Series) -> Course | None:
    """Draw a series; None where no window has a figure."""
    there = [at for at, row in enumerate(one.rows) if row.figure.value is not None]
    if not there:
        return None
    unit = unit_of(one)
    shown = [one.rows[at].figure for at in there]
    heights = [each.value for each in shown if each.value is not None]
    heights += [end for each in shown for end in each.bounds.ends or ()]
    base = None if one.reference is None else one.reference.value
    scale = Scale([*heights, *([] if base is None else [base])], HEIGHT - BOTTOM, TOP)
    step = (WIDTH - LEFT - RIGHT) / max(len(found.windows) - 1, 1)
    spots = {at: _spot(found, one, at, round(LEFT + at * step, 1), scale) for at in there}
    every = max(1, -(-len(found.windows) // MARKS))
    names = [
        Tick(round(LEFT + at * step, 1), found.windows[at].name)
        for at in range(0, len(found.windows), every)
    ]
    return Course(
        title=called(found.traffic, one),
        spots=tuple(spots.values()),
        lines=tuple(_stretches(spots)),
        reference=None if base is None else scale.at(base),
        x_ticks=tuple(names),
        y_ticks=tuple(Tick(scale.at(each), figure(each, unit)) for each in scale.ticks),
    )


def _spot(found: Monitored, one: Series, at: int, x: float, scale: Scale) -> Spot:
    told, unit, window = one.rows[at].figure, unit_of(one), found.windows[at]
    assert told.value is not None
    ends = told.bounds.ends
    words = f"{window.name}: {figure(told.value, unit)}{ends_told(ends, unit)}, n {told.n:,}"
    whisker = None if ends is None else (scale.at(ends[1]), scale.at(ends[0]))
    return Spot(x, scale.at(told.value), whisker, window.finished, words)


def _stretches(spots: dict[int, Spot]) -> list[str]:
    lines: list[list[str]] = []
    before = None
    for at, spot in spots.items():
        if before is None or at != before + 1:
            lines.append([])
        lines[-1].append(f"{spot.x},{spot.y}")
        before = at
    return [" ".join(one) for one in lines if len(one) > 1]
