"""That no pair changed proves as much as so many pairs exclude: one rule for all that decide."""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import Any

import pytest
from hand_made import FRACTION, cases, column, declared, one_metric, record

from ragproof.analysis.comparison import compare
from ragproof.analysis.decide import Adoption, Finding, Registration, State, decide
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Clause
from ragproof.analysis.gate import Check, Verdict, weigh
from ragproof.analysis.requirements import Limit, Policy, Requirement, Role
from ragproof.analysis.sweep_points import gain_ends
from ragproof.core.header import Declared
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit

KEY = FRACTION.id
SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
FIXED = Registration(hash="0" * 64, baseline=True, candidate=True, changed={})


def run(scores: list[float], of: Declared = FRACTION) -> RunRecord:
    return one_metric(scores, of=of)


def guard(bar: Bar, bound: float, metric: str = KEY, **more: Any) -> Clause:
    return Clause(role=Role.GUARDRAIL, metric=metric, bar=bar, bound=bound, **more)


def only(before: RunRecord, after: RunRecord, clause: Clause) -> Finding:
    rule = AdoptionRule(name="r", clauses=(clause,))
    (finding,) = decide(rule, before, after, FIXED).findings
    return finding


def required(limit: Limit, bound: float, **more: Any) -> Requirement:
    return Requirement(**{"metric": KEY, "limit": limit, "bound": bound, **more})


def checked(same: RunRecord, wanted: Requirement) -> Check:
    (check,) = weigh(same, same, [wanted], Policy(today=date(2026, 1, 1))).checks
    return check


def test_that_no_pair_changed_meets_a_guardrail_only_as_far_as_so_many_exclude_it() -> None:
    # as in a gate by non-inferiority: 3.84 / (n + 3.84) is 0.28 of 10 pairs, 0.04997 of 73
    few, many = run([1.0] * 10), run([1.0] * 73)
    clause = guard(Bar.MAX_DROP, 0.05)
    short = only(few, few, clause)
    assert (short.state, short.cases_needed) == (State.UNDECIDED, 73)
    assert only(many, many, clause).state is State.MET
    assert only(many, many, guard(Bar.MAX_DROP, 0.0)).state is State.UNDECIDED
    rule = AdoptionRule(name="r", clauses=(clause,))
    assert decide(rule, few, few, FIXED).verdict is Adoption.INCONCLUSIVE


@pytest.mark.parametrize(("pairs", "state"), [(5, State.UNDECIDED), (6, State.MET)])
def test_what_has_no_greatest_value_is_unchanged_from_as_many_pairs_as_a_test_takes(
    pairs: int, state: State
) -> None:
    same = run([0.004] * pairs, SECONDS)
    assert only(same, same, guard(Bar.MAX_RISE, 0.001, SECONDS.id)).state is state


def test_an_unchanged_percentile_is_met_where_pairs_bracket_it() -> None:
    clause = guard(Bar.MAX_RISE, 0.1, SECONDS.id, statistic="p95")
    few, many = run([1.0] * 71, SECONDS), run([1.0] * 72, SECONDS)
    assert only(few, few, clause).state is State.UNDECIDED
    assert only(many, many, clause).state is State.MET


def test_in_a_gate_no_change_is_proof_only_of_what_so_many_can_exclude() -> None:
    plain = required(Limit.MAX_DROP, 0.05)
    strict = dataclasses.replace(plain, non_inferiority=True)
    few, many = run([1.0] * 10), run([1.0] * 73)  # 3.84 / (n + 3.84): 0.28 and 0.04997
    check = checked(few, plain)
    assert (check.verdict, check.detail.rpartition("0.05 ")[2]) == (Verdict.PASS, "was not seen")
    check = checked(few, strict)
    assert check.verdict is Verdict.FAIL
    assert check.detail.endswith("not excluded by so few; 73 cases without a change would")
    assert checked(many, strict).verdict is Verdict.PASS
    assert "is excluded" in checked(many, plain).detail


def test_that_an_unbounded_figure_did_not_change_takes_as_many_pairs_as_a_test() -> None:
    of = declared("system.cost_usd", unit=Unit.USD, better=Better.LOWER)
    strict = required(Limit.MAX_RISE, 0.01, metric=of.id, non_inferiority=True)
    for size, verdict in ((5, Verdict.FAIL), (6, Verdict.PASS)):
        same = record(cases(size), {of.id: column(of, [0.002] * size)})
        assert checked(same, strict).verdict is verdict


@pytest.mark.parametrize("pairs", [2, 10, 73])
def test_a_sweep_a_rule_and_a_gate_see_the_same_interval(pairs: int) -> None:
    same = run([0.5] * pairs)
    ends = gain_ends(compare(same, same).metrics[0])
    assert ends is not None
    assert ends == pytest.approx((-3.8415 / (pairs + 3.8415), 3.8415 / (pairs + 3.8415)), rel=1e-4)
    finding = only(same, same, guard(Bar.MAX_DROP, 0.1))
    assert finding.measured is not None
    assert finding.measured.bounds.ends == pytest.approx(ends)
    strict = required(Limit.MAX_DROP, 0.1, non_inferiority=True)
    assert (checked(same, strict).verdict is Verdict.PASS) == (finding.state is State.MET)
    assert (finding.state is State.MET) == (ends[1] <= 0.1)
