"""Which of the measured points is worth having."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ragproof.index.exact import Distance
from ragproof.index.settings import Kind
from ragproof.index.tune import Point, Tuned


class Ground(StrEnum):
    """Why a point was chosen."""

    INTERVAL = "interval"
    """The fastest whose whole interval reaches the bound."""
    MEAN = "mean"
    """No interval does; the fastest whose mean does."""
    HIGHEST = "highest"
    """No mean does; the one that comes nearest."""


@dataclass(frozen=True)
class Measured:
    """A point with the interval of its mean recall."""

    point: Point
    ends: tuple[float, float] | None
    size: int
    """Bytes of the index."""

    @property
    def mean(self) -> float:
        """Mean recall."""
        return self.point.mean


@dataclass(frozen=True)
class Advice:
    """What to take, and on what ground."""

    chosen: int
    ground: Ground


def frontier(points: Sequence[Measured]) -> tuple[bool, ...]:
    """Whether each point is on it: no other finds as much, as fast, and one of both better."""
    return tuple(
        not any(
            other.mean >= one.mean
            and other.point.qps >= one.point.qps
            and (other.mean > one.mean or other.point.qps > one.point.qps)
            for other in points
        )
        for one in points
    )


def advice(points: Sequence[Measured], least: float) -> Advice:
    """Choose the fastest that reaches the least recall."""
    certain = [at for at, one in enumerate(points) if one.ends and one.ends[0] >= least]
    certain += [at for at, one in enumerate(points) if one.ends is None and one.mean >= least]
    if certain:
        return Advice(max(certain, key=lambda at: points[at].point.qps), Ground.INTERVAL)
    likely = [at for at, one in enumerate(points) if one.mean >= least]
    if likely:
        return Advice(max(likely, key=lambda at: points[at].point.qps), Ground.MEAN)
    best = max(range(len(points)), key=lambda at: (points[at].mean, points[at].point.qps))
    return Advice(best, Ground.HIGHEST)


@dataclass(frozen=True, kw_only=True)
class Study:
    """Everything that a sweep over indexes found."""

    tuned: tuple[Tuned, ...]
    plain: tuple[Measured, ...]
    """All points without filters, the frontier and the advice by their place in it."""
    filtered: tuple[Measured, ...]
    k: int
    least: float
    distance: Distance
    source: str
    vectors: int
    dimensions: int
    queries: int
    without_eligible: int
    """Queries whose filter allows nothing: they have no filtered recall."""
    repeats: int
    machine: str
    versions: Mapping[str, str]

    @property
    def advice(self) -> Advice:
        """What to take: exact search, where nothing approximate is as fast and good enough."""
        return advice(self.plain, self.least)

    def under_filters(self, at: int) -> Measured | None:
        """The point with filters that has the setting and effort of one without."""
        wanted = self.plain[at].point
        for one in self.filtered:
            if (one.point.setting, one.point.effort) == (wanted.setting, wanted.effort):
                return one
        return None

    def speed_up(self, at: int) -> float:
        """How many times as fast as exact search in the same library."""
        wanted = self.plain[at].point
        flat = next(
            one.point.qps
            for one in self.plain
            if one.point.setting.kind is Kind.FLAT
            and one.point.setting.library == wanted.setting.library
        )
        return wanted.qps / flat
