"""The points of a sweep, from its section of the config."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ragproof.analysis.sweep_names import Params, point_name
from ragproof.text.faults import Fault, Path, shown
from ragproof.text.nearest import nearest
from ragproof.wiring.schema_sweep import SelectConfig, SweepConfig

ALONG = ("smallest_sufficient", "until_flat")
"""Rules that need a parameter to look along."""
GAINING = (*ALONG, "frontier")
"""Rules that need to know what gain is worth having."""
ONLY_FOR = {
    "cost_metric": ("until_flat",),
    "gain_per_cost": ("until_flat",),
    "tolerance": ("best", "convex_weight"),
    "min_gain": GAINING,
    "stability": ("convex_weight",),
    "max_latency_seconds": ("frontier",),
    "max_cost": ("frontier",),
}
"""Key of `select` to the rules that read it."""
_ABSENT = object()


def names(sweep: SweepConfig) -> list[str]:
    """What is varied, in the order of the config."""
    listed = [*sweep.params, *(name for point in sweep.points for name in point)]
    return list(dict.fromkeys(listed))


def points(sweep: SweepConfig, given: Mapping[str, Any]) -> list[Params]:
    """Every combination once: the grid, then the points of the list.

    A name that a point leaves out is taken from `given`, the adapter's own parameters.
    """
    grid: list[Params] = []
    if sweep.params:
        values = product(*sweep.params.values())
        grid = [dict(zip(sweep.params, one, strict=True)) for one in values]
    found = [completed(one, sweep, given) for one in [*grid, *sweep.points]]
    unique: dict[str, Params] = {}
    for one in found:
        unique.setdefault(same_as(one), one)
    return list(unique.values())


def completed(point: Params, sweep: SweepConfig, given: Mapping[str, Any]) -> Params:
    """The point with what the adapter's parameters say of the names that it leaves out."""
    whole = {name: point.get(name, _at(given, name)) for name in names(sweep)}
    return {name: value for name, value in whole.items() if value is not _ABSENT}


def same_as(point: Params) -> str:
    """What two equal points have in common: 1 and 1.0 are one value, 1 and true are two."""

    def plain(value: object) -> object:
        match value:
            case float() if value.is_integer():
                return int(value)
            case Mapping():
                return {str(name): plain(one) for name, one in value.items()}
            case list() | tuple():
                return [plain(one) for one in value]
            case _:
                return value

    return json.dumps(plain(point), sort_keys=True, default=str)


def position(point: Params, listed: Sequence[Params]) -> int | None:
    """Where in a list the point stands."""
    known = {same_as(one): at for at, one in enumerate(listed)}
    return known.get(same_as(point))


def sweep_name(sweep: SweepConfig) -> str:
    """What the sweep is called."""
    return sweep.name or "-".join(names(sweep))


