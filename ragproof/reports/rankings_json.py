"""Scored rankings as a JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragproof.rankings.evaluation import Evaluated

if TYPE_CHECKING:
    from ragproof.analysis.comparison import Compared
    from ragproof.rankings.lists import FusedRun


def rankings_json(
    run: Evaluated,
    *,
    without_relevant: int,
    warnings: Sequence[str] = (),
    against: Evaluated | None = None,
    changes: Sequence[Compared] = (),
    fused: FusedRun | None = None,
) -> str:
    """Write the figures of a run, and which runs it was fused of; ASCII only."""
    document = {
        "queries": len(run.queries),
        **_figures(run),
        "without_relevant": without_relevant,
        "warnings": list(warnings),
    }
    if against is not None:
        document["against"] = _figures(against)
        document["comparison"] = {one.key: _change(one) for one in changes}
    if fused is not None:
        document["fused"] = _fused(fused)
    return _text(document)


def fused_json(fused: FusedRun) -> str:
    """Write what became of runs that were fused and not scored; ASCII only."""
    return _text({"fused": _fused(fused)})


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


def _fused(fused: FusedRun) -> dict[str, Any]:
    return {
        "way": fused.way,
        "params": dict(fused.params),
        "runs": [
            {"path": str(path), "missing": missing}
            for path, missing in zip(fused.runs, fused.missing, strict=True)
        ],
        "queries": fused.queries,
        "documents": fused.documents,
        "path": None if fused.path is None else str(fused.path),
    }


def _figures(run: Evaluated) -> dict[str, Any]:
    return {
        "missing": run.missing,
        "unjudged_queries": run.unjudged_queries,
        "metrics": dict(run.figures),
    }


def _change(one: Compared) -> dict[str, Any]:
    change = one.change
    return {
        "baseline_mean": change.baseline,
        "candidate_mean": change.candidate,
        "delta": change.delta,
        "ci95": None if change.bounds.ends is None else list(change.bounds.ends),
        "interval": change.bounds.method,
        "p_value": change.p_value,
        "p_value_adjusted": one.p_adjusted,
        "pairs": change.pairs,
        "wins": one.wins,
        "losses": one.losses,
        "ties": change.ties,
        "better": one.declared.better.value,
        "effect_size": change.effect_size,
        "minimum_detectable_effect": one.detectable,
    }
