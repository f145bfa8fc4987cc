"""Scored rankings as a JSON document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragproof.rankings.evaluation import Evaluated

if TYPE_CHECKING:
    from ragproof.analysis.comparison import Compared


def rankings_json(
    run: Evaluated,
    *,
    without_relevant: int,
    warnings: Sequence[str] = (),
    against: Evaluated | None = None,
    changes: Sequence[Compared] = (),
) -> str:
    """Write the figures of a run; ASCII only."""
    document = {
        "queries": len(run.queries),
        **_figures(run),
        "without_relevant": without_relevant,
        "warnings": list(warnings),
    }
    if against is not None:
        document["against"] = _figures(against)
        document["comparison"] = {one.key: _change(one) for one in changes}
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


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
