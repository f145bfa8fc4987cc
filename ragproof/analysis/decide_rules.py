"""What a decision rule asks of two runs, as plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Literal, TypeAlias

from ragproof.analysis.requirements import Limit, Requirement, Role, Statistic, senseless
from ragproof.analysis.slicing import Slice
from ragproof.core.header import Declared
from ragproof.core.spec import Better, Unit

Estimate: TypeAlias = Literal["plain", "prediction_powered", "agreement"]
"""The scores themselves; corrected by human labels; or how often they are the people's."""
Side: TypeAlias = Literal["change", "candidate"]


class Basis(StrEnum):
    """What of a figure is held to a bound."""

    INTERVAL = "interval"
    """The end of its 95 % interval that is the worse one."""
    POINT = "point"
    """The figure as it was found."""


class Bar(StrEnum):
    """What can be asked of a figure."""

    MIN_GAIN = "min_gain"
    """At least so much better than the baseline, whichever way better is."""
    MIN = "min"
    MAX = "max"
    MAX_DROP = "max_drop"
    MAX_RISE = "max_rise"


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One thing that must hold, or an exploratory figure, which is only shown."""

    role: Role
    metric: str
    """Its key."""
    bar: Bar | None = None
    """None of what is only shown."""
    bound: float = 0.0
    statistic: Statistic = "mean"
    slice: Slice = field(default_factory=dict[str, tuple[str, ...]])
    basis: Basis = Basis.INTERVAL
    of: Side | None = None
    """Whether a gain is the change or the candidate's own figure; None: the latter where the
    metric is a difference already."""
    direction: Better | None = None
    """Which way is a gain, for a metric of which neither way is better."""
    estimate: Estimate = "plain"

    def is_relative(self, declared: Declared | None) -> bool:
        """Whether the figure is a change; of a metric that no run has it does not matter."""
        if self.bar in (Bar.MIN, Bar.MAX):
            return False
        if self.bar is Bar.MIN_GAIN and self.of is not None:
            return self.of == "change"
        is_gain = self.bar is Bar.MIN_GAIN and self.estimate == "plain"
        if is_gain and declared is not None and declared.unit is Unit.DIFFERENCE:
            return False
        return self.estimate != "prediction_powered"

    def better(self, declared: Declared) -> Better:
        """Which way of the figure is improvement."""
        if self.statistic == "completion" or self.estimate == "agreement":
            return Better.HIGHER
        return self.direction or declared.better


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What is fixed of an experiment with traffic before it is launched."""

    unit: Literal["user", "session", "query"]
    """What is assigned to an arm at random."""
    estimand: str
    """What is estimated, in words."""
    stopping_rule: str
    """When it ends, in words."""
    looks: tuple[int, ...] = ()
    """Units an arm at which the stopping rule allows a decision before the end."""
    sample_size: int
    """Planned units an arm."""
    minimum_effect: float | None = None
    baseline_sd: float | None = None
    """Standard deviation of what a unit contributes."""


@dataclass(frozen=True, kw_only=True)
class AdoptionRule:
    """When a candidate is adopted: every clause that is not exploratory must be met."""

    name: str
    clauses: tuple[Clause, ...]
    experiment: Experiment | None = None
    min_samples: int = 1
    """Fewer scored cases, or pairs, leave a clause undecided."""
    adopt: str = ""
    """What adopting means."""
    otherwise: str = ""
    """What is done where the rule is not met."""

    @property
    def fixed(self) -> dict[str, Any]:
        """What two rules that ask the same have in common: no name, no wording, no defaults."""
        told = dataclasses.replace(self, name="", adopt="", otherwise="")
        found: dict[str, Any] = _spare(told)
        del found["name"]
        return found


def _spare(value: Any) -> Any:  # noqa: ANN401 - a dataclass and all it holds
    """Plain data of a dataclass, without fields at their defaults.

    A field that is added later then leaves the hash of older rules as it was.
    """
    match value:
        case Enum():
            return value.value
        case Mapping():
            return {name: _spare(one) for name, one in sorted(value.items())}
        case tuple():
            return [_spare(one) for one in value]
        case _ if dataclasses.is_dataclass(value):
            return {
                one.name: _spare(held)
                for one in dataclasses.fields(value)
                if (held := getattr(value, one.name)) != _default(one)
            }
        case _:
            return value


def _default(one: dataclasses.Field[Any]) -> object:
    made = one.default_factory
    return one.default if made is dataclasses.MISSING else made()


def nonsense(clause: Clause, declared: Declared) -> Iterator[str]:
    """Say what makes a clause impossible to meet, impossible to miss, or without a meaning."""
    if clause.bar is None:
        return
    if clause.bar is not Bar.MIN_GAIN:
        asked = Requirement(
            metric=clause.metric,
            limit=Limit(clause.bar.value),
            bound=clause.bound,
            statistic=clause.statistic,
        )
        yield from senseless(asked, declared)
        return
    low, high = (0.0, 1.0) if clause.statistic == "completion" else declared.unit.range
    most = high - low if clause.is_relative(declared) else high
    if clause.bound > most:
        yield f"min_gain {clause.bound:g} can never be met: its gain is at most {most:g}"
    if clause.is_relative(declared) and clause.better(declared) is Better.NEITHER:
        yield "min_gain: neither way is better for this metric; say `direction: higher` or `lower`"
