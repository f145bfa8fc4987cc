"""A sweep as one JSON document: what scripts and CI read."""

from __future__ import annotations

import json
from typing import Any

from ragproof.analysis.summary import Line
from ragproof.analysis.sweep import Study
from ragproof.analysis.sweep_steps import Step
from ragproof.core.header import RunState
from ragproof.reports.parts import parts_json
from ragproof.reports.sweep_wording import warnings


def sweep_json(study: Study, sweep_id: str) -> str:
    """Write it; ASCII only."""
    first = next((one.record.header for one in study.points if one.record is not None), None)
    reference = None
    if study.reference is not None:
        reference = {
            "point": study.reference,
            "params": dict(study.points[study.reference].params),
            "is": "baseline" if study.baseline is not None else "best",
        }
    document = {
        "sweep": study.name,
        "id": sweep_id,
        "status": _status(study),
        "dataset": None
        if first is None
        else {
            "hash": first.dataset.hash,
            "cases": first.dataset.cases,
            "selection": dict(first.dataset.selection),
        },
        "quality": study.axes.quality,
        "latency": study.axes.latency,
        "cost": next((one.cost.key for one in study.points if one.cost is not None), None),
        "reference": reference,
        "by": study.axes.by,
        "points": [_point(study, at) for at in range(len(study.points))],
        "frontier": {"axes": list(study.frontier.axes), "points": list(study.frontier.order)},
        "selection": _choice(study),
        "warnings": list(warnings(study)),
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


def _status(study: Study) -> str:
    """How the sweep stands: completed, stopped as one of its runs was, or partial."""
    states = {one.record.state for one in study.points if one.record is not None}
    stopped = [one for one in (RunState.OVER_BUDGET, RunState.INTERRUPTED) if one in states]
    if study.completed:
        return RunState.COMPLETED.value
    return stopped[0].value if stopped else RunState.PARTIAL.value


def _point(study: Study, at: int) -> dict[str, Any]:
    one, place = study.points[at], study.frontier.places[at]
    header = None if one.record is None else one.record.header
    against = study.against.get(at)
    return {
        "params": dict(one.params),
        "run_id": None if header is None else header.id,
        "label": None if header is None else header.label,
        "status": None if one.record is None else one.record.state.value,
        "unfit": one.unfit,
        "quality": _line(one.quality),
        "latency_seconds": _line(one.latency),
        "cost": _line(one.cost),
        "tokens": {line.key: line.mean for line in one.tokens},
        "parts": parts_json(one.parts),
        "judge_cost_usd": one.judge_usd,
        "on_frontier": place.on_frontier,
        "dominated_by": place.dominated_by,
        "neighbour": place.neighbour,
        "told_apart_from_neighbour": None if place.neighbour is None else place.told_apart,
        "against_reference": None
        if against is None
        else {
            "delta": against.change.delta,
            "ci95": None if against.change.bounds.ends is None else [*against.change.bounds.ends],
            "interval": against.change.bounds.method,
            "p_value": against.change.p_value,
            "p_value_adjusted": against.p_adjusted,
            "pairs": against.change.pairs,
            "wins": against.wins,
            "losses": against.losses,
            "ties": against.change.ties,
        },
    }


def _line(line: Line | None) -> dict[str, Any] | None:
    if line is None:
        return None
    return {
        "mean": line.mean,
        "p50": line.p50,
        "p95": line.p95,
        "ci95": None if line.bounds.ends is None else list(line.bounds.ends),
        "interval": line.bounds.method,
        "scored": line.scored,
        "completion": line.completion,
        "better": line.column.declared.better.value,
        "unit": line.column.declared.unit.value,
    }


def _choice(study: Study) -> dict[str, Any] | None:
    if (choice := study.choice) is None:
        return None
    asked, chosen = choice.selection, choice.chosen
    return {
        "rule": asked.rule.value,
        "metric": asked.metric,
        "param": asked.param,
        "decided": chosen is not None,
        "chosen": None if chosen is None else dict(study.points[chosen].params),
        "point": chosen,
        "reason": choice.reason,
        "steps": [_step(one) for one in choice.steps],
        "shares": [{"point": one.point, "share": one.share} for one in choice.shares],
    }


def _step(one: Step) -> dict[str, Any]:
    return {
        "from": one.before,
        "to": one.after,
        "gain": None if one.compared is None else one.compared.gain,
        "ci95": None if one.ends is None else list(one.ends),
        "p_value_adjusted": None if one.compared is None else one.compared.p_adjusted,
        "needed": one.needed,
        "found": one.found.value,
        "cases_needed": one.cases_needed,
    }
