"""How many cases a change needs, from the spread that runs showed or from an assumed rate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragproof.analysis.comparison import compare, only
from ragproof.analysis.sample_size import (
    LookPlan,
    Spending,
    detectable,
    half_width,
    look_plan,
    power,
    units_needed,
)
from ragproof.analysis.units import Units
from ragproof.core import Status, UsageError
from ragproof.core.record import RunRecord
from ragproof.datasets import load
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest
from ragproof.wiring.looking import Looking, open_for_reading


@dataclass(frozen=True, kw_only=True)
class PowerRequest:
    """What is to be shown, and what is known of the spread."""

    dataset: Path | None = None
    run: str | None = None
    against: str | None = None
    metric: str | None = None
    rate: float | None = None
    effect: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    correlation: float = 0.5
    looks: int = 1
    spending: Spending = Spending.OBRIEN_FLEMING
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """How far paired differences scatter, and where that is known from."""

    deviation: float
    """Standard deviation of the difference of a unit between two runs."""
    source: str
    units: int | None
    """Independent ones at hand."""
    cases: int | None
    mean: float | None
    """Of the metric; for the interval of a single figure."""
    single: float
    """Standard deviation of the scores of one run."""


@dataclass(frozen=True, slots=True)
class Power:
    """What it takes, and what is at hand."""

    spread: Spread
    units_needed: int | None
    cases_needed: int | None
    chance: float | None
    """To see the effect with what is at hand."""
    detectable: float | None
    """The smallest effect that what is at hand shows with the power asked for."""
    half_width: float | None
    """Of the 95 % interval of a single run's figure."""
    plan: LookPlan | None
    looks_cases: tuple[int, ...]
    """Cases that are in at each look."""


def powered(request: PowerRequest, environ: Mapping[str, str]) -> Power:
    """Find the spread and what follows from it; raises UsageError where nothing tells it."""
    if (request.run is None) == (request.rate is None):
        raise UsageError(
            "give --run RUN, whose scores tell the spread, or --rate P, one of the two"
        )
    if request.rate is not None:
        spread = _assumed(request, request.rate)
    else:
        with open_for_reading(request.config, request.store, environ) as looking:
            spread = _measured(request, looking)
    plan = None
    if request.looks > 1:
        plan = look_plan(request.looks, request.spending, request.alpha, request.power)
    return _told(request, spread, plan)


def _told(request: PowerRequest, spread: Spread, plan: LookPlan | None) -> Power:
    size = request.effect / spread.deviation if spread.deviation else math.inf
    needed = 2 if math.isinf(size) else units_needed(size, request.power, request.alpha)
    if needed is not None and plan is not None:
        needed = math.ceil(needed * plan.inflation)
    ratio = spread.cases / spread.units if spread.cases and spread.units else 1.0
    cases = None if needed is None else math.ceil(round(needed * ratio, 9))
    chance = least = wide = None
    if spread.units is not None and spread.units > 1:
        chance = 1.0 if math.isinf(size) else power(size, spread.units, request.alpha)
        found = detectable(spread.units, request.power, request.alpha)
        least = None if found is None else found * spread.deviation
        if request.rate is not None and least is not None and least > 1:
            least = None  # no rate can change so much
        wide = 1.96 * spread.single / math.sqrt(spread.units)
        if request.rate is not None:
            wide = half_width(request.rate, spread.units)
    return Power(
        spread=spread,
        units_needed=needed,
        cases_needed=cases,
        chance=chance,
        detectable=least,
        half_width=wide,
        plan=plan,
        looks_cases=tuple(
            math.ceil(round((cases or 0) * one.share, 9)) for one in (plan.looks if plan else ())
        ),
    )


def _assumed(request: PowerRequest, rate: float) -> Spread:
    units = cases = None
    if request.dataset is not None:
        held = load(request.dataset).cases
        cases = len(held)
        units = len({("group", one.group) if one.group else ("case", one.id) for one in held})
    single = math.sqrt(rate * (1 - rate))
    told = f"a rate of {rate:g}, a correlation of {request.correlation:g} between runs: assumed"
    return Spread(_paired(single, request.correlation), told, units, cases, rate, single)


def _paired(single: float, correlation: float) -> float:
    return single * math.sqrt(2 * (1 - correlation))


def _measured(request: PowerRequest, looking: Looking) -> Spread:
    record = _record(looking, request.run or "latest")
    key = _key(request, record)
    if request.against is not None:
        return _of_pair(record, _record(looking, request.against), key)
    number, figure, single = _single(record, key)
    told = (
        f"{key} in run {record.header.id}; a correlation of {request.correlation:g} between two "
        "runs is assumed (--against RUN measures it)"
    )
    scored = record.columns[key].status == Status.SCORED
    cases = len({record.cases[at].id for at in scored.nonzero()[0].tolist()})
    return Spread(_paired(single, request.correlation), told, number, cases, figure, single)


def _of_pair(one: RunRecord, other: RunRecord, key: str) -> Spread:
    found = compare(only(other, [key]), only(one, [key]))
    if not found.metrics:
        why = found.apart.get(key, "the run named by --against did not score it")
        raise UsageError(f"--against: {key} cannot be paired: {why}")
    change = found.metrics[0].change
    if change.units < 2 or change.error is None:
        pairs = counted(change.units, "pair")
        raise UsageError(f"--against: {key}: {pairs}; at least 2 are needed")
    deviation = change.error * math.sqrt(change.units)
    told = f"{key}, paired differences of runs {other.header.id} and {one.header.id}"
    single = _single(one, key)[2]
    return Spread(deviation, told, change.units, change.pairs, change.candidate, single)


def _single(record: RunRecord, key: str) -> tuple[int, float, float]:
    """Units of a metric in a run, its figure, and the standard deviation of a unit."""
    column = record.columns[key]
    sample = Units.of(record.cases).sample(column, column.status == Status.SCORED)
    number, figure = sample.numerators.size, sample.figure
    if number < 2 or figure is None:
        raise UsageError(
            f"run {record.header.id}: {key} has {number} scores; at least 2 are needed"
        )
    apart = sample.numerators - figure * sample.denominators
    scale = float(sample.denominators.sum()) / number
    return number, figure, math.sqrt(float(apart @ apart) / (number - 1)) / scale


def _record(looking: Looking, reference: str) -> RunRecord:
    return looking.store.record(looking.store.find(reference, looking.project).header.id)


def _key(request: PowerRequest, record: RunRecord) -> str:
    scored = sorted(
        key
        for key, one in record.columns.items()
        if one.subjects is None and (one.status == Status.SCORED).any()
    )
    if request.metric is None:
        raise UsageError(f"--metric ID is needed; the run scored: {', '.join(scored)}")
    if request.metric not in scored:
        raise UsageError(
            f"--metric: got {shown(request.metric)}; the run {record.header.id} scored: "
            f"{', '.join(scored) or 'nothing'}.{nearest(request.metric, scored)}"
        )
    return request.metric
