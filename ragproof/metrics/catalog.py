"""Find metrics by where they lie. `family.name` is the file `family/name.py`, class `Name`."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from ragproof.core import Metric, PureMetric, ToolMetric, UnknownMetric, UsageError
from ragproof.core.naming import NO_DEFAULTS
from ragproof.text.nearest import nearest
from ragproof.text.raised import described

_HERE = Path(__file__).parent
_NAMED = 8
"""So many metrics are named to one who gave a part of a name."""


@cache
def ids() -> tuple[str, ...]:
    """All metric ids, sorted, without importing any metric."""
    files = _HERE.glob("[!_]*/[!_]*.py")
    return tuple(sorted(f"{file.parent.name}.{file.stem}" for file in files))


def matching(pattern: str) -> tuple[str, ...]:
    """The ids that an id, a glob (`retrieval.*`) or a user's `module:Class` stands for.

    Raises UnknownMetric where that is none.
    """
    if ":" in pattern:
        return (pattern,)
    if found := tuple(one for one in ids() if fnmatchcase(one, pattern)):
        return found
    raise UnknownMetric(f"There is no metric {pattern!r}.{_meant(pattern)} List: ragproof metrics")


def _meant(pattern: str) -> str:
    """Say which metric, or which family of them, is probably meant."""
    families = {one.partition(".")[0] for one in ids()}
    if pattern in families:
        return f" It is a family; '{pattern}.*' stands for its metrics."
    called = [one for one in ids() if pattern in one.partition(".")[2].split("_")]
    if called and "." not in pattern:
        more = f" and {len(called) - _NAMED} more" if len(called) > _NAMED else ""
        return f" Of this name: {', '.join(called[:_NAMED])}{more}."
    globs = [f"{one}.*" for one in families]
    return nearest(pattern, globs if pattern.endswith(".*") else ids())


def load(metric_id: str) -> type[Metric[Any]]:
    """Import the one file that the id names and return its class; `module:Class` is a user's."""
    if ":" in metric_id:
        return _users(metric_id)
    if matching(metric_id) != (metric_id,):
        raise UnknownMetric(f"{metric_id!r} is a pattern. Name one metric. List: ragproof metrics")
    module = import_module(f"ragproof.metrics.{metric_id}")
    return cast("type[Metric[Any]]", getattr(module, class_name(metric_id)))


def build(
    metric_id: str, defaults: Mapping[str, object] = NO_DEFAULTS, /, **params: object
) -> Metric[Any]:
    """Make the metric with these parameters, the rest at the run's defaults or else its own.

    Raises UsageError for a parameter that the metric does not have or does not take.
    """
    metric = load(metric_id)
    known = {field.name: field.default for field in dataclasses.fields(metric)}
    if unknown := sorted(params.keys() - known.keys()):
        has = ", ".join(f"{name}={default!r}" for name, default in known.items()) or "none"
        raise UsageError(f"{metric_id} has no parameter {unknown[0]!r}. It has: {has}")
    for name, value in params.items():
        _check_type(metric_id, name, value, known[name])
    try:
        return metric(**{name: defaults[name] for name in known if name in defaults} | params)
    except (TypeError, ValueError) as fault:
        raise UsageError(f"{metric_id}: {fault}") from fault


def _is_absent(fault: BaseException, module: str) -> bool:
    """Whether there is no such module or attribute; what its own code raises is another thing."""
    if isinstance(fault, ModuleNotFoundError):
        return f"{module}.".startswith(f"{fault.name}.")
    looked_up = fault.__traceback__ is None or fault.__traceback__.tb_next is None
    return isinstance(fault, AttributeError) and looked_up


def class_name(metric_id: str) -> str:
    """`retrieval.recall_at_k` becomes `RecallAtK`."""
    return "".join(part.capitalize() for part in metric_id.rpartition(".")[2].split("_"))


def _check_type(metric_id: str, name: str, value: object, default: object) -> None:
    """Take a parameter's type from its default, where it has one; an int is a float, too."""
    if default is dataclasses.MISSING or default is None:
        return
    wanted = type(default)
    if type(value) is not wanted and not (wanted is float and type(value) is int):
        got = f"{value!r} ({type(value).__name__})"
        raise UsageError(f"{metric_id}: {name} must be {wanted.__name__}, got {got}")


def _users(metric_id: str) -> type[Metric[Any]]:
    module, _, name = metric_id.partition(":")
    try:
        found = attrgetter(name)(import_module(module))
    except (Exception, SystemExit) as fault:  # a user's module may raise anything
        if not _is_absent(fault, module):
            told = f"the metric {metric_id} could not be loaded: {described(fault)}"
            raise UsageError(told) from fault
        told = f"{type(fault).__name__}: {fault}"
        raise UnknownMetric(f"There is no metric {metric_id!r}: {told}. Write module:Class") from (
            fault
        )
    if not (isinstance(found, type) and issubclass(found, PureMetric | ToolMetric)):
        raise UsageError(f"{metric_id} is not a metric. Derive it from PureMetric or ToolMetric")
    if lacking := [part for part in ("spec", "subject") if not hasattr(found, part)]:
        raise UsageError(
            f"{metric_id} has no {lacking[0]}. Write: class {name}(PureMetric[CaseRun]): "
            "with spec = Spec(...)"
        )
    if inspect.isabstract(found):
        raise UsageError(f"{metric_id} has no score. Write: def score(self, run, /)")
    return found
