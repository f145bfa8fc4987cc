"""How a metric is called in stores and JSON, and what a run writes down about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.core.header import Declared
from ragproof.core.ports import Metric
from ragproof.core.spec import BLAMELESS, HEADLINES, Layer

NO_DEFAULTS: Mapping[str, object] = {}


def key(metric: Metric[Any], defaults: Mapping[str, object] = NO_DEFAULTS) -> str:
    """The id, with the parameters that differ from the run's defaults or else the metric's own.

    With `run.k` at 10 `RecallAtK(k=10)` is `retrieval.recall_at_k`, `RecallAtK(k=20)` is
    `retrieval.recall_at_k[k=20]`. A user's class is `module:Class`.
    """
    changed = ",".join(f"{name}={value}" for name, value in _changed(metric, defaults))
    return f"{metric_id(type(metric))}[{changed}]" if changed else metric_id(type(metric))


def labelled(metric_key: str, each: str, label: str) -> str:
    """The key of one of several figures: `system.stage_seconds[stage=retrieve]`.

    A label comes from the pipeline: what no page can print in one line is written as an escape.
    """
    if not label.isprintable():
        label = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in label)
    head, bracket, params = metric_key.removesuffix("]").partition("[")
    return f"{head}[{params},{each}={label}]" if bracket else f"{head}[{each}={label}]"


def metric_id(metric: type[Metric[Any]]) -> str:
    """`family.name` for what ships, `module:Class` for a user's own."""
    own = metric.__module__.removeprefix("ragproof.metrics.")
    return own if own != metric.__module__ else f"{metric.__module__}:{metric.__qualname__}"


def declared(metric: Metric[Any]) -> Declared:
    """What a run's header says of the metric."""
    spec = metric.spec
    known = metric_id(type(metric))
    family = known.partition(".")[0]
    return Declared(
        id=known,
        params={param.name: getattr(metric, param.name) for param in dataclasses.fields(metric)},
        version=spec.version + sum(need.version - 1 for need in {*spec.needs, *spec.uses}),
        unit=spec.unit,
        better=spec.better,
        pool=spec.pool,
        interval=spec.interval,
        level=metric.level,
        kinds=tuple(sorted(spec.kinds)),
        each=spec.each,
        layer=Layer.of(family),
        headline=family in HEADLINES,
        blames=spec.blames and family not in BLAMELESS,
    )


def defaults_for(metric: type[Metric[Any]], k: int) -> Mapping[str, object]:
    """The run's defaults that concern the metric.

    `run.k` is that of `*_at_k` metrics, and of those that ship for the query layer and have a k:
    there it counts what was retrieved, too. What a user's k means is the user's.
    """
    name = metric_id(metric)
    of_query = ":" not in name and Layer.of(name.partition(".")[0]) is Layer.QUERY
    has_k = any(param.name == "k" for param in dataclasses.fields(metric))
    return {"k": k} if name.endswith("_at_k") or (of_query and has_k) else NO_DEFAULTS


def _changed(metric: Metric[Any], defaults: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for param in dataclasses.fields(metric):
        value = getattr(metric, param.name)
        if value != defaults.get(param.name, param.default):
            yield param.name, value
