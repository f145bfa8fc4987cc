"""Follow the gold of a saved run, beside the metrics that explain a loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ragproof.analysis.gold_sight import GoldStage
from ragproof.analysis.gold_trace import LEAST, Beside, GoldTrace, trace_gold
from ragproof.core import Better, RunHeader, RunState, Status, Unit, UsageError
from ragproof.core.record import Column, RunRecord
from ragproof.datasets.corpus import FileCorpus, FolderCorpus, load_corpus
from ragproof.metrics import catalog
from ragproof.text.nearest import nearest
from ragproof.wiring.looking import Looking
from ragproof.wiring.schema import GateConfig, Rule

EXPLAINS: Mapping[GoldStage, tuple[str, ...]] = {
    GoldStage.CORPUS: ("ingestion.*", "index.*"),
    GoldStage.CHUNKING: ("chunking.*",),
    GoldStage.FILTER: (
        "filter.false_exclusion_rate",
        "filter.document_exclusion_rate",
        "filter.eligible_recall_at_k",
    ),
    GoldStage.RETRIEVAL: (
        "retrieval.recall_at_k",
        "retrieval.span_recall",
        "retrieval.universe_coverage",
        "query.rewrite_recall_gain",
    ),
    GoldStage.RERANKING: (
        "reranking.ndcg_gain",
        "reranking.mrr_gain",
        "reranking.precision_at_1_gain",
        "retrieval.ndcg_at_k",
    ),
    GoldStage.CONTEXT: (
        "query.evidence_coverage",
        "retrieval.evidence_in_token_budget",
        "context.*",
    ),
    GoldStage.ANSWER: (
        "citation.gold_recall",
        "citation.completeness",
        "generation.groundedness",
        "generation.citation_support",
    ),
}
"""Metric ids and families that explain a loss at a stage; those that there are stand in reports."""
NAMED = 4
"""So many metrics are named a stage; those of which the run has a figure come first."""


@dataclass(frozen=True)
class Traced:
    """A run and the way of its gold."""

    header: RunHeader
    trace: GoldTrace


def trace_run(
    looking: Looking,
    run: str = "latest",
    *,
    corpus: Path | None = None,
    least: float = LEAST,
    failing: Sequence[str] = (),
    case: str | None = None,
) -> Traced:
    """Follow the gold of a run's cases.

    Args:
        looking: The store.
        run: A reference to the run.
        corpus: The documents; default those of the config, or of the run's benchmark.
        least: The share of a span that must be at a stage.
        failing: Keys of metrics; only cases that fall short by one of them are kept.
        case: Id of the one case to keep.

    Raises UsageError for a run, a corpus, a metric or a case that is not there.
    """
    store = looking.store
    info = store.find(run, looking.project)
    header = info.header
    record = store.record(header.id) if failing else None
    short = None if record is None else _short(record, failing, looking.config.gate)
    documents, where = _corpus(looking, header, corpus)
    found = trace_gold(
        store.case_runs(header.id), depth=header.settings.depth, corpus=documents, least=least
    )
    if short is not None:
        cases = found.cases.among(lambda case_id, repeat: (case_id, repeat) in short)
        only = f"cases that fall short by {' or '.join(failing)}"
        found = replace(found, cases=cases, only=only)
    if case is not None:
        found = _of_one(found, case, header.id)
    if info.state is not RunState.COMPLETED:
        told = f"the run is {info.state}: cases that were not tried are in no count"
        found = replace(found, warnings=(*found.warnings, told))
    return Traced(header, replace(found, corpus=where, beside=beside(store.summaries(header.id))))


def _corpus(
    looking: Looking, header: RunHeader, given: Path | None
) -> tuple[FolderCorpus | FileCorpus | None, str | None]:
    """The documents, and where they are."""
    path = given
    if path is None and (folder := header.asked.get("beir")):
        path = Path(folder) / "corpus.jsonl"
        path = path if path.is_file() else None  # the run may have been made elsewhere
    if path is None:
        path = looking.config.corpus
    if path is None:
        return None, None
    with looking.config.blamed("corpus", unless=given is not None):
        return load_corpus(path), str(path)


def beside(figures: Mapping[str, Mapping[str, object]]) -> dict[GoldStage, tuple[Beside, ...]]:
    """Give the metrics that explain a loss at each stage, with the figures of a run, by key."""
    return {stage: tuple(_explaining(stage, figures)) for stage in GoldStage}


def _explaining(stage: GoldStage, figures: Mapping[str, Mapping[str, object]]) -> Iterator[Beside]:
    known = catalog.ids()
    wanted = [
        one
        for pattern in EXPLAINS[stage]
        for one in known
        if one == pattern or (pattern.endswith(".*") and one.startswith(pattern[:-1]))
    ]
    found = [Beside(one, _mean(figures.get(one, {}))) for one in wanted]
    found.sort(key=lambda one: one.mean is None)
    yield from found[:NAMED]


def _mean(figures: Mapping[str, object]) -> float | None:
    mean = figures.get("mean")
    return mean if isinstance(mean, float | int) else None


def _of_one(found: GoldTrace, case: str, run_id: str) -> GoldTrace:
    told = set(found.cases.ids)
    failed = tuple(one for one in found.failed if one.case_id == case)
    if case not in told and not failed:
        near = nearest(case, told)
        raise UsageError(f"run {run_id} has no case {case!r} whose gold can be followed.{near}")
    mine = found.cases.among(lambda case_id, _: case_id == case)
    return replace(found, cases=mine, failed=failed, without_gold=0)


def _short(record: RunRecord, keys: Sequence[str], gate: GateConfig) -> set[tuple[str, int]]:
    """Trials that fall short by any of the metrics: of the gate's bound, else of the best."""
    found: set[tuple[str, int]] = set()
    for key in keys:
        rows = _falling_short(_column(record, key), key, gate)
        found.update((record.cases[at].id, record.cases[at].repeat) for at in rows)
    return found


def _column(record: RunRecord, key: str) -> Column:
    column = record.columns.get(key)
    cases = {name for name, one in record.columns.items() if one.subjects is None}
    if column is None:
        raise UsageError(f"--failing: the run has no metric {key!r}.{nearest(key, cases)}")
    if column.subjects is not None:
        raise UsageError(f"--failing: {key} is no figure of single cases")
    return column


def _falling_short(column: Column, key: str, gate: GateConfig) -> Sequence[int]:
    declared = column.declared
    lower = declared.better is Better.LOWER
    bounds = (_bound(rule, lower=lower) for rule in gate.rules(key))
    bound = next((one for one in bounds if one is not None), None)
    if bound is None:
        if declared.unit is not Unit.FRACTION or declared.better is Better.NEITHER:
            raise UsageError(
                f"--failing: {key} has no best value. Write gate.thresholds.{key}, "
                f"such as {{{'max' if lower else 'min'}: ...}}"
            )
        bound = 0.0 if lower else 1.0
    scored = column.status == Status.SCORED
    short = column.values > bound if lower else column.values < bound
    return [int(at) for at in np.flatnonzero(scored & short)]


def _bound(rule: Rule, *, lower: bool) -> float | None:
    return None if rule.slice else rule.max if lower else rule.min
