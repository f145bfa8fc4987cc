"""The worked example of a filter, as a user's recorded run and as a gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from project import Project

RECORDED = """
project: filters
dataset: dataset.jsonl
adapter: {type: recorded, path: observations.jsonl}
run: {k: 10}
gate:
  thresholds:
    filter.false_exclusion_rate: {max: 0.02}
    filter.entitlement_violations: {max: 0}
"""
ELIGIBLE = ["d1", "d2", "d4", "d5", "d6"]
QUESTIONS = [
    ("q1", "d2", ["d1", "d4"]),
    ("q2", "d4", ELIGIBLE),
    ("q3", "d6", ["d1", "d4"]),
    ("q4", "d5", ["d5"]),
]
FORBIDDEN = ("q5", "d3", ELIGIBLE)


def project(folder: Path, questions: list[tuple[str, str, list[str]]]) -> Project:
    """A folder in which what survived was also retrieved."""
    made = Project(folder)
    made.dataset(
        {
            "id": name,
            "question": "?",
            "expected_source_ids": [gold],
            "eligible_source_ids": ELIGIBLE,
        }
        for name, gold, _ in questions
    )
    lines: list[dict[str, Any]] = [
        {
            "case_id": name,
            "retrieved": [{"id": one} for one in kept],
            "answer": {"answer_text": "x", "trace": {"survivors": kept}},
        }
        for name, _, kept in questions
    ]
    made.write("observations.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    made.write("ragproof.yaml", RECORDED)
    return made


def test_the_rate_stands_beside_its_denominator_and_a_forbidden_question_is_not_in_it(
    tmp_path: Path,
) -> None:
    found = project(tmp_path, [*QUESTIONS, FORBIDDEN]).run("run", "--json").document["metrics"]
    rate = found["filter.false_exclusion_rate"]
    assert (rate["mean"], rate["scored"], rate["not_applicable"]) == (0.5, 4, 1)
    recall = found["filter.eligible_recall_at_k"]
    assert (recall["mean"], recall["scored"]) == (0.5, 4)
    assert found["filter.entitlement_violations"]["mean"] == 0.0
    assert found["filter.entitlement_violations"]["scored"] == 5


def test_a_rate_over_no_question_fails_the_gate_as_missing_evidence(tmp_path: Path) -> None:
    made = project(tmp_path, [FORBIDDEN])
    assert (
        made.run("run", "--json").document["metrics"]["filter.false_exclusion_rate"]["mean"] is None
    )
    gate = made.run("gate", "--json")
    by_metric = {one["metric"]: one for one in gate.document["results"]}
    rate = by_metric["filter.false_exclusion_rate"]
    assert (gate.code, rate["status"]) == (1, "fail")
    assert "no expected source is eligible" in rate["detail"]
    assert by_metric["filter.entitlement_violations"]["status"] == "pass"
