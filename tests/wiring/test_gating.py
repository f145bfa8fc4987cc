"""What a config's gate asks for, as plain requirements."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ragproof.analysis.requirements import Limit, Requirement, Role
from ragproof.wiring.config import load_config
from ragproof.wiring.fixed_rules import fixed_rules
from ragproof.wiring.gating import policy, requirements, waivers
from ragproof.wiring.schema import Config


def config(folder: Path, text: str) -> Config:
    path = folder / "ragproof.yaml"
    path.write_text(text)
    return load_config(path, {})


RELEASE = """
gate:
  thresholds:
    generation.groundedness:
      {min: 0.85, min_samples: 200, slice: {intent: [order, refund, delivery]}}
    system.latency_seconds: {max: 1.5, statistic: p95, role: guardrail}
    filter.false_exclusion: {max: 0.02}
"""


def test_a_release_requirement_is_one_config(tmp_path: Path) -> None:
    assert requirements(config(tmp_path, RELEASE).gate) == [
        Requirement(
            metric="generation.groundedness",
            limit=Limit.MIN,
            bound=0.85,
            slice={"intent": ("order", "refund", "delivery")},
            min_samples=200,
        ),
        Requirement(
            metric="system.latency_seconds",
            limit=Limit.MAX,
            bound=1.5,
            statistic="p95",
            role=Role.GUARDRAIL,
        ),
        Requirement(metric="filter.false_exclusion", limit=Limit.MAX, bound=0.02),
    ]


def test_every_limit_of_a_rule_is_a_requirement_of_its_own(tmp_path: Path) -> None:
    rule = "{min: 0.1, max: 0.9, max_drop: 0.02, max_rise: 0.03, noise_floor: 0.01}"
    text = f"gate: {{min_samples: 5, thresholds: {{a.b: [{rule}, {{min: 0.2, slice: {{x: y}}}}]}}}}"
    found = requirements(config(tmp_path, text).gate)
    assert [(one.limit, one.bound) for one in found] == [
        (Limit.MIN, 0.1),
        (Limit.MAX, 0.9),
        (Limit.MAX_DROP, 0.02),
        (Limit.MAX_RISE, 0.03),
        (Limit.MIN, 0.2),
    ]
    assert {one.min_samples for one in found} == {5}
    assert found[4].slice == {"x": ("y",)}


def test_the_policy_is_that_of_the_config(tmp_path: Path) -> None:
    text = (
        "gate: {on_missing: skip, on_inconclusive: fail, min_completion: 0.5, "
        "thresholds: {a.b: {min: 1}}, waivers: [{metric: a.b, reason: r, expires: 2026-02-03}]}"
    )
    found = policy(config(tmp_path, text).gate, date(2026, 2, 3))
    assert (found.on_missing, found.on_inconclusive, found.min_completion) == ("skip", "fail", 0.5)
    assert found.waiver("a.b") is not None
    assert policy(config(tmp_path, text).gate, date(2026, 2, 4)).waiver("a.b") is None
    assert found.waiver("c.d") is None


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("gate: {thresholds: {a.b: {min: 0.5}}}", True),
        ("# a comment\ngate:\n  thresholds:\n    a.b: {min: 0.5}\nproject: x", True),
        ("gate: {thresholds: {a.b: {min: 0.6}}}", False),
        ("gate: {thresholds: {a.b: {min: 0.5, role: exploratory}}}", False),
    ],
)
def test_rules_have_one_hash_however_they_are_written(
    tmp_path: Path, text: str, *, same: bool
) -> None:
    known = fixed_rules(config(tmp_path, "gate: {thresholds: {a.b: {min: 0.5}}}"))
    assert (fixed_rules(config(tmp_path, text)) == known) is same
    assert known.keys() == {"gate"}
    assert fixed_rules(config(tmp_path, "project: x")) == {}


def test_no_waiver_is_forgotten_for_having_run_out(tmp_path: Path) -> None:
    text = (
        "gate: {thresholds: {a.b: {min: 1}, c.d: {min: 1}}, waivers: ["
        "{metric: a.b, reason: old, expires: 2026-02-03}, "
        "{metric: c.d, reason: '[/x]', expires: 2026-02-04}]}"
    )
    found = waivers(config(tmp_path, text).gate, date(2026, 2, 4))
    assert [one.metric for one in found.active] == ["c.d"]
    assert [(one.metric, one.reason) for one in found.expired] == [("a.b", "old")]
