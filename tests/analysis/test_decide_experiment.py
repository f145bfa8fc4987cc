"""Experiments with traffic: arms, clusters, planned looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, column, declared, record

from ragproof.analysis.decide import Adoption, Decided, Registration, State, decide
from ragproof.analysis.decide_figures import between
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Clause, Experiment
from ragproof.analysis.requirements import Role
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit

KEY = FRACTION.id
FIXED = Registration(hash="0" * 64, baseline=True, candidate=True, changed={})
PLAN: dict[str, Any] = {
    "unit": "session",
    "estimand": "recall a session",
    "stopping_rule": "after 100 sessions an arm",
    "sample_size": 100,
}


def arm(name: str, sessions: int, mean: float, each: int = 3, seed: int = 1) -> RunRecord:
    """Sessions of a few queries, which stand or fall together."""
    draw = np.random.default_rng(seed)
    level = draw.normal(mean, 0.1, sessions).repeat(each)
    scores = np.clip(level + draw.normal(0, 0.02, sessions * each), 0, 1)
    rows = [case(f"{name}{at:05}", group=f"{name}-s{at // each}") for at in range(sessions * each)]
    return record(rows, {KEY: column(FRACTION, scores.tolist())})


def experiment(before: RunRecord, after: RunRecord, bound: float = 0.02, **plan: Any) -> Decided:
    gain = Clause(role=Role.PRIMARY, metric=KEY, bar=Bar.MIN_GAIN, bound=bound)
    rule = AdoptionRule(name="r", clauses=(gain,), experiment=Experiment(**(PLAN | plan)))
    arms = before.cases[0].id != after.cases[0].id
    return decide(rule, before, after, FIXED, arms=arms)


OLD, NEW = arm("a", 100, 0.5), arm("b", 100, 0.7, seed=2)


def test_arms_of_different_cases_are_compared_by_their_sessions() -> None:
    found = experiment(OLD, NEW)
    assert found.verdict is Adoption.ADOPT
    measured = found.findings[0].measured
    assert measured is not None
    assert measured.bounds.method == "cluster welch t"
    assert (measured.units, measured.count) == (100, 300)
    assert found.progress is not None
    assert (found.progress.arms, found.progress.look, found.progress.widened) == (
        (100, 100),
        100,
        1,
    )


def test_the_difference_of_two_arms_by_hand() -> None:
    before = record(
        [case(f"a{at}") for at in range(4)], {KEY: column(FRACTION, [0.0, 0.2, 0.4, 0.6])}
    )
    after = record(
        [case(f"b{at}") for at in range(4)], {KEY: column(FRACTION, [0.4, 0.6, 0.8, 1.0])}
    )
    change = between(before, after, KEY, "mean")
    # each arm: variance 0.2/3 over 4; six degrees of freedom
    assert change.delta == pytest.approx(0.4)
    assert change.error == pytest.approx((2 * 0.2 / 3 / 4) ** 0.5)
    assert change.bounds.ends is not None
    assert change.bounds.ends[0] == pytest.approx(0.4 - 2.446911851 * (2 * 0.2 / 3 / 4) ** 0.5)


def test_clustered_observations_are_not_taken_for_independent_ones() -> None:
    lone = [record([case(row.id) for row in one.cases], dict(one.columns)) for one in (OLD, NEW)]
    clustered, alone = between(OLD, NEW, KEY, "mean"), between(lone[0], lone[1], KEY, "mean")
    assert clustered.error is not None
    assert alone.error is not None
    assert 1.5 < clustered.error / alone.error < 1.8  # three alike: the square root of 3


def test_percentiles_of_two_arms() -> None:
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    runs = [
        record(
            [case(f"{name}{at:03}") for at in range(200)],
            {seconds.id: column(seconds, np.linspace(0.1, top, 200).tolist())},
        )
        for name, top in (("a", 1.0), ("b", 2.0))
    ]
    change = between(runs[0], runs[1], seconds.id, "p95")
    assert change.delta == pytest.approx(0.950, abs=0.01)
    assert change.bounds.ends is not None
    assert change.bounds.ends[0] < 0.95 < change.bounds.ends[1]


def test_stopping_early_is_said_and_decides_nothing() -> None:
    found = experiment(arm("a", 60, 0.5), arm("b", 60, 0.7, seed=2))
    assert found.findings[0].state is State.MET
    assert found.verdict is Adoption.INCONCLUSIVE
    assert found.holds == ("a look at 60 was not planned; planned: 100 sessions",)
    assert "stopped at 60 of 100 planned sessions an arm" in found.notes


def test_a_look_that_the_stopping_rule_names_decides_by_a_wider_interval() -> None:
    arms = arm("a", 60, 0.5), arm("b", 60, 0.7, seed=2)
    early, late = experiment(*arms, looks=(58,)), experiment(*arms, sample_size=60)
    assert (early.verdict, early.holds) == (Adoption.ADOPT, ())
    assert early.progress is not None
    assert early.progress.look == 58
    assert early.progress.widened == pytest.approx(2.2414027 / 1.959964)  # 98.75 % and 97.5 %
    widths = []
    for one in (early, late):
        measured = one.findings[0].measured
        assert measured is not None
        assert measured.bounds.ends is not None
        widths.append(measured.bounds.ends[1] - measured.bounds.ends[0])
    assert widths[0] / widths[1] == pytest.approx(early.progress.widened)


def test_what_would_settle_it_reckons_with_the_wider_interval() -> None:
    arms = arm("a", 60, 0.5), arm("b", 60, 0.7, seed=2)
    early = experiment(*arms, bound=0.2, looks=(58,)).findings[0]
    late = experiment(*arms, bound=0.2, sample_size=60).findings[0]
    assert (early.state, late.state) == (State.UNDECIDED, State.UNDECIDED)
    assert early.detectable is not None
    assert late.detectable is not None
    # two looks: (2.2414 + 0.8416) standard errors against (1.9600 + 0.8416), for 4 of 5
    ratio = (2.2414027 + 0.8416212) / (1.9599640 + 0.8416212)
    assert early.detectable / late.detectable == pytest.approx(ratio)
    assert early.cases_needed is not None
    assert late.cases_needed is not None
    assert early.cases_needed / late.cases_needed == pytest.approx(ratio**2, rel=0.01)


@pytest.mark.parametrize(("reached", "planned"), [(57, False), (58, True), (63, True), (64, False)])
def test_a_look_is_the_planned_one_for_a_tenth_more(reached: int, *, planned: bool) -> None:
    found = experiment(arm("a", reached, 0.5), arm("b", 80, 0.7, seed=2), looks=(58,))
    assert (found.holds == ()) is planned


def test_a_session_in_both_arms_was_not_assigned_to_one() -> None:
    rows = [case(f"b{at:05}", group=f"a-s{at // 3}") for at in range(300)]
    mixed = record(rows, dict(NEW.columns))
    found = experiment(OLD, mixed)
    assert found.verdict is Adoption.INCONCLUSIVE
    assert found.holds == (
        "100 sessions are in both arms; assigned by session, each belongs to one",
    )


def test_without_groups_repeated_observations_cannot_be_told() -> None:
    arms = [record([case(row.id) for row in one.cases], dict(one.columns)) for one in (OLD, NEW)]
    found = experiment(arms[0], arms[1])
    assert found.verdict is Adoption.INCONCLUSIVE
    assert "no case names its session (`group`)" in found.holds[0]
    by_query = experiment(arms[0], arms[1], unit="query")
    assert by_query.verdict is Adoption.ADOPT
    assert "each query counts as independent of all others" in by_query.notes[-1]


def test_by_query_a_session_may_be_in_both_arms_and_that_is_said() -> None:
    rows = [case(f"b{at:05}", group=f"a-s{at // 3}") for at in range(300)]
    found = experiment(OLD, record(rows, dict(NEW.columns)), unit="query", sample_size=300)
    assert found.verdict is Adoption.ADOPT
    assert found.notes == (
        "100 sessions have queries in both arms, which are taken for independent",
    )


def test_the_same_cases_in_both_runs_are_compared_in_pairs() -> None:
    again = record(OLD.cases, {KEY: column(FRACTION, (OLD.columns[KEY].values + 0.0).tolist())})
    found = experiment(OLD, again)
    measured = found.findings[0].measured
    assert measured is not None
    assert measured.units == 100
    assert found.notes == (
        "both runs are of the same cases: they are compared in pairs, not as arms",
    )


def test_a_plan_that_could_not_show_its_effect_says_so() -> None:
    # 0.05 / (0.3 * sqrt(2 / 100)) is 1.18 standard errors
    found = experiment(OLD, NEW, minimum_effect=0.05, baseline_sd=0.3)
    assert found.progress is not None
    assert found.progress.power == pytest.approx(0.2172, abs=1e-3)
    assert "566 would with 80 %" in found.notes[-1]  # 2 * (0.3 * 2.8016 / 0.05)^2
    fine = experiment(OLD, NEW, minimum_effect=0.2, baseline_sd=0.3)
    assert fine.notes == ()


def test_the_interval_of_two_arms_holds_the_truth_as_often_as_it_says() -> None:
    hits = 0
    for seed in range(300):
        before, after = arm("a", 20, 0.5, seed=2 * seed), arm("b", 20, 0.5, seed=2 * seed + 1)
        ends = between(before, after, KEY, "mean").bounds.ends
        assert ends is not None
        hits += ends[0] <= 0 <= ends[1]
    assert 0.915 <= hits / 300 <= 0.98


def test_an_arm_of_which_nothing_was_scored_is_missing_evidence() -> None:
    nothing = [Skipped("no ids")] * len(NEW.cases)
    for gone in (record(NEW.cases, {}), record(NEW.cases, {KEY: column(FRACTION, nothing)})):
        found = experiment(OLD, gone)
        assert found.findings[0].state is State.MISSING
        assert found.verdict is Adoption.INCONCLUSIVE
