"""Drift as JSON documents."""

from __future__ import annotations

import json
from typing import Any

from ragproof.analysis.drift import CLASSIFIER, KL, MMD, Detected, Findings, by_chance
from ragproof.analysis.drift_kl import Divergence
from ragproof.analysis.drift_neighbours import Figure
from ragproof.analysis.drift_result import Calibration, Drift, Neighbours, Side
from ragproof.analysis.drift_shifts import POWER, Noticed
from ragproof.analysis.drift_slices import Slice
from ragproof.analysis.drift_texts import SideFigure
from ragproof.analysis.intervals import Bounds


def drift_json(found: Drift) -> str:
    """Write what was found of two samples; ASCII only."""
    setup = found.findings.setup
    return _written(
        {
            "verdict": found.verdict,
            "alpha": setup.alpha,
            "permutations": setup.deals,
            "seed": setup.seed,
            "reference": _side(found.reference),
            "current": _side(found.current),
            "representation": found.representation,
            "dimensions": found.dimensions,
            "metric": found.metric,
            "detectors": [_detected(one, found.findings) for one in found.findings.detected],
            "yardstick": None if found.yardstick is None else _noticed(found.yardstick),
            "slices": [_slice(one) for one in found.slices],
            "figures": [_figure(one) for one in found.figures],
            "words": [
                {"word": one.word, "reference": one.shares[0], "current": one.shares[1]}
                for one in found.words
            ],
            "examples": [
                {"id": one.id, "text": one.text, "score": one.score} for one in found.examples
            ],
            "warnings": list(found.warnings),
        }
    )


def calibration_json(found: Calibration) -> str:
    """Write how often each shift was noticed; ASCII only."""
    shifts = dict.fromkeys((one.shift, one.size) for one in found.noticed if one.size)
    return _written(
        {
            "source": found.source,
            "representation": found.representation,
            "rows": found.rows,
            "alpha": found.alpha,
            "permutations": found.deals,
            "seed": found.seed,
            "shifts": [_noticed(one) for one in found.noticed],
            "enough": [
                {
                    "shift": shift,
                    "size": size,
                    "share": POWER,
                    "rows": {name: found.enough(shift, size, name) for name in found.detectors},
                }
                for shift, size in shifts
            ],
            "notes": list(found.notes),
        }
    )


def neighbours_json(found: Neighbours) -> str:
    """Write how stable the neighbours are, and those of each probe; ASCII only."""
    stable = found.stability
    each = zip(found.probes, *(one.values.tolist() for one in stable.figures), strict=True)
    return _written(
        {
            "verdict": found.verdict,
            "min_overlap": found.least,
            "k": stable.k,
            "metric": found.metric,
            "reference": {"source": found.before, "dimensions": found.dimensions[0]},
            "current": {"source": found.now, "dimensions": found.dimensions[1]},
            "documents": found.documents,
            "not_in_reference": found.missing[0],
            "not_in_current": found.missing[1],
            "probes": len(found.probes),
            "chance_overlap": stable.chance,
            **{one.name: _mean(one) for one in stable.figures},
            "per_probe": [
                {"id": name, "overlap": overlap, "jaccard": jaccard, "rbo": rbo}
                for name, overlap, jaccard, rbo in each
            ],
        }
    )


def _side(one: Side) -> dict[str, Any]:
    return {
        "source": one.source,
        "rows": one.rows,
        "independent": one.units,
        "repeated": one.repeated,
        "zero_vectors": one.zero,
    }


def _detected(one: Detected, findings: Findings) -> dict[str, Any]:
    median, high = one.chance or (None, None)
    told: dict[str, Any] = {
        "name": one.name,
        "value": one.value,
        "ci95": _ends(one.ends),
        "chance_median": median,
        "chance_p95": high,
        "p_value": one.p_value,
        "p_value_adjusted": one.p_adjusted,
        "alarm": one.is_alarm,
    }
    if one.name == MMD:
        found = findings.discrepancy
        told |= {"kernel_width": found.width, "blocks": found.blocks, "rows": found.rows}
    elif one.name == CLASSIFIER:
        told |= {"rows": int(findings.separation.rows.size)}
    elif one.name == KL:
        told["of"] = [
            _divergence(name, each, findings) for name, each in findings.divergences.items()
        ]
    return told


def _divergence(name: str, one: Divergence, findings: Findings) -> dict[str, Any]:
    median, high = by_chance(one.values)
    return {
        "name": name,
        "value": float(one.values[0]),
        "ci95": _ends(one.ends),
        "chance_median": median,
        "chance_p95": high,
        "p_value_adjusted": findings.p_of(name),
        "psi": one.index,
        "edges": list(one.edges),
        "reference_shares": [share for share, _ in one.shares],
        "current_shares": [share for _, share in one.shares],
    }


def _noticed(one: Noticed) -> dict[str, Any]:
    return {
        "shift": one.shift,
        "size": one.size,
        "rows": list(one.rows),
        "tries": one.tries,
        "alarms": {
            name: {"count": count, "share": one.share(name), "ci95": list(one.ends(name))}
            for name, count in one.alarms.items()
        },
    }


def _slice(one: Slice) -> dict[str, Any]:
    return {
        "tag": one.tag,
        "value": one.value,
        "reference": one.reference,
        "current": one.current,
        "reference_share": one.shares[0],
        "current_share": one.shares[1],
        "difference_ci95": list(one.ends),
        "p_value": one.p_value,
        "p_value_adjusted": one.p_adjusted,
    }


def _figure(one: SideFigure) -> dict[str, Any]:
    sides = {"reference": one.reference, "current": one.current}
    return {
        "name": one.name,
        **{
            name: {"mean": mean, "ci95": _ends(bounds.ends)}
            for name, (mean, bounds) in sides.items()
        },
    }


def _mean(one: Figure) -> dict[str, Any]:
    found: Bounds = one.bounds
    return {"mean": one.mean, "ci95": _ends(found.ends), "interval": found.method}


def _ends(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)
