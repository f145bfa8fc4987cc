"""What a gate asks of a run, as plain data, and what of it makes no sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Literal, TypeAlias

from ragproof.analysis.slicing import Slice
from ragproof.core.header import Declared
from ragproof.core.spec import Better

Statistic: TypeAlias = Literal["mean", "p50", "p95", "p99", "completion"]
PERCENTILES: Mapping[Statistic, float] = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


class Role(StrEnum):
    """What a metric was chosen for, before the run. An exploratory one never fails a gate."""

    PRIMARY = "primary"
    GUARDRAIL = "guardrail"
    EXPLORATORY = "exploratory"


class Limit(StrEnum):
    """The four things that can be asked of a figure."""

    MIN = "min"
    MAX = "max"
    MAX_DROP = "max_drop"
    """At most so much worse than the baseline, whichever way worse is."""
    MAX_RISE = "max_rise"
    """At most so much more than the baseline."""

    @property
    def is_relative(self) -> bool:
        """Whether it asks for a baseline."""
        return self in (Limit.MAX_DROP, Limit.MAX_RISE)


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One limit on one figure of one metric."""

    metric: str
    """Its key."""
    limit: Limit
    bound: float
    statistic: Statistic = "mean"
    slice: Slice = field(default_factory=dict[str, tuple[str, ...]])
    role: Role = Role.PRIMARY
    noise_floor: float = 0.0
    """An observed change up to this size counts as none."""
    non_inferiority: bool = False
    """Whether what is not shown to be within the bound fails, instead of being inconclusive."""
    min_samples: int = 1
    """Fewer scored cases (or pairs) are inconclusive."""
    estimate: Literal["plain", "prediction_powered"] = "plain"
    """Whether the mean is held to the bound as it is, or as human labels correct it."""

    @property
    def figure(self) -> tuple[str, str, tuple[tuple[str, tuple[str, ...]], ...]]:
        """Identifies what is held to the bound: two limits on one figure are one test."""
        return self.metric, self.statistic, tuple(sorted(self.slice.items()))


@dataclass(frozen=True, slots=True)
class Waiver:
    """A metric's requirements set aside for a while."""

    metric: str
    reason: str
    expires: date
    """The last day on which it holds."""


@dataclass(frozen=True, slots=True)
class Waivers:
    """All that were written down, for reports: none is forgotten for having run out."""

    active: tuple[Waiver, ...]
    expired: tuple[Waiver, ...]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What becomes of a check that cannot be decided."""

    today: date
    on_missing: Literal["fail", "skip"] = "fail"
    on_inconclusive: Literal["fail", "warn"] | None = None
    """None: a change warns, too few cases for a figure of its own fail."""
    min_completion: float = 0.95
    waivers: tuple[Waiver, ...] = ()

    def waiver(self, metric: str) -> Waiver | None:
        """The one that holds today for a metric."""
        held = (one for one in self.waivers_told.active if one.metric == metric)
        return next(held, None)

    @property
    def waivers_told(self) -> Waivers:
        """Those that hold today, and those that no longer do."""
        active = tuple(one for one in self.waivers if one.expires >= self.today)
        return Waivers(active, tuple(one for one in self.waivers if one not in active))


def better(asked: Requirement, declared: Declared) -> Better:
    """Which way of the figure is improvement."""
    return Better.HIGHER if asked.statistic == "completion" else declared.better


def senseless(asked: Requirement, declared: Declared) -> Iterator[str]:
    """Say what makes a requirement impossible to meet, or impossible to fail."""
    low, high = (0.0, 1.0) if asked.statistic == "completion" else declared.unit.range
    name = f"{asked.limit} {asked.bound:g}"
    lies = f"{asked.statistic} lies between {low:g} and {high:g}"
    match asked.limit:
        case Limit.MIN if asked.bound > high:
            yield f"{name} can never be met: its {lies}"
        case Limit.MAX if asked.bound < low:
            yield f"{name} can never be met: its {lies}"
        case Limit.MIN if asked.bound <= low:
            yield f"{name} can never fail: its {lies}"
        case Limit.MAX if asked.bound >= high:
            yield f"{name} can never fail: its {lies}"
        case Limit.MAX_DROP | Limit.MAX_RISE if asked.bound >= high - low:
            yield f"{name} can never fail: its {lies}"
        case Limit.MAX_DROP if (
            declared.better is Better.NEITHER and asked.statistic != "completion"
        ):
            yield f"{name}: neither way is better for this metric; give it max_rise, min or max"
        case _:
            pass
