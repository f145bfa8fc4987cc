"""A sweep: runs that differ in parameters, put side by side. Pure: records in, a table out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragproof.analysis.comparable import changes_told, obstacles
from ragproof.analysis.comparison import Compared
from ragproof.analysis.sweep_frontier import Frontier, frontier
from ragproof.analysis.sweep_points import Axes, SweepPoint, adjusted, gain_between, measured
from ragproof.analysis.sweep_rules import (
    Choice,
    Rule,
    Selection,
    best,
    cheapest_sufficient,
    curve,
    smallest_sufficient,
    until_flat,
)
from ragproof.analysis.sweep_weight import convex_weight

ALONG: Mapping[Rule, Callable[[Sequence[SweepPoint], Sequence[int], Selection], Choice]] = {
    Rule.SMALLEST_SUFFICIENT: smallest_sufficient,
    Rule.UNTIL_FLAT: until_flat,
    Rule.BEST: best,
    Rule.CONVEX_WEIGHT: convex_weight,
}
"""The rules that look at points along a parameter, or at all of them."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What the points of a sweep show side by side."""

    name: str
    axes: Axes
    points: tuple[SweepPoint, ...]
    """In the order of the config."""
    baseline: int | None
    reference: int | None
    """What the others are compared with: the baseline, else the best; None without any figure."""
    against: Mapping[int, Compared]
    """Point to its comparison with the reference; p adjusted over the points (Holm)."""
    frontier: Frontier
    choice: Choice | None
    """None where no rule is configured."""
    doubts: tuple[str, ...] = ()
    """In what the runs differ beside the parameters."""

    @property
    def completed(self) -> bool:
        """Whether every point has a run that came to its end."""
        return all(
            one.record is not None and one.record.state == "completed" for one in self.points
        )


def study(
    name: str,
    points: Sequence[SweepPoint],
    axes: Axes,
    baseline: int | None = None,
    selection: Selection | None = None,
) -> Study:
    """Compare the points, find the frontier and choose by the rule."""
    reference = _reference(points, baseline)
    return Study(
        name=name,
        axes=axes,
        points=tuple(points),
        baseline=baseline,
        reference=reference,
        against=_against(points, reference, axes.quality),
        frontier=frontier(points, axes.quality, axes.latency),
        choice=None if selection is None else choose(points, axes, baseline, selection),
        doubts=tuple(dict.fromkeys(_doubts(points))),
    )


def choose(
    points: Sequence[SweepPoint], axes: Axes, baseline: int | None, selection: Selection
) -> Choice:
    """Apply a rule; the metric that it names is the quality then."""
    if selection.metric != axes.quality:
        axes = dataclasses.replace(axes, quality=selection.metric)
        points = [_by(one, axes) for one in points]
    if selection.rule is Rule.FRONTIER:
        return cheapest_sufficient(points, frontier(points, axes.quality, axes.latency), selection)
    if selection.param is None:
        along = list(range(len(points)))
    else:
        along = curve(points, selection.param, baseline)
    return ALONG[selection.rule](points, along, selection)


def _by(point: SweepPoint, axes: Axes) -> SweepPoint:
    """The point, measured by another metric that its record still has."""
    further, parts = [*point.further], point.parts
    again = measured(point.params, point.record, axes, point.judge_usd, further)
    return dataclasses.replace(again, parts=parts)


def _reference(points: Sequence[SweepPoint], baseline: int | None) -> int | None:
    if baseline is not None:
        return baseline
    fit = [at for at, one in enumerate(points) if one.unfit is None]
    return max(fit, key=lambda at: (points[at].worth or 0.0, -at), default=None)


def _against(points: Sequence[SweepPoint], reference: int | None, key: str) -> dict[int, Compared]:
    if reference is None:
        return {}
    found = {
        (reference, at): one
        for at, point in enumerate(points)
        if at != reference and (one := gain_between(points[reference], point, key)) is not None
    }
    return {at: one for (_, at), one in adjusted(found).items()}


def _doubts(points: Sequence[SweepPoint]) -> Iterator[str]:
    """What differs between the runs and was not meant to."""
    headers = [one.record.header for one in points if one.record is not None]
    for one in headers[1:]:
        yield from (found.text for found in obstacles(headers[0], one))
        for told in changes_told(headers[0], one):
            varied = told.startswith("adapter param ")
            if not varied and not (one.adapter.type == "recorded" and "adapter target" in told):
                yield told