def faults(sweep: SweepConfig, given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the section beyond the types of its keys."""
    if not sweep.params and not sweep.points:
        yield Fault(("sweep",), "nothing varies; give it params, or points")
        return
    for name, values in sweep.params.items():
        path: Path = ("sweep", "params", name)
        if not values:
            yield Fault(path, "got an empty list; give it the values to try")
        yield from _twice(path, [{name: value} for value in values], values)
    yield from _twice(("sweep", "points"), sweep.points, sweep.points)
    for name in names(sweep):
        yield from _name(name, sweep, given)
    if sweep.metrics == ():
        yield Fault(
            ("sweep", "metrics"), "got an empty list; leave the key out for those of the config"
        )
    listed = points(sweep, given)
    if sweep.baseline is not None:
        yield from _baseline(sweep.baseline, sweep, listed, given)
    if sweep.select is not None:
        yield from _select(sweep.select, sweep, listed)


def _twice(path: Path, listed: Sequence[Params], values: Sequence[object]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for at, one in enumerate(listed):
        if seen.setdefault(same_as(one), at) != at:
            yield Fault((*path, at), f"got {shown(values[at])}, which is in the list already")


def _name(name: str, sweep: SweepConfig, given: Mapping[str, Any]) -> Iterator[Fault]:
    path: Path = ("sweep", "params", name) if name in sweep.params else ("sweep", "points")
    steps = name.split(".")
    if not all(steps):
        yield Fault(path, f"got {shown(name)}; a dotted name has no empty part")
        return
    held: object = given
    for at, step in enumerate(steps[:-1]):
        held = held.get(step, {}) if isinstance(held, Mapping) else held
        if not isinstance(held, Mapping):
            place = ".".join(("adapter", "params", *steps[: at + 1]))
            yield Fault(path, f"{place} is {shown(held)}, in which there is no {steps[at + 1]}")
            return
    above = [other for other in names(sweep) if name.startswith(f"{other}.")]
    if above:
        yield Fault(path, f"lies within {above[0]}, which is varied as a whole")


def _baseline(
    baseline: Params, sweep: SweepConfig, listed: Sequence[Params], given: Mapping[str, Any]
) -> Iterator[Fault]:
    for name in baseline:
        if name not in names(sweep):
            yield Fault(("sweep", "baseline", name), f"is not varied.{nearest(name, names(sweep))}")
            return
    if position(completed(baseline, sweep, given), listed) is None:
        known = "; ".join(point_name(one) for one in listed[:5])
        more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
        yield Fault(("sweep", "baseline"), f"is none of the points: {known}{more}")


def _select(select: SelectConfig, sweep: SweepConfig, listed: Sequence[Params]) -> Iterator[Fault]:
    path: Path = ("sweep", "select")
    for key, rules in ONLY_FOR.items():
        if key in select.model_fields_set and select.rule not in rules:
            yield Fault(
                (*path, key), f"rule {select.rule} has none; it goes with {', '.join(rules)}"
            )
    if select.rule in GAINING and select.min_gain is None:
        yield Fault((*path, "min_gain"), "missing; say which gain is worth having, such as 0.02")
    if (select.cost_metric is None) != (select.gain_per_cost is None):
        absent = "gain_per_cost" if select.gain_per_cost is None else "cost_metric"
        yield Fault(
            (*path, absent),
            "missing; cost_metric and gain_per_cost go together: the gain "
            "that one unit of cost must bring",
        )
    if select.param is None:
        if select.rule in ALONG:
            yield Fault((*path, "param"), f"missing; rule {select.rule} looks along a parameter")
        return
    yield from _param(select.param, select, sweep, listed)


def _param(
    param: str, select: SelectConfig, sweep: SweepConfig, listed: Sequence[Params]
) -> Iterator[Fault]:
    path: Path = ("sweep", "select", "param")
    if param not in names(sweep):
        yield Fault(path, f"got {shown(param)}, which is not varied.{nearest(param, names(sweep))}")
        return
    along = [one for one in listed if param in one]
    if select.rule in ALONG:
        for value in (one[param] for one in along):
            if isinstance(value, bool) or not isinstance(value, int | float):
                yield Fault(
                    path,
                    f"{param} has the value {shown(value)}; rule {select.rule} goes "
                    "from the smallest to the largest number",
                )
                return
        if len({same_as({param: one[param]}) for one in along}) < 2:
            yield Fault(path, f"{param} has one value; rule {select.rule} compares two or more")
            return
    others = {same_as({name: one[name] for name in one if name != param}) for one in along}
    if sweep.baseline is None and len(others) > 1:
        rest = [name for name in names(sweep) if name != param]
        yield Fault(
            path,
            f"{', '.join(rest)} vary too; say by sweep.baseline at which values "
            f"{param} is looked at",
        )


def _at(params: Mapping[str, Any], name: str) -> object:
    """The value that a dotted name leads to."""
    held: object = params
    for step in name.split("."):
        if not isinstance(held, Mapping) or step not in held:
            return _ABSENT
        held = held[step]
    return held
