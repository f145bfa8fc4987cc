"""A run as one JSON document: what scripts and CI read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragproof.analysis.by_value import CLASSES, parted
from ragproof.analysis.findings import Findings, JudgeUse
from ragproof.analysis.summary import CaseCounts, Line
from ragproof.core.header import RunHeader
from ragproof.core.record import RunRecord
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.judged import source_of_replies
from ragproof.reports.parts import parts_json
from ragproof.reports.refusals import refusals_json


def summary_json(found: Findings, beside: Beside = NOTHING) -> str:
    """Write a run's summary; ASCII only, so that any text survives any terminal and pipe.

    A gate and a comparison have the form of their own commands' documents, and are keys only
    where there is one.
    """
    document = summary(found)
    if beside is not NOTHING:
        document |= _beside(beside)
    document["warnings"] += beside.warnings
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


def _by_class(record: RunRecord) -> dict[str, Any]:
    """A key only where documents are of several classes."""
    found = parted(record, CLASSES)
    return {"by_class": parts_json(found)} if found else {}


def summary(found: Findings) -> dict[str, Any]:
    """The same before it is written."""
    header = found.record.header
    return {
        "run_id": header.id,
        "label": header.label,
        "project": header.project,
        "mode": header.mode.value,
        "started_at": header.started_at,
        "status": found.record.state.value,
        "cases": _cases(found.summary.cases),
        "metrics": {line.key: _metric(line) for line in found.summary.lines},
        "judge": _judge(found.judge, header),
        "refusals": refusals_json(found.record),
        "dataset": {
            "hash": header.dataset.hash,
            "cases": header.dataset.cases,
            "name": header.dataset.name,
            "selection": dict(header.dataset.selection),
        },
        **({"local_models": dict(header.local_models)} if header.local_models else {}),
        "k": header.settings.k,
        "depth": header.settings.depth,
        "source_match": header.settings.source_match.value,
        "repeats": header.settings.repeats,
        **_by_class(found.record),
        "worst": [
            {"case_id": one.id, "lowest": {key: one.figures[key] for key in one.lowest}}
            for one in found.worst
        ],
        "warnings": list(found.warnings),
    }


def _judge(judge: JudgeUse, header: RunHeader) -> dict[str, Any]:
    return {
        "model": judge.model,
        "prompt_hashes": _hashes(header.prompt_hashes),
        "calls": judge.calls,
        "cache_hits": judge.cache_hits,
        "cost_usd": judge.cost_usd,
        "unanswered_usd": judge.unanswered_usd,
        "calibration": [dict(one) for one in judge.card],
        "replies": source_of_replies(header) or ("fresh" if header.judge else None),
    }


def _beside(beside: Beside) -> dict[str, Any]:
    from ragproof.reports.decision_json import (  # noqa: PLC0415  a plain run has none of it
        comparison_document,
        corrected_json,
        gate_document,
    )

    told: dict[str, Any] = {}
    if beside.gate is not None:
        told["gate"] = gate_document(beside.gate)
    if beside.comparison is not None:
        told["comparison"] = comparison_document(beside.comparison)
    if beside.corrected:
        labelled = beside.corrected.items()
        told["prediction_powered"] = {key: corrected_json(one) for key, one in labelled}
    return told


def _cases(cases: CaseCounts) -> dict[str, Any]:
    return {
        "total": cases.total,
        "ok": cases.ok,
        "errors": cases.errors,
        "timeouts": cases.timeouts,
        "missing": cases.missing,
        "kinds": dict(cases.kinds),
        "failure_reasons": dict(cases.failure_reasons),
    }


def _metric(line: Line) -> dict[str, Any]:
    declared = line.column.declared
    return {
        "mean": line.mean,
        "p50": line.p50,
        "p95": line.p95,
        "p99": line.p99,
        "ci95": None if line.bounds.ends is None else list(line.bounds.ends),
        "interval": line.bounds.method,
        "scored": line.scored,
        "skipped": line.skipped,
        "not_applicable": line.not_applicable,
        "errors": line.errors,
        "completion": line.completion,
        "skip_reasons": dict(line.skip_reasons),
        "not_applicable_reasons": dict(line.not_applicable_reasons),
        "error_reasons": dict(line.error_reasons),
        "better": declared.better.value,
        "unit": declared.unit.value,
        "pool": declared.pool.value,
        "layer": declared.layer.value,
        "headline": declared.headline,
    }


def _hashes(hashes: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: list(found) for name, found in hashes.items()}
