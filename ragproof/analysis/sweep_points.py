"""The points of a sweep: what was varied, and the figures that came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ragproof.analysis.by_value import ByMetric, Parts, parted
from ragproof.analysis.comparison import Compared, greatest_change, only, paired
from ragproof.analysis.holm import holm
from ragproof.analysis.joining import Join
from ragproof.analysis.paired import changes
from ragproof.analysis.power import settled
from ragproof.analysis.summary import Line, summarise
from ragproof.analysis.sweep_names import Params, point_name
from ragproof.core.header import RunState
from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit

TOKENS = "system.tokens"
COST = "system.cost_usd"


@dataclass(frozen=True, kw_only=True)
class Axes:
    """Which metrics a sweep weighs against each other, by their keys."""

    quality: str
    latency: str
    cost: str | None = None
    """Default `system.cost_usd` if it has figures, else the one metric in US dollars that has."""
    by: str | None = None
    """A tag by whose values the figures are parted, too."""
    min_completion: float = 0.95
    """Of a point that may decide anything."""


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """One combination of parameters, and its figures as far as it has any."""

    params: Params
    record: RunRecord | None
    quality: Line | None = None
    latency: Line | None = None
    cost: Line | None = None
    tokens: tuple[Line, ...] = ()
    further: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    """The figures of other metrics that a rule asks for."""
    parts: ByMetric = field(default_factory=dict[str, Parts])
    """Metric to its figures by the values of the tag that was asked for."""
    unfit: str | None = None
    """Why its figures must not decide anything."""
    judge_usd: float | None = 0.0
    """What its judge cost; None when a price is unknown."""

    @property
    def name(self) -> str:
        """The parameters in one line."""
        return point_name(self.params)

    @property
    def worth(self) -> float | None:
        """The quality, turned so that more is better."""
        if self.quality is None or self.quality.mean is None:
            return None
        lower = self.quality.column.declared.better is Better.LOWER
        return -self.quality.mean if lower else self.quality.mean

    @property
    def seconds(self) -> float | None:
        """The latency that counts: its p95."""
        return None if self.latency is None else self.latency.p95

    @property
    def price(self) -> float | None:
        """The mean cost of a case."""
        return None if self.cost is None else self.cost.mean


def measured(
    params: Params,
    record: RunRecord | None,
    axes: Axes,
    judge_usd: float | None = 0.0,
    further: Iterable[str] = (),
) -> SweepPoint:
    """Reduce a run to the point's figures; what no axis needs is let go of.

    `further` are keys of metrics that a rule asks for.
    """
    if record is None:
        return SweepPoint(params=params, record=None, unfit="there is no run of it")
    cost = axes.cost or _in_dollars(record)
    tokens = [key for key, one in record.columns.items() if one.declared.id == TOKENS]
    further = tuple(further)
    parts = {} if axes.by is None else parted(record, axes.by)
    record = only(record, {axes.quality, axes.latency, cost or "", *tokens, *further})
    lines = {line.key: line for line in summarise(record).lines}
    quality = lines.get(axes.quality)
    return SweepPoint(
        params=params,
        record=record,
        quality=quality,
        latency=lines.get(axes.latency),
        cost=lines.get(cost) if cost else None,
        tokens=tuple(lines[key] for key in tokens),
        further={key: lines[key].mean for key in further if key in lines},
        parts=parts,
        unfit=_unfit(record, quality, axes),
        judge_usd=judge_usd,
    )


def _in_dollars(record: RunRecord) -> str | None:
    """The metric of the whole in US dollars that has figures: the pipeline's, else the only one."""
    found = [
        key
        for key, one in record.columns.items()
        if one.declared.unit is Unit.USD
        and one.declared.id == key
        and (one.status == Status.SCORED).any()
    ]
    return COST if COST in found else found[0] if len(found) == 1 else None


def _unfit(record: RunRecord, quality: Line | None, axes: Axes) -> str | None:
    if record.state is not RunState.COMPLETED:
        return f"its run is {record.state}"
    if quality is None or quality.mean is None:
        return f"it has no figure of {axes.quality}"
    if quality.completion is not None and quality.completion < axes.min_completion:
        return (
            f"completion {quality.completion:.3g} is below {axes.min_completion:g}: "
            f"{quality.errors} failed, {quality.scored} scored"
        )
    return None


def gain_between(before: SweepPoint, after: SweepPoint, key: str) -> Compared | None:
    """Compare two points on the cases that both scored; None where they share none."""
    if before.record is None or after.record is None:
        return None
    columns = [one.record.columns.get(key) for one in (before, after) if one.record]
    if columns[0] is None or columns[1] is None:
        return None
    join = Join.of_cases(before.record, after.record)
    pairs = paired(join, columns[0], columns[1])
    if not pairs.both.any():
        return None
    declared = columns[1].declared
    change = changes([pairs], [greatest_change(declared)])[0]
    return Compared(key=key, declared=declared, change=change, p_adjusted=change.p_value)


def adjusted(found: Mapping[tuple[int, int], Compared]) -> dict[tuple[int, int], Compared]:
    """Adjust the p-values of comparisons that are looked at together (Holm)."""
    p_values = {at: p for at, one in found.items() if (p := one.change.p_value) is not None}
    told = holm(p_values)
    return {
        at: Compared(key=one.key, declared=one.declared, change=one.change, p_adjusted=told.get(at))
        for at, one in found.items()
    }


def gain_ends(one: Compared) -> tuple[float, float] | None:
    """The interval of a gain, for the better; None where the data tell nothing."""
    ends = settled(one.change, greatest_change(one.declared), one.p_adjusted)
    if ends is None:
        return None
    return (-ends[1], -ends[0]) if one.declared.better is Better.LOWER else ends
