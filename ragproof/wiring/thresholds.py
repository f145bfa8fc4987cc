"""Find the value of a metric from which on people call an answer good."""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ragproof.analysis.agreement import BANDS, category
from ragproof.analysis.threshold import Calibrated, thresholding
from ragproof.core import (
    Better,
    CaseRun,
    Failed,
    Json,
    Level,
    Metric,
    NotApplicable,
    PureMetric,
    Scored,
    Skipped,
    Status,
    Tools,
    UsageError,
    key,
)
from ragproof.core.record import Column, RunRecord
from ragproof.engine.run import wanted
from ragproof.engine.score import Scorer, read
from ragproof.judge.case_labels import CaseLabel, is_by_case, read_case_labels
from ragproof.judge.items import Item, claim_items, read_items
from ragproof.metrics import catalog
from ragproof.store.open import open_store
from ragproof.text.nearest import nearest
from ragproof.wiring.local_models import ROLES, local_models
from ragproof.wiring.plan import READINGS
from ragproof.wiring.schema import Config

KEPT_AS = "threshold"
"""Where the store keeps them: beside the calibrations of judges."""
MODELS = {need: role for role, need in ROLES.items()}
"""What only a local model gives here to where the config names it."""
_LISTED = 5


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """What a metric and people say of the same answers."""

    better: Better
    values: Mapping[str, float]
    """Answer to value."""
    without: Mapping[str, str]
    """Answer to why it has no value."""
    labels: Mapping[str, Mapping[str, Sequence[float | None]]]
    """Annotation condition to answer to people's scores."""
    source: str
    """Where the values are from."""
    metric: str | None = None
    """Whose values they are, where that is not the metric asked for as it stands."""


def calibrate_threshold(
    config: Config,
    environ: Mapping[str, str],
    metric: str,
    labels: Path,
    run: str | None = None,
    *,
    claims: bool = False,
) -> list[Calibrated]:
    """Hold a metric's values to what people say, a threshold for each annotation condition.

    Values are read from a run, or from the lines, or are computed from the answers on the lines,
    with `claims` from the claims that people found in them. Raises UsageError for labels that
    cannot be used or have nothing to choose by, and without the local model that a metric asks.
    """
    if run is not None:
        told = _of_run(config, metric, labels, run)
    elif is_by_case(labels):
        told = _of_lines(metric, labels)
    else:
        told = _of_answers(config, environ, metric, labels, claims=claims)
    return [_calibrated(told.metric or metric, labels, told, one) for one in told.labels]


def keep_thresholds(config: Config, found: Sequence[Mapping[str, Json]]) -> None:
    """Keep the figures in the store."""
    with open_store(config.store) as store:
        store.keep_calibration(KEPT_AS, found)


def _calibrated(metric: str, path: Path, told: Labelled, condition: str) -> Calibrated:
    labels = told.labels[condition]
    without: Counter[str] = Counter()
    values, passes = [], []
    for answer, scores in labels.items():
        human = _median(scores)
        if human is None:
            without["people find that the question does not arise"] += 1
        elif answer in told.values:
            values.append(told.values[answer])
            passes.append(category(human) == len(BANDS) - 1)
        else:
            without[told.without.get(answer, "there is no such case in the run")] += 1
    if not values:
        why = "; ".join(f"{count} {reason}" for reason, count in without.items())
        raise UsageError(f"{path}: no label can be compared with a value of {metric}: {why}")
    try:
        found = thresholding(values, passes, told.better)
    except ValueError as fault:
        raise UsageError(f"{path}: {metric}: {fault}") from fault
    return Calibrated(
        metric=metric,
        condition=condition,
        source=told.source,
        labels=len(labels),
        passed=sum(passes),
        without=dict(without),
        found=found,
    )


def _median(scores: Iterable[float | None]) -> float | None:
    """Of several people's scores; None where most find nothing to score."""
    told = [*scores]
    said = [one for one in told if one is not None]
    return statistics.median(said) if said and 2 * len(said) >= len(told) else None


def _of_run(config: Config, metric: str, path: Path, run: str) -> Labelled:
    labels = _by_case(metric, path)
    with open_store(config.store, create=False) as store:
        info = store.find(run, config.runs_under)
        record = store.record(info.header.id)
    column = _column(record, metric)
    values: dict[str, list[float]] = defaultdict(list)
    without: dict[str, str] = {}
    for at, case in enumerate(record.cases):
        if column.status[at] == Status.SCORED:
            values[case.id].append(float(column.values[at]))
        else:
            status = Status(int(column.status[at])).name.lower().replace("_", " ")
            without[case.id] = f"{status}: {column.reasons[at]}"
    unknown = {label.case_id for label in labels} - {case.id for case in record.cases}
    if len(unknown) == len({label.case_id for label in labels}):
        few = ", ".join(sorted(unknown)[:_LISTED])
        raise UsageError(f"{path}: none of its cases is in run {info.header.id}: {few}")
    return Labelled(
        better=column.declared.better,
        values={case: float(np.mean(several)) for case, several in values.items()},
        without=without,
        labels=_grouped((one.condition, one.case_id, one.score) for one in labels),
        source=f"run {info.header.id}",
    )


