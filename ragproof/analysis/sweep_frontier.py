"""Which points of a sweep are worth looking at: no other is as good at no more latency and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.analysis.comparison import Compared
from ragproof.analysis.sweep_points import SweepPoint, adjusted, gain_between


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a point stands to the frontier of quality against latency and cost."""

    on_frontier: bool
    left_out: str | None = None
    """Why it has no place."""
    dominated_by: int | None = None
    """The best point that is at least as good on every axis, and better on one."""
    neighbour: int | None = None
    """The point that it is held against: what dominates it, or the next lower on the frontier."""
    against: Compared | None = None
    """Its quality compared with the neighbour's, p adjusted over all places."""
    speed: Compared | None = None
    """The same of its mean latency."""

    @property
    def told_apart(self) -> bool:
        """Whether its quality is shown to differ from the neighbour's."""
        return self.against is not None and self.against.is_shown

    @property
    def as_fast(self) -> bool:
        """Whether there are latencies, and none is shown to differ from the neighbour's."""
        return self.speed is not None and not self.speed.is_shown


@dataclass(frozen=True)
class Frontier:
    """The places of all points, and the axes that they were told by."""

    axes: tuple[str, ...]
    """`latency` and `cost`, as far as every point that counts has a figure."""
    places: tuple[Place, ...]
    order: tuple[int, ...]
    """The points on it, from the cheapest on."""


def frontier(points: Sequence[SweepPoint], quality: str, latency: str) -> Frontier:
    """Find the Pareto frontier; points without a figure are left out with the reason."""
    fit = [at for at, one in enumerate(points) if one.unfit is None]
    costs = {
        name: [of(one) for one in points]
        for name, of in (("latency", _seconds), ("cost", _price))
        if fit and all(of(points[at]) is not None for at in fit)
    }
    worths = {
        at: (points[at].worth or 0.0, *(-(held[at] or 0.0) for held in costs.values()))
        for at in fit
    }
    best = {at: _dominator(at, worths) for at in fit}
    on_it = sorted(
        (at for at in fit if best[at] is None),
        key=lambda at: (tuple(-one for one in worths[at][1:]), -worths[at][0], at),
    )
    by_quality = sorted(on_it, key=lambda at: (worths[at][0], at))
    below = dict(zip(by_quality[1:], by_quality, strict=False))
    neighbours = {at: found if (found := best[at]) is not None else below.get(at) for at in fit}
    told, speeds = (_held_against(points, neighbours, key) for key in (quality, latency))
    places = tuple(
        Place(
            on_frontier=at in on_it,
            left_out=point.unfit,
            dominated_by=best.get(at),
            neighbour=neighbours.get(at),
            against=told.get(at),
            speed=speeds.get(at),
        )
        for at, point in enumerate(points)
    )
    return Frontier(tuple(costs), places, tuple(on_it))


def _held_against(
    points: Sequence[SweepPoint], neighbours: Mapping[int, int | None], key: str
) -> dict[int, Compared]:
    """Compare each point with its neighbour; p-values are adjusted over all of them."""
    found = {
        (other, at): one
        for at, other in neighbours.items()
        if other is not None and (one := gain_between(points[other], points[at], key)) is not None
    }
    return {at: one for (_, at), one in adjusted(found).items()}


def _seconds(point: SweepPoint) -> float | None:
    return point.seconds


def _price(point: SweepPoint) -> float | None:
    return point.price


def _dominator(at: int, worths: dict[int, tuple[float, ...]]) -> int | None:
    """The best of the points that dominate this one; equal points do not dominate each other."""
    mine = worths[at]
    found = [
        other
        for other, theirs in worths.items()
        if theirs != mine and all(one >= own for one, own in zip(theirs, mine, strict=True))
    ]
    return max(found, key=lambda other: (worths[other], -other), default=None)
