"""Choose how ingestion is set by what runs and the labels of their documents show.

A detector's least score, a merger's settings, an error rate that answers can bear.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean

from ragproof.analysis.comparable import obstacles
from ragproof.analysis.error_boundary import Boundary, Effect, boundaries
from ragproof.analysis.near_duplicates import Setting, best, sweep
from ragproof.analysis.operating_point import OperatingPoint, operating_points
from ragproof.core import Better, CaseKind, CaseRun, MissingInput, Status, UsageError
from ragproof.core.needs import CUT_TEXT, DUPLICATE_GROUP
from ragproof.core.record import Column, RunRecord
from ragproof.metrics import catalog
from ragproof.metrics.personal import detections
from ragproof.store.open import RunStore, open_store
from ragproof.text.nearest import nearest
from ragproof.text.shingles import shingles
from ragproof.wiring.schema import Config

OPERATING = frozenset(
    f"ingestion.pii_{name}" for name in ("precision", "recall", "micro_precision", "micro_recall")
)
"""Metrics whose `min_score` is chosen from a table of operating points."""
MERGING = frozenset(
    f"ingestion.{name}"
    for name in ("duplicate_precision", "duplicate_recall", "false_merge_rate", "missed_merge_rate")
)
"""Metrics of what a detector of near-duplicates merges."""
ALL = "all types"


@dataclass(frozen=True, kw_only=True)
class OperatingTable:
    """A detector at every score, type by type and all together."""

    metric: str
    run_id: str
    match: str
    documents: int
    left_out: Mapping[str, int]
    """Why documents are not counted, and how many."""
    points: Mapping[str, tuple[OperatingPoint, ...]]
    labelled: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class MergingTable:
    """The detector of this package at every setting, on labelled documents."""

    metric: str
    run_id: str
    documents: int
    left_out: Mapping[str, int]
    settings: Sequence[Setting]
    chosen: Setting


@dataclass(frozen=True, kw_only=True)
class BoundaryTable:
    """How badly documents of each class may be read before answers suffer."""

    metric: str
    quality: str
    allowed: float
    run_id: str
    answers: tuple[str, str]
    left_out: Mapping[str, int]
    boundaries: Mapping[str, Boundary]


@dataclass
class _Sums:
    finds: list[tuple[float, bool]] = field(default_factory=list)
    hits: list[float] = field(default_factory=list)
    labelled: int = 0


def operating_table(config: Config, metric: str, run: str) -> OperatingTable:
    """Count over the documents of a run; raises UsageError where no document has scored spans."""
    match = _match(metric)
    sums: dict[str, _Sums] = defaultdict(_Sums)
    left_out: Counter[str] = Counter()
    documents = 0
    with open_store(config.store, create=False) as store:
        run_id = store.find(run, config.runs_under).header.id
        for one in _documents(store, run_id, left_out):
            try:
                found = detections(one, match)
            except MissingInput as fault:
                left_out[str(fault)] += 1
                continue
            documents += 1
            for name, told in found.items():
                for kind in (name, ALL):
                    sums[kind].finds += told.finds
                    sums[kind].hits += told.hits
                    sums[kind].labelled += told.labelled
    _refuse_none(documents, run_id, left_out)
    return OperatingTable(
        metric=metric,
        run_id=run_id,
        match=match,
        documents=documents,
        left_out=dict(left_out),
        points={
            name: operating_points(one.finds, one.labelled, one.hits)
            for name, one in sorted(sums.items(), key=lambda pair: (pair[0] != ALL, pair[0]))
        },
        labelled={name: one.labelled for name, one in sums.items()},
    )


def merging_table(config: Config, metric: str, run: str) -> MergingTable:
    """Sweep the detector over the texts of a run; raises UsageError where no group is labelled."""
    _params(metric, ())
    left_out: Counter[str] = Counter()
    parts: dict[str, frozenset[str]] = {}
    groups: dict[str, list[str]] = defaultdict(list)
    with open_store(config.store, create=False) as store:
        run_id = store.find(run, config.runs_under).header.id
        for one in _documents(store, run_id, left_out):
            if (text := one.get(CUT_TEXT)) is None:
                left_out[CUT_TEXT.reason] += 1
                continue
            parts[one.case.id] = frozenset(shingles(text))
            if (group := one.get(DUPLICATE_GROUP)) is not None:
                groups[group].append(one.case.id)
    _refuse_none(len(parts), run_id, left_out)
    if not groups:
        raise UsageError(f"run {run_id}: {DUPLICATE_GROUP.reason}; label those that are the same")
    pairs = [pair for names in groups.values() for pair in combinations(sorted(names), 2)]
    settings = sweep(parts, pairs)
    return MergingTable(
        metric=metric,
        run_id=run_id,
        documents=len(parts),
        left_out=dict(left_out),
        settings=settings,
        chosen=best(settings),
    )


def boundary_table(
    config: Config, metric: str, run: str, answers: tuple[str, str], quality: str, allowed: float
) -> BoundaryTable:
    """Hold the error rate of each document to what its questions lose.

    `run` has the documents and their error rates; `answers` are two runs of one dataset of
    questions, over the reference texts and over the parsed ones. A question belongs to the document
    whose case id is its `group`. Raises UsageError where no document has both.
    """
    with open_store(config.store, create=False) as store:
        records = [
            store.record(store.find(one, config.runs_under).header.id) for one in (run, *answers)
        ]
    documents, before, after = records
    for found in obstacles(before.header, after.header):
        raise UsageError(f"the two runs of answers cannot be compared: {found.text}")
    left_out: Counter[str] = Counter()
    losses = _losses(before, after, quality, left_out)
    rates = _column(documents, metric)
    if rates.declared.better is not Better.LOWER:
        raise UsageError(f"{metric} is no error rate: of a rate of errors lower is better")
    effects = list(_effects(documents, rates, losses, left_out))
    if not effects:
        why = (
            "; ".join(f"{count} {reason}" for reason, count in left_out.items()) or "none is there"
        )
        raise UsageError(f"no document has both an error rate and a loss: {why}")
    return BoundaryTable(
        metric=metric,
        quality=quality,
        allowed=allowed,
        run_id=documents.header.id,
        answers=(before.header.id, after.header.id),
        left_out=dict(left_out),
        boundaries=boundaries(effects, allowed),
    )


def _documents(store: RunStore, run_id: str, left_out: Counter[str]) -> Iterator[CaseRun]:
    """The documents that did not fail, each once."""
    seen = ""
    for one in store.case_runs(run_id):
        if one.case.kind is not CaseKind.DOCUMENT or one.case.id == seen:
            continue
        seen = one.case.id
        if (failure := one.observation.failure) is not None:
            left_out[f"failed: {failure.cause}"] += 1
        else:
            yield one


def _refuse_none(documents: int, run_id: str, left_out: Mapping[str, int]) -> None:
    if not documents:
        why = "; ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise UsageError(f"run {run_id} has no document to count: {why or 'it has none at all'}")


def _match(metric: str) -> str:
    """`match` as the metric's key has it."""
    name, told = _params(metric, {"match"})
    return str(getattr(catalog.build(name, **told), "match"))  # noqa: B009  a metric's parameter