def _column(record: RunRecord, metric: str) -> Column:
    column = record.columns.get(metric)
    if column is None:
        hint = nearest(metric, list(record.columns))
        raise UsageError(
            f"run {record.header.id} has no figures of {metric!r}.{hint} It has: "
            f"{', '.join(sorted(record.columns))}"
        )
    if column.subjects is not None:
        raise UsageError(f"{metric} has no value for single cases, so no threshold for them")
    return column


def _of_lines(metric: str, path: Path) -> Labelled:
    labels = _by_case(metric, path)
    if lacking := [label.case_id for label in labels if label.value is None]:
        few = ", ".join(lacking[:_LISTED])
        raise UsageError(f"{path}: no value for {few}; write `value`, or name the run: --run RUN")
    values: dict[str, float] = {}
    for label in labels:
        if values.setdefault(label.case_id, label.value or 0.0) != label.value:
            raise UsageError(f"{path}: {label.case_id} has two values; it can have one")
    return Labelled(
        better=_metric(metric).spec.better,
        values=values,
        without={},
        labels=_grouped((one.condition, one.case_id, one.score) for one in labels),
        source=path.name,
    )


def _by_case(metric: str, path: Path) -> list[CaseLabel]:
    labels = [one for one in read_case_labels(path) if one.metric in (None, metric)]
    if not labels:
        raise UsageError(f"{path}: there are no labels for {metric}")
    return labels


def _of_answers(
    config: Config, environ: Mapping[str, str], metric: str, path: Path, *, claims: bool
) -> Labelled:
    items = [one for one in read_items(path) if one.metric == metric]
    if claims:
        items = list(claim_items(items))
    if not items:
        what = "no labels with claims" if claims else "no labels"
        raise UsageError(f"{path}: there are {what} for {metric}")
    asked = _computed(metric)
    models = local_models(config, environ, {metric: asked})
    if lacking := [
        one for one in asked.spec.needs if one in MODELS and one.of(Tools(local=models)) is None
    ]:
        raise UsageError(f"{metric}: {lacking[0].reason}; name one: local.{MODELS[lacking[0]]}")
    found = asyncio.run(_scored(asked, items, Tools(local=models)))
    return Labelled(
        better=asked.spec.better,
        values={one: told for one, told in found.items() if isinstance(told, float)},
        without={one: told for one, told in found.items() if isinstance(told, str)},
        labels=_grouped((one.condition, one.id, one.score) for one in items),
        source=f"computed from {path.name}",
        metric=key(asked),
    )


def _computed(metric: str) -> Metric[Any]:
    """The metric with the parameters by which its threshold is found, if answers suffice for it."""
    known = catalog.load(metric.partition("[")[0])
    local = any(need in known.spec.needs for need in MODELS)
    if known.level is not Level.CASE or not (issubclass(known, PureMetric) or local):
        raise UsageError(f"{metric} cannot be computed from an answer alone; name a run: --run RUN")
    return catalog.build(metric.partition("[")[0], known.calibrated_with)


async def _scored(
    metric: Metric[Any], items: Sequence[Item], tools: Tools
) -> dict[str, float | str]:
    """Answer to value, or to why there is none."""
    scorer, found = Scorer({"m": metric}), dict[str, float | str]()
    for item in items:
        run: CaseRun = item.to_run()
        run, _ = await read(run, wanted(READINGS, {"m": metric}), tools)
        [row] = await scorer.outcomes(run, tools)
        match row.outcome:
            case Scored(value=value):
                found[item.id] = value
            case Skipped(reason=reason):
                found[item.id] = f"skipped: {reason}"
            case NotApplicable(reason=reason):
                found[item.id] = f"not applicable: {reason}"
            case Failed(message=message):
                found[item.id] = f"error: {message}"
    return found


def _metric(metric: str) -> Any:  # noqa: ANN401  a metric of any subject
    return catalog.build(metric.partition("[")[0])


def _grouped(
    labels: Iterable[tuple[str, str, float | None]],
) -> dict[str, dict[str, list[float | None]]]:
    found: dict[str, dict[str, list[float | None]]] = defaultdict(lambda: defaultdict(list))
    for condition, answer, score in labels:
        found[condition][answer].append(score)
    return found
