"""Decisions as a JSON document: what scripts and CI read."""

from __future__ import annotations

import json
from typing import Any

from ragproof.analysis.decide import Decided, Decisions, Finding
from ragproof.analysis.decide_experiment import Progress
from ragproof.reports.adoption_wording import found_to_be
from ragproof.reports.decision_json import corrected_json


def decisions_json(found: Decisions) -> str:
    """Write what came of every rule; ASCII only."""
    return json.dumps(decisions_document(found), ensure_ascii=True, allow_nan=False, indent=2)


def decisions_document(found: Decisions) -> dict[str, Any]:
    """The same before it is written."""
    return {
        "adopted": found.adopted,
        "baseline": found.baseline.header.id,
        "candidate": found.candidate.header.id,
        "decisions": {one.rule.name: _rule(one) for one in found.decided},
        "runs": {
            name: {
                "label": one.header.label,
                "started_at": one.header.started_at,
                "status": one.state.value,
            }
            for name, one in (("baseline", found.baseline), ("candidate", found.candidate))
        },
        "differences": list(found.told),
        "tolerated": list(found.doubts),
        "notes": list(found.notes),
    }


def _rule(one: Decided) -> dict[str, Any]:
    told = one.registered
    return {
        "verdict": one.verdict.value,
        "consequence": one.consequence or None,
        "pre_registered": told.stands,
        "registration": {
            "hash": told.hash,
            "baseline": told.baseline,
            "candidate": told.candidate,
            "changed": {
                place: {"was": was, "now": now} for place, (was, now) in told.changed.items()
            },
        },
        "not_to_be_decided": list(one.holds),
        "notes": list(one.notes),
        "experiment": None if one.progress is None else _experiment(one.progress),
        "clauses": [_clause(finding) for finding in one.findings],
    }


def _experiment(told: Progress) -> dict[str, Any]:
    asked = told.asked
    return {
        "unit": asked.unit,
        "estimand": asked.estimand,
        "stopping_rule": asked.stopping_rule,
        "looks": list(asked.looks),
        "sample_size": asked.sample_size,
        "minimum_effect": asked.minimum_effect,
        "baseline_sd": asked.baseline_sd,
        "power": told.power,
        "units": {"baseline": told.arms[0], "candidate": told.arms[1]},
        "paired": told.paired,
        "look": told.look,
        "intervals_widened_by": told.widened,
    }


def _clause(finding: Finding) -> dict[str, Any]:
    clause, found = finding.clause, finding.measured
    told: dict[str, Any] = {
        "metric": clause.metric,
        "role": clause.role.value,
        "status": finding.state.value,
        "detail": found_to_be(finding),
        "why": finding.why,
        "limit": None if clause.bar is None else clause.bar.value,
        "bound": None if clause.bar is None else clause.bound,
        "tested_on": clause.basis.value,
        "statistic": clause.statistic,
        "estimate": clause.estimate,
        "slice": {tag: list(values) for tag, values in clause.slice.items()},
    }
    ends = None if found is None else found.bounds.ends
    return told | {
        "of": None if found is None else "change" if found.relative else "candidate",
        "value": None if found is None else found.value,
        "ci95": None if ends is None else list(ends),
        "interval": None if found is None else found.bounds.method,
        "baseline_value": None if found is None else found.baseline,
        "candidate_value": None if found is None else found.candidate,
        "arms": None if found is None else found.arms,
        "cases": None if found is None else found.count,
        "units": None if found is None else found.units,
        "minimum_detectable_effect": finding.detectable,
        "cases_needed": finding.cases_needed,
        "prediction_powered": None if found is None else corrected_json(found.corrected),
    }