def _params(metric: str, allowed: Collection[str]) -> tuple[str, dict[str, str]]:
    """Id and parameters of a metric's key; raises UsageError for one that is not looked at."""
    name, bracket, params = metric.partition("[")
    if bracket and not params.endswith("]"):
        raise UsageError(f"{metric}: got a bracket that is not closed; allowed: id[name=value]")
    told = dict(one.partition("=")[::2] for one in params.removesuffix("]").split(",") if one)
    if unknown := told.keys() - allowed:
        may = ", ".join(sorted(allowed)) or "no parameter"
        raise UsageError(f"{metric}: {min(unknown)}: got it here; allowed: {may}")
    return name, told


def _losses(
    before: RunRecord, after: RunRecord, quality: str, left_out: Counter[str]
) -> Mapping[str, float]:
    """Document to the mean of what its questions lose."""
    columns = _column(before, quality), _column(after, quality)
    better = columns[0].declared.better
    if better is Better.NEITHER:
        raise UsageError(f"{quality} says nothing of quality: neither high nor low is better")
    sign = -1.0 if better is Better.LOWER else 1.0
    told = [
        _by_case(record, column) for record, column in zip((before, after), columns, strict=True)
    ]
    groups = {case.id: case.group for case in before.cases}
    lost: dict[str, list[float]] = defaultdict(list)
    for case_id, group in groups.items():
        if group is None:
            left_out["questions without a group, which names their document"] += 1
        elif case_id not in told[0] or case_id not in told[1]:
            left_out[f"questions without {quality} in both runs"] += 1
        else:
            lost[group].append(sign * (told[0][case_id] - told[1][case_id]))
    return {group: fmean(several) for group, several in lost.items()}


def _effects(
    documents: RunRecord, rates: Column, losses: Mapping[str, float], left_out: Counter[str]
) -> Iterator[Effect]:
    classes = {case.id: case.tags.get("document_class", "") for case in documents.cases}
    read = _by_case(documents, rates)
    for case_id, name in classes.items():
        if case_id not in read:
            left_out["documents without an error rate"] += 1
        elif case_id not in losses:
            left_out["documents without a question"] += 1
        else:
            yield Effect(name or "no class", read[case_id], losses[case_id])


def _by_case(record: RunRecord, column: Column) -> dict[str, float]:
    """Case to its value, repeats averaged."""
    values: dict[str, list[float]] = defaultdict(list)
    for at, case in enumerate(record.cases):
        if column.status[at] == Status.SCORED:
            values[case.id].append(float(column.values[at]))
    return {case: fmean(several) for case, several in values.items()}


def _column(record: RunRecord, key: str) -> Column:
    column = record.columns.get(key)
    if column is None or column.subjects is not None:
        single: Iterable[str] = [one for one, at in record.columns.items() if at.subjects is None]
        hint = nearest(key, list(single))
        raise UsageError(f"run {record.header.id} has no figures of {key!r} for cases.{hint}")
    return column
