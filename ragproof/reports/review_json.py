"""What reviews say, as JSON: a document for scripts, and the file of validated signals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ragproof.analysis.agreement import Figure
from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.analysis.review_agreement import Reviewers
from ragproof.analysis.review_figures import Figures, Slice
from ragproof.analysis.review_rate import Rate
from ragproof.analysis.review_signals import Association
from ragproof.datasets.review_queue import KeyHead
from ragproof.reports.review_words import RULE, direction, verdict


def review_json(
    head: KeyHead,
    told: Figures,
    slices: Sequence[Slice],
    agreed: Reviewers,
    conflicts: Mapping[str, Mapping[str, str]],
    signals: Mapping[str, Any],
    powered: Mapping[str, PredictionPowered | str],
) -> str:
    """Write the document; ASCII only."""
    document = {
        **_sample(head),
        "unanswered": head.unanswered,
        "population": head.population,
        **_rates(told),
        "slices": [
            {"tag": one.tag, "value": one.value, "drawn": one.drawn, "bad": _rate(one.bad)}
            for one in slices
        ],
        "agreement": {
            "answers": agreed.answers,
            "same": _figure(agreed.same),
            "alpha": agreed.alpha,
            "pairs": [
                {"reviewers": [one, other], "answers": number, "kappa": _figure(kappa)}
                for one, other, number, kappa in agreed.pairs
            ],
            "conflicts": {item: dict(by) for item, by in conflicts.items()},
        },
        **signals,
        "prediction_powered": {name: _powered(one) for name, one in powered.items()},
    }
    return json.dumps(document, indent=2, allow_nan=False)


def _sample(head: KeyHead) -> dict[str, Any]:
    return {"runs": head.run.split(", "), "drawn_at": head.drawn_at, "traffic": head.traffic}


def _rates(told: Figures) -> dict[str, Any]:
    return {
        "drawn": told.drawn,
        "reviewed": told.reviewed,
        "waiting": told.waiting,
        "cannot_say": told.cannot_say,
        "rates": {name: _rate(one) for name, one in told.rates.items()},
        "bad_or_unanswered": _rate(told.with_unanswered),
        "bad_possible": list(told.possible),
        "strata": [
            {
                "name": one.name,
                "drawn": one.drawn,
                "reviewed": one.reviewed,
                "bad_unweighted": _rate(one.bad),
            }
            for one in told.strata
        ],
    }


def signals_json(
    head: KeyHead,
    reviewed: int,
    found: Sequence[Association],
    versions: Mapping[str, int],
    matters: float,
    when: str,
    agreed: Reviewers,
) -> dict[str, Any]:
    """Which signals were held to which reviews, by which rule, and what came of it."""
    return {
        **_sample(head),
        "decided_at": when,
        "reviewed": reviewed,
        "agreement": {"answers": agreed.answers, "alpha": agreed.alpha, "low": agreed.is_low},
        "strata": [asdict(one) for one in head.strata],
        "rule": RULE.format(matters=matters),
        "matters": matters,
        "signals": [_association(one, versions.get(one.signal)) for one in found],
    }


def _association(one: Association, version: int | None) -> dict[str, Any]:
    return {
        "signal": one.signal,
        "version": version,
        "label": one.label,
        "standing": one.standing.partition(":")[0],
        "points_to": direction(one),
        "verdict": verdict(one),
        "measured": one.measured,
        "reviewed": one.reviewed,
        "with": _rate(one.having),
        "without": _rate(one.lacking),
        "difference": _figure(one.difference),
        "odds_ratio": _figure(one.odds_ratio),
        "auroc": _figure(one.auroc),
        "p_value": one.p_value,
        "p_value_adjusted": one.p_adjusted,
        "needed": one.needed,
        "reason": one.reason,
    }


def _rate(one: Rate | None) -> dict[str, Any] | None:
    if one is None:
        return None
    ci95 = None if one.ends is None else list(one.ends)
    return {"rate": one.value, "ci95": ci95, "answers": one.answers, "effective": one.effective}


def _figure(one: Figure | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"value": one.value, "ci95": None if one.ends is None else list(one.ends)}


def _powered(one: PredictionPowered | str) -> dict[str, Any]:
    if isinstance(one, str):
        return {"reason": one}
    ends = one.tuned.ends
    return {
        "bad": 1 - one.tuned.value,
        "ci95": None if ends is None else [1 - ends[1], 1 - ends[0]],
        "judge_weight": one.weight,
        "labelled": one.labelled,
        "cases": one.cases,
        "doubt": one.doubt,
    }
