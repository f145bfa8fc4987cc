"""A comparison and a gate as JSON documents: what scripts and CI read."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ragproof.analysis.comparison import ChangedCase, Compared, Comparison
from ragproof.analysis.gate import Check, Gate
from ragproof.analysis.paired import Change
from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.core.record import RunRecord


def comparison_json(found: Comparison) -> str:
    """Write a comparison; ASCII only."""
    return json.dumps(comparison_document(found), ensure_ascii=True, allow_nan=False, indent=2)


def comparison_document(found: Comparison) -> dict[str, Any]:
    """The same before it is written."""
    return {
        "baseline": found.baseline.header.id,
        "candidate": found.candidate.header.id,
        "metrics": {one.key: _compared(one) for one in found.metrics},
        "runs": {"baseline": _run(found.baseline), "candidate": _run(found.candidate)},
        "cases": {
            "common": found.cases.common,
            "only_baseline": found.cases.only_baseline,
            "only_candidate": found.cases.only_candidate,
            "failed_in_either": found.cases.failed,
            "failed_in_baseline": found.cases.failed_baseline,
            "failed_in_candidate": found.cases.failed_candidate,
        },
        "adjustment": {
            "method": "holm",
            "over": found.tested,
            "chosen": found.confirmatory.chosen,
            "metrics": sorted(found.confirmatory.keys),
        },
        "not_compared": dict(found.apart),
        "differences": list(found.told),
        "tolerated": list(found.doubts),
        "candidates": None if found.candidates is None else asdict(found.candidates),
        "changed_most": [_case(one, found) for one in found.changed],
    }


def gate_json(found: Gate) -> str:
    """Write a gate's verdict; ASCII only."""
    return json.dumps(gate_document(found), ensure_ascii=True, allow_nan=False, indent=2)


def gate_document(found: Gate) -> dict[str, Any]:
    """The same before it is written."""
    return {
        "passed": found.passed,
        "results": [_check(one) for one in found.checks],
        "run_id": found.run.header.id,
        "baseline": None if found.baseline is None else found.baseline.header.id,
        "notes": list(found.notes),
        "waivers": [
            {"metric": one.metric, "reason": one.reason, "expires": one.expires.isoformat()}
            for one in found.policy.waivers
        ],
    }


def corrected_json(found: PredictionPowered | str | None) -> dict[str, Any] | None:
    """A mean as human labels correct it, beside the judge's own, which it never replaces."""
    if found is None or isinstance(found, str):
        return None if found is None else {"value": None, "why": found}
    return {
        "value": found.tuned.value,
        "ci95": None if found.tuned.ends is None else list(found.tuned.ends),
        "weight": found.weight,
        "unweighted": found.plain.value,
        "unweighted_ci95": None if found.plain.ends is None else list(found.plain.ends),
        "judged_mean": found.judged,
        "human_mean": found.human,
        "cases": found.cases,
        "labelled": found.labelled,
        "labelled_units": found.units,
        "labels_unused": found.unused,
        "doubt": found.doubt,
    }


def _run(record: RunRecord) -> dict[str, Any]:
    header = record.header
    return {"label": header.label, "started_at": header.started_at, "status": record.state.value}


def _change(change: Change) -> dict[str, Any]:
    return {
        "delta": change.delta,
        "ci95": None if change.bounds.ends is None else list(change.bounds.ends),
        "interval": change.bounds.method,
        "p_value": change.p_value,
        "pairs": change.pairs,
    }


def _compared(one: Compared) -> dict[str, Any]:
    return {
        "baseline_mean": one.change.baseline,
        "candidate_mean": one.change.candidate,
        **_change(one.change),
        "p_value_adjusted": one.p_adjusted,
        "exploratory": one.exploratory,
        "wins": one.wins,
        "losses": one.losses,
        "ties": one.change.ties,
        "better": one.declared.better.value,
        "units": one.change.units,
        "effect_size": one.change.effect_size,
        "minimum_detectable_effect": one.detectable,
        "cases_needed": one.cases_needed,
    }


def _case(case: ChangedCase, found: Comparison) -> dict[str, Any]:
    seen = found.details.get(case.id)
    return {
        "case_id": case.id,
        "change": case.amount,
        "metrics": {key: list(pair) for key, pair in case.figures.items()},
        "question": None if seen is None else seen.candidate.question,
        "baseline_answer": None if seen is None else seen.baseline.answer,
        "candidate_answer": None if seen is None else seen.candidate.answer,
    }


def _check(one: Check) -> dict[str, Any]:
    asked, evidence = one.asked, one.evidence
    line, change = evidence.line, evidence.change
    interval = evidence.ends(asked)
    told: dict[str, Any] = {
        "metric": asked.metric,
        "status": one.verdict.value,
        "detail": one.detail,
        "limit": asked.limit.value,
        "bound": asked.bound,
        "statistic": asked.statistic,
        "slice": {tag: list(values) for tag, values in asked.slice.items()},
        "role": asked.role.value,
        "blocks": one.blocks,
        "value": evidence.value(asked),
        "value_ci95": list(interval.ends) if interval is not None and interval.ends else None,
        "scored": None if line is None else line.scored,
        "completion": None if line is None else line.completion,
        "waived": None if one.waiver is None else one.waiver.reason,
        "estimate": asked.estimate,
        "prediction_powered": corrected_json(evidence.corrected),
    }
    if change is not None:
        told |= {
            "baseline_value": change.baseline,
            **_change(change),
            "p_value_adjusted": evidence.p_adjusted,
            "minimum_detectable_effect": one.detectable,
            "cases_needed": one.cases_needed,
        }
    return told
