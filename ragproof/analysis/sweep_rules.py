"""Rules by which a point of a sweep is chosen, each with what it rests on.

A rule that meets a step which is neither shown to gain nor shown not to does not choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from ragproof.analysis.sweep_frontier import Frontier
from ragproof.analysis.sweep_points import SweepPoint
from ragproof.analysis.sweep_steps import (
    Found,
    Step,
    greatest_possible,
    open_told,
    settled_by,
    steps_between,
    unfit,
)

NAMED = 3
"""So many points are named in a sentence."""


class Rule(StrEnum):
    """How a point is chosen."""

    SMALLEST_SUFFICIENT = "smallest_sufficient"
    """The smallest value after which no larger one gains more than `min_gain`."""
    UNTIL_FLAT = "until_flat"
    """Go up while each step gains more than `min_gain` and more than it costs."""
    BEST = "best"
    """The best, where no other can be better by more than `tolerance`."""
    FRONTIER = "frontier"
    """The cheapest on the frontier of which no dearer one gains more than `min_gain`."""
    CONVEX_WEIGHT = "convex_weight"
    """The weight that stays best when the cases are drawn again."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What is asked of a rule."""

    rule: Rule
    metric: str
    """Key of the metric that is to gain."""
    param: str | None = None
    """What the curve runs along."""
    min_gain: float = 0.0
    """The least gain worth having."""
    tolerance: float = 0.0
    """Points this close to the best are as good."""
    cost_metric: str | None = None
    """Key of the metric that a step's gain must outweigh."""
    gain_per_cost: float = 1.0
    """What one unit of that metric must bring."""
    stability: float = 0.8
    """Least share of resamples in which a weight must be the best."""
    max_latency_seconds: float | None = None
    max_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Share:
    """How often a point is best when the cases are drawn again."""

    point: int
    share: float


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a rule came to, and why."""

    selection: Selection
    chosen: int | None
    """None where the rule cannot choose."""
    reason: str
    steps: tuple[Step, ...] = ()
    shares: tuple[Share, ...] = ()


def curve(points: Sequence[SweepPoint], param: str, baseline: int | None) -> list[int]:
    """The points along a parameter, all others being those of the baseline or the first point.

    Numbers go up, anything else stays in the order of the config.
    """

    def others(at: int) -> dict[str, object]:
        return {name: value for name, value in points[at].params.items() if name != param}

    along = [at for at, one in enumerate(points) if param in one.params]
    if not along:
        return []
    fixed = others(along[0] if baseline is None else baseline)
    mine = [at for at in along if others(at) == fixed]
    values = {at: points[at].params[param] for at in mine}
    if not all(isinstance(one, int | float) for one in values.values()):
        return mine
    return sorted(mine, key=lambda at: values[at])


def smallest_sufficient(
    points: Sequence[SweepPoint], along: Sequence[int], selection: Selection
) -> Choice:
    """Choose the smallest value of which no larger one gains more than `min_gain`."""
    found = _first_sufficient(points, along, selection)
    if found.chosen is None or found.chosen != along[-1]:
        return found
    return Choice(
        selection=selection, chosen=None, reason=_still_rises(points, along), steps=found.steps
    )


def cheapest_sufficient(
    points: Sequence[SweepPoint], front: Frontier, selection: Selection
) -> Choice:
    """Go along the frontier from the cheapest point; the dearer ones have to gain."""
    along = [at for at in front.order if _affordable(points[at], selection)]
    gap = unfit(points, range(len(points)))
    if gap is None and not front.axes:
        gap = "there is no frontier: some point has no figure of latency, and some none of cost"
    if gap is None and not along:
        gap = "no point of the frontier is within max_latency_seconds and max_cost"
    if gap is not None:
        return Choice(selection=selection, chosen=None, reason=gap)
    return _first_sufficient(points, along, selection)


def _first_sufficient(
    points: Sequence[SweepPoint], along: Sequence[int], selection: Selection
) -> Choice:
    """The first of the points of which no later one gains enough; the last has none after it."""
    if (gap := unfit(points, along)) is not None:
        return Choice(selection=selection, chosen=None, reason=gap)
    pairs = [(one, later) for at, one in enumerate(along) for later in along[at + 1 :]]
    steps = steps_between(points, dict.fromkeys(pairs, selection.min_gain), selection.metric)
    looked: list[Step] = []
    for at, one in enumerate(along):
        mine = [steps[one, later] for later in along[at + 1 :]]
        looked += mine
        if any(step.found is Found.GAINS for step in mine):
            continue
        name, chosen = points[one].name, None
        if any(step.found is Found.OPEN for step in mine):
            reason = f"inconclusive at {name}: {open_told(points, mine)}"
        elif mine:
            chosen, least = one, f"{selection.min_gain:g}"
            reason = f"{name}: nothing gains more than {least} over it{greatest_possible(mine)}"
        else:
            chosen, reason = one, f"{name}: each of the others is shown to gain less"
        return Choice(selection=selection, chosen=chosen, reason=reason, steps=tuple(looked))
    raise AssertionError("the last point has none after it")


def until_flat(points: Sequence[SweepPoint], along: Sequence[int], selection: Selection) -> Choice:
    """Go from value to value while each step gains more than `min_gain` and than it costs."""
    if (gap := unfit(points, along)) is not None:
        return Choice(selection=selection, chosen=None, reason=gap)
    pairs = list(pairwise(along))
    prices = {at: _price(points, at, selection) for at in pairs}
    for at, price in prices.items():
        if price is None:
            told = " or ".join(points[one].name for one in at)
            reason = f"{told} has no figure of {selection.cost_metric}"
            return Choice(selection=selection, chosen=None, reason=reason)
    needed = {at: max(selection.min_gain, price or 0.0) for at, price in prices.items()}
    looked: list[Step] = []
    for at, step in steps_between(points, needed, selection.metric).items():
        looked.append(step)
        if step.found is Found.GAINS:
            continue
        name, chosen = points[at[0]].name, None
        if step.found is Found.OPEN:
            reason = f"inconclusive at {name}: {open_told(points, [step])}"
        else:
            chosen, further = at[0], points[at[1]].name
            reason = f"{name}: {further} gains {step.gained}, {_too_little(step, selection)}"
        return Choice(selection=selection, chosen=chosen, reason=reason, steps=tuple(looked))
    reason = _still_rises(points, along)
    return Choice(selection=selection, chosen=None, reason=reason, steps=tuple(looked))


def best(points: Sequence[SweepPoint], along: Sequence[int], selection: Selection) -> Choice:
    """Choose the best point where no other can be better by more than `tolerance`."""
    if (gap := unfit(points, along)) is not None:
        return Choice(selection=selection, chosen=None, reason=gap)
    top = max(along, key=lambda at: (points[at].worth or 0.0, -at))
    pairs = [(top, at) for at in along if at != top]
    needed = dict.fromkeys(pairs, selection.tolerance)
    steps = tuple(steps_between(points, needed, selection.metric).values())
    rivals = [
        step
        for step in steps
        if step.found is not Found.FLAT or not (selection.tolerance or step.differs)
    ]
    name = points[top].name
    if not rivals:
        margin = f" by more than {selection.tolerance:g}" if selection.tolerance else ""
        reason = f"{name} is the best: no other is better{margin}{greatest_possible(steps)}"
        if not selection.tolerance:
            reason = f"{name} is the best: each of the others is shown to be worse"
        return Choice(selection=selection, chosen=top, reason=reason, steps=steps)
    named = "; ".join(f"{points[one.after].name} ({one.gained})" for one in rivals[:NAMED])
    more = f" and {len(rivals) - NAMED} more" if len(rivals) > NAMED else ""
    reason = f"{name} has the best figure, but is not told apart from {named}{more}"
    return Choice(selection=selection, chosen=None, reason=reason + settled_by(rivals), steps=steps)


def _still_rises(points: Sequence[SweepPoint], along: Sequence[int]) -> str:
    return f"it still rises at {points[along[-1]].name}, the last one tried: try further ones"


def _affordable(point: SweepPoint, selection: Selection) -> bool:
    limits = (
        (point.seconds, selection.max_latency_seconds),
        (point.price, selection.max_cost),
    )
    return all(most is None or (value is not None and value <= most) for value, most in limits)


def _price(points: Sequence[SweepPoint], at: tuple[int, int], selection: Selection) -> float | None:
    """What a step must gain for its rise in cost; None where that is not known."""
    if selection.cost_metric is None:
        return 0.0
    before, after = (points[one].further.get(selection.cost_metric) for one in at)
    if before is None or after is None:
        return None
    return selection.gain_per_cost * (after - before)


def _too_little(step: Step, selection: Selection) -> str:
    """Why a step that is shown to gain no more than it has to is not taken."""
    if step.needed > selection.min_gain:
        return f"and its rise in {selection.cost_metric} outweighs all up to {step.needed:.3g}"
    return f"no more than {step.needed:g}"
