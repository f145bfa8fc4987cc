"""Read what people made of a run's answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import TypeAdapter, ValidationError

from ragproof.analysis.findings import Findings
from ragproof.analysis.prediction_powered import (
    HumanScore,
    PredictionPowered,
    prediction_powered,
)
from ragproof.core import UsageError
from ragproof.core.case import STRICT
from ragproof.core.record import RunRecord
from ragproof.reports.beside import Section
from ragproof.reports.wording import figure
from ragproof.text.counting import counted
from ragproof.text.faults import faults, raise_all
from ragproof.text.files import at_home
from ragproof.text.jsonl import read_lines
from ragproof.text.strict_json import parse
from ragproof.wiring.looking import Looking
from ragproof.wiring.schema import Config


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of the file."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    case_id: str
    score: float
    metric: str | None = None
    """Its key; None where the file is of one metric, which a rule then names."""
    run: str | None = None
    """The run whose answer was scored."""
    annotator: str | None = None
    """Who scored it; the scores of several people are averaged."""


def read_labels(path: Path, asked: Sequence[str]) -> tuple[HumanScore, ...]:
    """Read labels; those that name no metric are of the one metric that is `asked` for.

    Raises UsageError with file, line and field of all that is wrong.
    """
    adapter, wrong = TypeAdapter(Line), list[str]()
    found: dict[tuple[str | None, ...], Line] = {}
    for number, raw in read_lines(path):
        try:
            parse(raw.decode())
            one = adapter.validate_json(raw, strict=True)
        except ValidationError as error:
            wrong += [f"{path}:{number}: {fault}" for fault in faults(error, Line)]
            continue
        except ValueError as fault:
            wrong.append(f"{path}:{number}: {fault}")
            continue
        identity = (one.case_id, one.metric, one.run, one.annotator)
        if identity in found:
            wrong.append(f"{path}:{number}: case_id: {one.case_id!r} is there twice")
        found[identity] = one
    raise_all(wrong)
    if not found:
        raise UsageError(f"{path}: the file is empty; it needs one JSON object a line")
    return tuple(_scores(path, [*found.values()], asked))


def _scores(path: Path, lines: Sequence[Line], asked: Sequence[str]) -> Iterable[HumanScore]:
    nameless = any(one.metric is None for one in lines)
    if nameless and len(asked) != 1:
        told = (
            f"{len(asked)} rules ask for labels ({', '.join(asked)})" if asked else "no rule asks"
        )
        raise UsageError(f"{path}: metric: missing; {told}, so each line must name its metric")
    for one in lines:
        metric = asked[0] if one.metric is None else one.metric
        yield HumanScore(case_id=one.case_id, metric=metric, score=one.score, run=one.run)


def in_range(labels: Iterable[HumanScore], record: RunRecord, path: Path) -> None:
    """Raise UsageError for a score that the metric could not have given."""
    wrong = []
    for one in labels:
        if (column := record.columns.get(one.metric)) is None:
            continue
        low, high = column.declared.unit.range
        if not low <= one.score <= high:
            allowed = f"{low:g} to {high:g}"
            wrong.append(
                f"{path}: case {one.case_id!r}: score: got {one.score:g}; allowed: {allowed}"
            )
    raise_all(wrong)


def gate_labels(config: Config, run: RunRecord) -> tuple[HumanScore, ...]:
    """The labels that the gate names, checked against the run; none where it names none."""
    if config.gate.human_labels is None:
        return ()
    path = config.folder / at_home(config.gate.human_labels)
    asked = [
        metric
        for metric in config.gate.thresholds
        if any(rule.estimate != "plain" for rule in config.gate.rules(metric))
    ]
    with config.blamed("gate", "human_labels"):
        labels = read_labels(path, asked)
        in_range(labels, run, path)
    return labels


def corrected(
    record: RunRecord, labels: Sequence[HumanScore]
) -> dict[str, PredictionPowered | str]:
    """The mean of each labelled metric as the labels correct it, or why they cannot."""
    metrics = sorted({one.metric for one in labels})
    return {metric: prediction_powered(record, metric, labels) for metric in metrics}


def labels_told(looking: Looking, found: Findings) -> dict[str, PredictionPowered | str] | str:
    """What the gate's labels make of a run; a text says why they cannot be used."""
    try:
        return corrected(found.record, gate_labels(looking.config, found.record))
    except UsageError as fault:
        return f"human labels are not shown: {fault}"


def labels_section(looking: Looking, found: Findings) -> Section | None:
    """The same as a table for a report."""
    told = labels_told(looking, found)
    if isinstance(told, str) or not told:
        return None
    rows = [
        (key, "-", "-", "-", one) if isinstance(one, str) else _row(key, one, found.record)
        for key, one in told.items()
    ]
    return Section(
        title="Corrected by human labels",
        note="The judge's mean beside what prediction-powered inference makes of it: never the "
        "same figure, and only as good as the labelled cases were drawn at random.",
        head=("metric", "judged", "corrected", "95 % interval", "labels"),
        rows=rows,
    )


def _row(key: str, one: PredictionPowered, record: RunRecord) -> tuple[str, ...]:
    unit, ends = record.columns[key].declared.unit, one.tuned.ends
    interval = "" if ends is None else f"[{', '.join(figure(end, unit) for end in ends)}]"
    share = f"{one.labelled:,} of {counted(one.cases, 'case')}"
    labels = share if one.doubt is None else f"{share}; {one.doubt}"
    return key, figure(one.judged, unit), figure(one.tuned.value, unit), interval, labels
