"""Windows, guardrails and back-tests as JSON documents: what scripts and CI read."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ragproof.analysis.monitor_backtest import WITHIN, Calibrated, Tried, Untried
from ragproof.analysis.monitor_band import Band
from ragproof.analysis.monitor_check import Checked
from ragproof.analysis.monitor_clock import Window
from ragproof.analysis.monitor_figures import Figure
from ragproof.analysis.monitor_guardrails import Held, Standing
from ragproof.analysis.monitor_shape import Course
from ragproof.analysis.monitor_signals import is_candidate_signal
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.analysis.monitor_triage import Triage
from ragproof.analysis.monitor_windows import Change, Monitored, Series
from ragproof.reports.monitor_wording import moment


def windows_json(found: Monitored) -> str:
    """Write traffic by windows; ASCII only."""
    reference = None if found.reference is None else _window(found.reference)
    return _written(
        {
            **_traffic(found.traffic),
            "window": str(found.length),
            "step": str(found.step),
            "timezone": found.clock.name,
            "reference": reference,
            "by": found.by,
            "windows": [
                {**_window(window), "cases": load.cases, "failed": load.failed}
                for window, load in zip(found.windows, found.loads, strict=True)
            ],
            "metrics": [_series(one, found.traffic) for one in found.series],
            "slices": [_series(one, found.traffic) for one in found.slices],
            "absent": list(found.absent),
            "notes": list(found.notes),
        }
    )


def check_json(found: Checked) -> str:
    """Write how the guardrails stand; ASCII only."""
    return _written(
        {
            "passed": not found.alerts and not found.unmeasured,
            "alerts": len(found.alerts),
            "not_measured": sum(one.standing is Standing.NOT_MEASURED for one in found.held),
            "not_measured_but_required": len(found.unmeasured),
            **_traffic(found.traffic),
            "timezone": found.watch.clock.name,
            "false_alerts": str(found.watch.false_alerts),
            "guardrails": found.guardrails,
            "chance_to_err": found.chance,
            "results": [
                _held(one, found, found.triages.get(at)) for at, one in enumerate(found.held)
            ],
            "notes": list(found.notes),
        }
    )


def calibrated_json(found: Calibrated) -> str:
    """Write how control bands would have done; ASCII only."""
    return _written(
        {
            "metric": found.key,
            "statistic": found.statistic,
            "better": found.declared.better.value,
            "unit": found.declared.unit.value,
            **_traffic(found.traffic),
            "false_alerts": str(found.false_alerts),
            "guardrails": found.guardrails,
            "windows": [_tried(one) for one in found.tried],
        }
    )


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


def _traffic(traffic: Traffic) -> dict[str, Any]:
    ends = [moment(float(at)) for at in traffic.asked_at[[0, -1]]] if traffic.size else [None, None]
    return {
        "runs": [one.header.id for one in traffic.records],
        "cases": {
            "total": traffic.size,
            "failed": int(traffic.failed.sum()),
            "first": ends[0],
            "last": ends[1],
            "left_out": dict(traffic.left_out),
        },
        "known_until": moment(traffic.until),
    }


def _window(one: Window) -> dict[str, Any]:
    return {
        "name": one.name,
        "start": moment(one.start),
        "end": moment(one.end),
        "finished": one.finished,
    }


def _figure(one: Figure | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "value": one.value,
        "ci95": None if one.bounds.ends is None else list(one.bounds.ends),
        "interval": one.bounds.method,
        "cases": one.cases,
        "scored": one.scored,
        "errors": one.lost,
        "completion": one.completion,
        "why": one.why,
    }


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return {"delta": change[0], "ci95": None if change[1] is None else list(change[1])}


def _series(one: Series, traffic: Traffic) -> dict[str, Any]:
    return {
        "metric": one.key,
        "statistic": one.statistic,
        "value_of": one.value_of,
        "better": one.declared.better.value,
        "unit": one.declared.unit.value,
        "candidate_signal": is_candidate_signal(one.declared),
        "validated": _validated(traffic, one.key),
        "reference": _figure(one.reference),
        "windows": [
            {
                **(_figure(row.figure) or {}),
                "from_before": _change(row.from_before),
                "from_reference": _change(row.from_reference),
            }
            for row in one.rows
        ],
        "course": _course(one),
    }


def _validated(traffic: Traffic, key: str) -> dict[str, Any] | None:
    found = traffic.reviewed.signals.get(key)
    return None if found is None else asdict(found)


def _course(one: Series) -> dict[str, Any]:
    if not isinstance(one.course, Course):
        return {"p_value": None, "why": one.course}
    course = one.course
    return {
        "p_value": course.p_value,
        "p_value_adjusted": one.p_adjusted,
        "shape": course.shape.value,
        "window": course.at,
        "before": course.before,
        "after": course.after,
        "windows": course.windows,
    }


def _held(one: Held, found: Checked, triage: Triage | None) -> dict[str, Any]:
    asked = one.guardrail
    measure = found.traffic.measure(asked.metric)
    return {
        "metric": asked.metric,
        "statistic": asked.statistic,
        "status": one.standing.value,
        "detail": one.detail,
        "window": _window(one.window),
        "length": str(asked.window),
        "slice": {tag: list(values) for tag, values in asked.slice.items()},
        "by": asked.by,
        "value_of": one.value_of,
        "min": asked.min,
        "max": asked.max,
        "band": _band(one.band),
        "beyond": None if one.above is None else "above" if one.above else "below",
        "priority": asked.priority,
        "required": asked.required,
        "candidate_signal": measure is not None and is_candidate_signal(measure.declared),
        "validated": _validated(found.traffic, asked.metric),
        "figure": _figure(one.figure),
        "at_least": one.limits[0],
        "at_most": one.limits[1],
        "confidence": 1 - one.tail,
        "triage": None if triage is None else _triage(triage),
        "blocks": one.standing is Standing.ALERT or any(one is each for each in found.unmeasured),
    }


def _band(band: Band | None) -> dict[str, Any] | None:
    if band is None:
        return None
    return {
        "low": band.low,
        "high": band.high,
        "centre": band.centre,
        "sigma_z": band.sigma,
        "windows": band.windows,
        "excluded": list(band.excluded),
        "seasons": band.season,
    }


def _triage(one: Triage) -> dict[str, Any]:
    return {
        "points_to": one.points_to,
        "began": _window(one.began),
        "releases": [
            {"at": moment(each.at), "name": each.name, "kind": each.kind} for each in one.releases
        ],
        "against": one.against,
        "slices": [
            {
                "tag": each.tag,
                "value": each.value,
                "before": _figure(each.before),
                "after": _figure(each.after),
                "change": _change((each.delta, each.ends)),
                "share_beyond": each.beyond,
                "share_before": each.share[0],
                "share_after": each.share[1],
            }
            for each in one.slices
        ],
        "traces": list(one.traces),
    }


def _tried(one: Tried | Untried) -> dict[str, Any]:
    if isinstance(one, Untried):
        return {"length": str(one.length), "why": one.why}
    return {
        "length": str(one.length),
        "windows": one.windows,
        "unmeasured": one.unmeasured,
        "chance_beyond_each_limit": one.tail,
        "centre": one.centre,
        "low": one.limits[0],
        "high": one.limits[1],
        "reach": one.reach,
        "sigma_z": one.sigma,
        "seasons": one.season,
        "outside": list(one.outside),
        "alerts_per_30d": one.per_month,
        "alerts_per_30d_ci95": list(one.per_month_ends),
        "detections": [
            {
                "shift": each.shift,
                "within": dict(zip(map(str, WITHIN), each.within, strict=True)),
                "windows_for_80_percent": each.windows_needed,
            }
            for each in one.detections
        ],
    }
