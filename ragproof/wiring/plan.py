"""From the names of metrics that a user writes to what the engine is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragproof.core import Case, Declared, Metric, Reading, Tools, declared, key
from ragproof.core.naming import defaults_for
from ragproof.engine.run import wanted
from ragproof.metrics import catalog

READINGS: tuple[Reading[Any], ...] = ()

Asked = tuple[str, Mapping[str, object]]
"""A metric's id, or a glob, and the parameters written beside it."""


def plan(asked: Iterable[Asked], k: int = 5) -> dict[str, Metric[Any]]:
    """Key to metric. Asked for twice under one key, it is there once."""
    metrics: dict[str, Metric[Any]] = {}
    for pattern, params in asked:
        for metric_id in catalog.matching(pattern):
            defaults = defaults_for(catalog.load(metric_id), k)
            metric = catalog.build(metric_id, defaults, **params)
            metrics[key(metric, defaults)] = metric
    return metrics


def every(cases: Sequence[Case], k: int = 5) -> dict[str, Metric[Any]]:
    """All metrics that ship and cover a kind of case that is there."""
    kinds = {case.kind for case in cases}
    known = plan([(metric_id, {}) for metric_id in catalog.ids()], k)
    return {name: metric for name, metric in known.items() if metric.spec.kinds & kinds}


def depth(metrics: Mapping[str, Metric[Any]], k: int) -> int:
    """How many chunks must be asked for: the largest k of any metric."""
    return max([k, *(value for one in metrics.values() if (value := getattr(one, "k", 0)))])


def declarations(metrics: Mapping[str, Metric[Any]]) -> dict[str, Declared]:
    """What the header says of each metric."""
    return {name: declared(metric) for name, metric in metrics.items()}


def prompt_hashes(metrics: Mapping[str, Metric[Any]], tools: Tools) -> dict[str, tuple[str, ...]]:
    """Metric key or reading to the sha256 of its prompts; the prompts are found on the classes."""
    if tools.judge is None:
        return {}
    asking = {**metrics, **{one.need.paths[0]: one for one in wanted(READINGS, metrics)}}
    hashes = {name: tuple(p.sha256 for p in one.prompts) for name, one in asking.items()}
    return {name: found for name, found in hashes.items() if found}
