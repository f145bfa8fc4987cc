"""Whether a figure drifted over windows, and in which shape: a hypothesis, never a cause. Pure.

Two shapes are held to no change: one step at an unknown window, and a straight line. That there is
any change at all is tested by exchanging windows at random, the statistic being what the better of
the two explains; which of them it is, only if one fits better by a BIC of 2 or more. Times, costs
and counts are explained by their logarithms, as control bands chart them: they err upwards more
than downwards, and one slow window would outweigh the rest. Levels are of the figures themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ragproof.analysis.intervals import SEED
from ragproof.analysis.monitor_band import on_logs
from ragproof.analysis.monitor_figures import Figure
from ragproof.core.record import Floats

FEWEST = 8
"""Measured windows without which no shape is told."""
EXCHANGES = 999
AT_ONCE = 2_000_000
"""Numbers in memory at once."""
BIC = 2.0


class Shape(StrEnum):
    """How a figure went."""

    SUDDEN = "sudden"
    GRADUAL = "gradual"
    EITHER = "either"
    """It changed; whether at once or bit by bit cannot be told."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a figure went over windows."""

    p_value: float
    """Of no change at all, by exchanging windows."""
    shape: Shape
    at: int
    """Index of the first window after the step that fits best."""
    before: float
    """Level on either side of that step."""
    after: float
    windows: int
    """That were measured."""


def course(
    figures: Sequence[Figure], ends: tuple[float, float] = (-math.inf, math.inf)
) -> Course | str:
    """Tell how a figure went, or why that cannot be told; `ends` are those of its unit."""
    there = np.array([at for at, one in enumerate(figures) if one.value is not None], np.intp)
    if there.size < FEWEST:
        return f"the shape of a change takes {FEWEST} measured windows, {there.size} are there"
    values = np.array([figures[at].value for at in there], np.float64)
    weights = np.array([figures[at].n for at in there], np.float64)
    if np.ptp(values) <= 1e-12 * np.abs(values).max(initial=1e-300):
        return "all windows have the same figure"
    time = there / max(len(figures) - 1, 1)
    scaled = np.log(values) if on_logs(ends, values) else values
    steps, line, whole = _explained(scaled[None], weights[None], time)
    found = max(steps.max(), line[0]) / whole[0]
    draw, more = np.random.default_rng(SEED), 0
    some = max(1, AT_ONCE // values.size)
    for begin in range(0, EXCHANGES, some):
        order = draw.permuted(
            np.tile(np.arange(values.size), (min(some, EXCHANGES - begin), 1)), axis=1
        )
        step, straight, all_of_it = _explained(scaled[order], weights[order], time)
        best = np.maximum(step.max(axis=1), straight) / all_of_it
        more += int((best >= found - 1e-12).sum())
    cut = int(steps[0].argmax()) + 1
    left, right = (
        float(np.average(values[part], weights=weights[part]))
        for part in (slice(cut), slice(cut, None))
    )
    shape = _shape(float(steps.max()), float(line[0]), float(whole[0]), values.size)
    p_value = (more + 1) / (EXCHANGES + 1)
    return Course(p_value, shape, int(there[cut]), left, right, int(values.size))


def _explained(values: Floats, weights: Floats, time: Floats) -> tuple[Floats, Floats, Floats]:
    """Weighted squares that each step and the line explain, and all there are; a row an order.

    Shapes: (orders, windows - 1), (orders,), (orders,).
    """
    whole = weights.sum(axis=1, keepdims=True)
    off = values - (weights * values).sum(axis=1, keepdims=True) / whole
    sums = np.cumsum(weights * off, axis=1)[:, :-1]
    left = np.cumsum(weights, axis=1)[:, :-1]
    steps = sums**2 * (1 / left + 1 / (whole - left))
    centred = time - (weights * time).sum(axis=1, keepdims=True) / whole
    line = (weights * centred * off).sum(axis=1) ** 2 / (weights * centred**2).sum(axis=1)
    return steps, line, (weights * off**2).sum(axis=1)


def _shape(step: float, line: float, whole: float, n: int) -> Shape:
    """Which explains more, a step being charged for the place that it chose."""
    left = [max(whole - one, 1e-12 * whole) for one in (step, line)]
    bics = [
        n * math.log(rest) + terms * math.log(n) for rest, terms in zip(left, (2, 1), strict=True)
    ]
    if bics[0] + BIC <= bics[1]:
        return Shape.SUDDEN
    return Shape.GRADUAL if bics[1] + BIC <= bics[0] else Shape.EITHER
