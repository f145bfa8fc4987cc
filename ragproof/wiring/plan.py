"""From the names of metrics that a user writes to what the engine is given."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from ragproof.core import (
    Case,
    CaseKind,
    Declared,
    Gather,
    Layer,
    Level,
    Metric,
    Need,
    Prompt,
    Reading,
    UsageError,
    declared,
    key,
)
from ragproof.core.naming import defaults_for
from ragproof.engine.run import wanted
from ragproof.judge.refusal import ReadRefusal
from ragproof.metrics import catalog

READINGS: tuple[Reading[Any], ...] = (ReadRefusal(),)

Asked = tuple[str, Mapping[str, object]]
"""A metric's id, or a glob, and the parameters written beside it."""


def importable(folder: Path) -> None:
    """See to it that a user's `module:Class` is looked for in the folder first."""
    if str(folder) not in sys.path[:1]:
        sys.path.insert(0, str(folder))


def plan(asked: Iterable[Asked], k: int = 5) -> dict[str, Metric[Any]]:
    """Key to metric. Asked for twice under one key, it is there once.

    The parameters beside a glob go to those of its metrics that have them. A glob does not stand
    for what has to be asked for by name.
    """
    metrics: dict[str, Metric[Any]] = {}
    for pattern, params in asked:
        known = _meant(pattern)
        for metric_id in known:
            defaults = defaults_for(catalog.load(metric_id), k)
            mine = params if len(known) == 1 else _of(metric_id, params)
            metric = catalog.build(metric_id, defaults, **mine)
            metrics[key(metric, defaults)] = metric
        if lost := [name for name in params if all(name not in _of(m, params) for m in known)]:
            raise UsageError(f"{pattern}: none of its metrics has a parameter {lost[0]!r}")
    return metrics


def _meant(pattern: str) -> tuple[str, ...]:
    """The metrics that an id or a glob stands for."""
    matching = catalog.matching(pattern)
    if matching == (pattern,):
        return matching
    known = tuple(one for one in matching if not catalog.load(one).spec.on_request)
    if not known:
        raise UsageError(
            f"{pattern}: all of its metrics call the pipeline again, ask a judge more, or have to "
            f"be told its words, so each is asked for by its own name: {', '.join(matching)}"
        )
    return known


def _of(metric_id: str, params: Mapping[str, object]) -> dict[str, object]:
    """The parameters that the metric has."""
    known = {field.name for field in dataclasses.fields(catalog.load(metric_id))}
    return {name: value for name, value in params.items() if name in known}


def every(
    cases: Sequence[Case],
    k: int = 5,
    repeats: int = 1,
    lacking: Collection[Need[Any]] = (),
) -> dict[str, Metric[Any]]:
    """All metrics that ship, cover what is there, and need not be asked for.

    What is there are kinds of cases and, for metrics of groups, repeats, variants or groups.
    Those with a need that is `lacking` have to be asked for.
    """
    kinds = {case.kind for case in cases}
    gathered = {
        Gather.REPEATS: repeats > 1,
        Gather.VARIANTS: any(getattr(case, "variant_of", None) for case in cases),
        Gather.GROUP: any(case.group is not None for case in cases),
    }
    known = plan(
        [(metric_id, {}) for metric_id in catalog.ids() if _may_cover(metric_id, kinds)], k
    )
    return {
        name: metric
        for name, metric in known.items()
        if metric.spec.kinds & kinds
        and not metric.spec.on_request
        and not any(need in metric.spec.needs for need in lacking)
        and (metric.level is not Level.GROUP or gathered[metric.spec.gather])
    }


def _may_cover(metric_id: str, kinds: Set[CaseKind]) -> bool:
    """Whether it is worth importing: metrics of ingestion are all of documents."""
    of_documents = Layer.of(metric_id.partition(".")[0]) is Layer.INGESTION
    return CaseKind.DOCUMENT in kinds or not of_documents


def depth(metrics: Mapping[str, Metric[Any]], k: int) -> int:
    """How many chunks must be asked for: the largest k of any metric."""
    return max([k, *(value for one in metrics.values() if (value := getattr(one, "k", 0)))])


def declarations(metrics: Mapping[str, Metric[Any]]) -> dict[str, Declared]:
    """What the header says of each metric."""
    return {name: declared(metric) for name, metric in metrics.items()}


def prompts(metrics: Mapping[str, Metric[Any]]) -> dict[str, tuple[Prompt, ...]]:
    """Metric key or reading to its prompts, those that have any; they are found on the classes."""
    asking = {**metrics, **{one.need.paths[0]: one for one in wanted(READINGS, metrics)}}
    return {name: one.prompts for name, one in asking.items() if one.prompts}


def prompt_hashes(metrics: Mapping[str, Metric[Any]]) -> dict[str, tuple[str, ...]]:
    """Metric key or reading to the sha256 of its prompts."""
    return {name: tuple(p.sha256 for p in found) for name, found in prompts(metrics).items()}
