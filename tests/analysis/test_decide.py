"""Whether a candidate is adopted, clause by clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, cases, column, declared, record
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.analysis.decide import Adoption, Decided, Finding, Registration, State, decide
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Basis, Clause, nonsense
from ragproof.analysis.prediction_powered import HumanScore
from ragproof.analysis.requirements import Role
from ragproof.core.header import Declared, RunState
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome, Scored, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Pool, Unit

KEY = FRACTION.id
SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
EXCLUDED = declared("filter.false_exclusion_rate", better=Better.LOWER)
UPLIFT = declared("reranking.ndcg_gain", unit=Unit.DIFFERENCE)
FIXED = Registration(hash="0" * 64, baseline=True, candidate=True, changed={})
DRAW = np.random.default_rng(3)
EASE = DRAW.beta(5, 2, 200)
NOISE = DRAW.normal(0, 0.05, 200)
DOWN = Failed(Cause.ADAPTER, "gone")


def run(outcomes: Sequence[float | Outcome], of: Declared = FRACTION, **more: Any) -> RunRecord:
    rows = more.pop("rows", cases(len(outcomes)))
    return record(rows, {of.id: column(of, outcomes)}, **more)


def shifted(by: float, of: Declared = FRACTION) -> RunRecord:
    return run(np.clip(EASE + NOISE + by, 0, 1).tolist(), of)


def gain(bound: float, metric: str = KEY, **more: Any) -> Clause:
    return Clause(role=Role.PRIMARY, metric=metric, bar=Bar.MIN_GAIN, bound=bound, **more)


def guard(bar: Bar, bound: float, metric: str = KEY, **more: Any) -> Clause:
    return Clause(role=Role.GUARDRAIL, metric=metric, bar=bar, bound=bound, **more)


def decided(before: RunRecord, after: RunRecord, *clauses: Clause, **more: Any) -> Decided:
    given_ = {name: more.pop(name) for name in ("min_samples", "experiment") if name in more}
    rule = AdoptionRule(name="r", clauses=clauses, **given_)
    return decide(rule, before, after, FIXED, more.pop("labels", ()), **more)


def only(before: RunRecord, after: RunRecord, clause: Clause, **more: Any) -> Finding:
    (finding,) = decided(before, after, clause, **more).findings
    return finding


BEFORE = run(EASE.tolist())


@pytest.mark.parametrize(
    ("shift", "bound", "state", "verdict"),
    [
        (0.1, 0.02, State.MET, Adoption.ADOPT),
        (0.1, 0.2, State.NOT_MET, Adoption.REJECT),
        (-0.1, 0.0, State.NOT_MET, Adoption.REJECT),
        (0.022, 0.02, State.UNDECIDED, Adoption.INCONCLUSIVE),
    ],
)
def test_a_gain_is_held_by_the_lower_end_of_its_interval(
    shift: float, bound: float, state: State, verdict: Adoption
) -> None:
    found = decided(BEFORE, shifted(shift), gain(bound))
    assert (found.findings[0].state, found.verdict) == (state, verdict)


def test_a_lower_figure_is_a_gain_where_lower_is_better() -> None:
    slow, fast = run([2.0, 2.2, 1.9, 2.4, 2.1], SECONDS), run([1.0, 1.1, 0.9, 1.3, 1.0], SECONDS)
    finding = only(slow, fast, gain(0.5, SECONDS.id))
    assert finding.state is State.MET
    assert finding.measured is not None
    assert finding.measured.value == pytest.approx(1.06)
    assert (finding.measured.baseline, finding.measured.candidate) == pytest.approx((2.12, 1.06))
    assert only(fast, slow, gain(0.0, SECONDS.id)).state is State.NOT_MET


def test_a_gain_of_nothing_is_none() -> None:
    # eight equal losses, found by the test of all swaps: the whole interval is below
    assert only(run([0.5] * 8), run([0.2] * 8), gain(0.0)).state is State.NOT_MET
    # no pair of 200 changed: 3.84 / 203.84 = 0.0188 either way is still open
    unchanged = only(BEFORE, BEFORE, gain(0.0))
    assert (unchanged.state, unchanged.cases_needed) == (State.UNDECIDED, None)
    assert unchanged.measured is not None
    assert unchanged.measured.bounds.ends == pytest.approx((-0.01885, 0.01885), abs=1e-5)
    assert unchanged.measured.bounds.method == "none changed"


def test_an_interval_that_reaches_down_to_the_bound_meets_it() -> None:
    # eight equal gains: the same in every pair is found by the test of all swaps
    before, after = run([0.2] * 8), run([0.5] * 8)
    assert only(before, after, gain(0.3)).state is State.MET
    assert only(before, after, gain(0.30001)).state is State.NOT_MET


def test_the_general_form_asks_for_every_clause() -> None:
    better, clauses = shifted(0.1), [gain(0.02), guard(Bar.MIN, 0.5)]
    assert decided(BEFORE, better, *clauses).verdict is Adoption.ADOPT
    missed = decided(BEFORE, better, *clauses, guard(Bar.MIN, 0.99))
    assert missed.verdict is Adoption.REJECT
    absent = decided(BEFORE, better, *clauses, guard(Bar.MAX, 0.02, EXCLUDED.id))
    assert absent.verdict is Adoption.INCONCLUSIVE
    assert absent.findings[2].state is State.MISSING
    assert absent.findings[2].why == f"the candidate has no {EXCLUDED.id}"


def test_what_is_not_met_weighs_more_than_what_is_missing() -> None:
    found = decided(BEFORE, shifted(0.1), gain(0.5), guard(Bar.MAX, 0.1, EXCLUDED.id))
    assert found.verdict is Adoption.REJECT


def test_an_exploratory_figure_decides_nothing() -> None:
    worse = Clause(role=Role.EXPLORATORY, metric=KEY, slice={"x": ("y",)})
    found = decided(BEFORE, shifted(0.1), gain(0.02), worse)
    assert found.verdict is Adoption.ADOPT
    assert found.findings[1].state is State.SHOWN


def wide(share: float, count: int) -> list[float]:
    return [1.0] * round(share * count) + [0.0] * (count - round(share * count))


@pytest.mark.parametrize(
    ("basis", "bound", "state"),
    [
        (Basis.POINT, 0.02, State.MET),
        (Basis.POINT, 0.019, State.NOT_MET),
        (Basis.INTERVAL, 0.02, State.UNDECIDED),  # Wilson of 2 of 100: 0.0055 to 0.070
        (Basis.INTERVAL, 0.071, State.MET),
        (Basis.INTERVAL, 0.005, State.NOT_MET),
    ],
)
def test_a_guardrail_says_whether_the_figure_or_its_interval_is_held(
    basis: Basis, bound: float, state: State
) -> None:
    after = run(wide(0.02, 100), EXCLUDED)
    clause = guard(Bar.MAX, bound, EXCLUDED.id, basis=basis)
    assert only(after, after, clause).state is state


def test_a_percentile_is_held_by_its_own_interval() -> None:
    seconds = np.linspace(0.1, 1.0, 200)
    after = run(seconds.tolist(), SECONDS)
    finding = only(after, after, guard(Bar.MAX, 1.5, SECONDS.id, statistic="p95"))
    assert finding.state is State.MET
    assert finding.measured is not None
    assert finding.measured.bounds.ends is not None
    low, high = finding.measured.bounds.ends
    assert low < 0.955 < high
    few = run(seconds[:60].tolist(), SECONDS)
    short = only(few, few, guard(Bar.MAX, 1.5, SECONDS.id, statistic="p95"))
    assert (short.state, short.why) == (
        State.UNDECIDED,
        "60 scored cases, too few or too alike for an interval of p95",
    )


def test_the_worse_way_of_a_drop_and_a_rise() -> None:
    fast, slow = run([1.0, 1.1, 0.9] * 20, SECONDS), run([1.5, 1.7, 1.3] * 20, SECONDS)
    assert only(fast, slow, guard(Bar.MAX_RISE, 0.3, SECONDS.id)).state is State.NOT_MET
    assert only(fast, slow, guard(Bar.MAX_RISE, 0.9, SECONDS.id)).state is State.MET
    # a drop is a change for the worse: of seconds, a rise
    assert only(fast, slow, guard(Bar.MAX_DROP, 0.3, SECONDS.id)).state is State.NOT_MET
    assert only(slow, fast, guard(Bar.MAX_DROP, 0.0, SECONDS.id)).state is State.MET


def test_a_metric_that_is_a_difference_is_a_gain_by_itself() -> None:
    # measured with and without the reranker inside the candidate; the baseline may have none
    uplift = run((0.05 + NOISE).tolist(), UPLIFT)
    finding = only(BEFORE, uplift, gain(0.02, UPLIFT.id))
    assert finding.state is State.MET
    assert finding.measured is not None
    assert not finding.measured.relative
    missing = only(BEFORE, uplift, gain(0.02, UPLIFT.id, of="change"))
    assert missing.state is State.MISSING
    assert missing.why == "it cannot be compared: only the candidate has it"


def test_completion_is_a_figure_like_others() -> None:
    before = run([1.0] * 70 + [DOWN] * 30)
    after = run([1.0] * 100)
    finding = only(before, after, gain(0.1, statistic="completion"))
    assert finding.state is State.MET
    assert finding.measured is not None
    assert finding.measured.value == pytest.approx(0.3)
    least = only(before, before, guard(Bar.MIN, 0.9, statistic="completion"))
    assert least.state is State.NOT_MET


def test_agreement_with_people_is_compared_pair_by_pair() -> None:
    people = [1.0, 0.0] * 20
    labels = [HumanScore(case_id=f"c{at:04}", metric=KEY, score=p) for at, p in enumerate(people)]
    one_order = run([p if at % 4 < 2 else 1 - p for at, p in enumerate(people)])
    both_orders = run([0.9 if p else 0.1 for p in people])
    clause = gain(0.0, of="change", estimate="agreement")
    finding = only(one_order, both_orders, clause, labels=labels)
    assert finding.state is State.MET
    assert finding.measured is not None
    assert (finding.measured.baseline, finding.measured.candidate) == (0.5, 1.0)
    assert only(both_orders, one_order, clause, labels=labels).state is State.NOT_MET
    assert only(one_order, both_orders, clause).state is State.MISSING
    half = only(one_order, both_orders, clause, labels=labels[:4])
    assert half.measured is not None
    assert half.measured.count == 4


def test_a_failure_of_the_judge_lowers_the_completion_of_agreement() -> None:
    labels = [HumanScore(case_id=f"c{at:04}", metric=KEY, score=1.0) for at in range(20)]
    clause = gain(0.0, of="change", estimate="agreement")
    after = run([1.0] * 15 + [Failed(Cause.JUDGE, "down")] * 5)
    finding = only(run([0.0] * 20), after, clause, labels=labels)
    assert finding.state is State.UNDECIDED
    assert finding.why == "the candidate scored only 0.75 of what it was to score"


def test_a_corrected_mean_is_held_by_its_interval() -> None:
    people = np.clip(EASE - 0.2 + NOISE, 0, 1)
    labels = [
        HumanScore(case_id=f"c{at:04}", metric=KEY, score=float(people[at]))
        for at in range(0, 200, 4)
    ]
    clause = guard(Bar.MIN, 0.6, estimate="prediction_powered")
    assert only(BEFORE, BEFORE, guard(Bar.MIN, 0.6)).state is State.MET
    found = only(BEFORE, BEFORE, clause, labels=labels)
    assert found.state is State.NOT_MET
    assert found.measured is not None
    assert found.measured.corrected is not None
    assert found.measured.value == found.measured.corrected.tuned.value
    assert only(BEFORE, BEFORE, clause).state is State.MISSING


def test_what_is_undecided_says_how_many_cases_would_settle_it() -> None:
    finding = only(BEFORE, shifted(0.022), gain(0.02))
    assert finding.detectable is not None
    assert finding.cases_needed is not None
    assert finding.cases_needed > 200
    clear = only(BEFORE, shifted(0.1), gain(0.02))
    assert (clear.detectable, clear.cases_needed) == (None, None)


@given(st.floats(0.01, 0.4), st.integers(2, 200))
@settings(max_examples=50)
def test_what_is_undecided_would_be_decided_by_more(bound: float, count: int) -> None:
    before, after = run(EASE[:count].tolist()), run((EASE + NOISE)[:count].clip(0, 1).tolist())
    finding = only(before, after, gain(bound))
    if finding.cases_needed is not None:
        assert finding.state is State.UNDECIDED
        assert finding.cases_needed > count


BROKEN: Mapping[str, tuple[RunRecord, RunRecord, str]] = {
    "nothing scored": (
        run([Skipped("no ids")] * 5),
        run([Skipped("no ids")] * 5),
        "no case was scored in both runs: no ids",
    ),
    "never applicable": (
        run([NotApplicable("no claim")] * 3),
        run([NotApplicable("no claim")] * 3),
        "no case was scored in both runs: no claim",
    ),
    "only the candidate": (
        record(cases(3), {}),
        run([1.0] * 3),
        "it cannot be compared: only the candidate has it",
    ),
    "only the baseline": (run([1.0] * 3), record(cases(3), {}), f"the candidate has no {KEY}"),
    "another k": (
        run([1.0] * 3, replace(FRACTION, params={"k": 10})),
        run([1.0] * 3),
        "it cannot be compared: params: k 10 -> k 5",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_without_a_figure_there_is_no_adoption(name: str) -> None:
    before, after, why = BROKEN[name]
    found = decided(before, after, gain(0.0))
    assert found.verdict is Adoption.INCONCLUSIVE
    assert (found.findings[0].state, found.findings[0].why) == (State.MISSING, why)


def test_one_case_shows_nothing_and_equal_scores_show_no_gain() -> None:
    one = only(run([0.0]), run([1.0]), gain(0.1))
    assert one.state is State.UNDECIDED
    assert one.why == "1 pair, too few or too alike for an interval"
    assert only(run([1.0] * 40), run([1.0] * 40), gain(0.1)).state is State.NOT_MET


def test_fewer_cases_than_asked_for_decide_nothing() -> None:
    finding = only(BEFORE, shifted(0.1), gain(0.02), min_samples=201)
    assert (finding.state, finding.why) == (
        State.UNDECIDED,
        "200 cases counted, at least 201 are wanted",
    )
    assert (finding.detectable, finding.cases_needed) == (None, None)  # which is no settling of it


def test_a_score_that_rose_because_failures_were_dropped_is_no_gain() -> None:
    before = run([*[1.0] * 50, *[0.0] * 50])
    after = run([*[1.0] * 50, *[0.9] * 20, *[DOWN] * 30])
    found = decided(before, after, gain(0.1), guard(Bar.MIN, 0.5))
    assert found.verdict is Adoption.INCONCLUSIVE
    told = "the candidate scored only 0.7 of what it was to score"
    assert [one.why for one in found.findings] == [told, told]


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (RunState.PARTIAL, "the candidate is partial; go on: ragproof run --resume "),
        (RunState.OVER_BUDGET, "the candidate is aborted:budget; go on: ragproof run --resume "),
        (RunState.FAILED, "no case of the candidate succeeded"),
    ],
)
def test_a_run_that_is_not_whole_decides_nothing(state: RunState, why: str) -> None:
    found = decided(BEFORE, replace(shifted(0.1), state=state), gain(0.02))
    assert found.verdict is Adoption.INCONCLUSIVE
    assert found.holds[0].startswith(why)
    other = decided(replace(BEFORE, state=state), shifted(0.1), gain(0.02))
    assert other.verdict is Adoption.INCONCLUSIVE


def test_a_slice_is_decided_by_its_own_cases() -> None:
    rows = [case(f"c{at:04}", tags={"x": "a" if at < 100 else "b"}) for at in range(200)]
    better = np.where(np.arange(200) < 100, EASE + 0.1, EASE - 0.2).clip(0, 1)
    before, after = run(EASE.tolist(), rows=rows), run(better.tolist(), rows=rows)
    assert only(before, after, gain(0.02, slice={"x": ("a",)})).state is State.MET
    assert only(before, after, gain(0.02)).state is State.NOT_MET
    gone = only(before, after, gain(0.02, slice={"x": ("nothing",)}))
    assert gone.state is State.MISSING


def test_pooled_ratios_are_compared_as_ratios() -> None:
    micro = declared(KEY, pool=Pool.RATIO)
    before = run([Scored(0.5, weight=2.0), Scored(0.0, weight=8.0)] * 10, micro)
    after = run([Scored(0.5, weight=2.0), Scored(0.5, weight=8.0)] * 10, micro)
    finding = only(before, after, gain(0.1))
    assert finding.measured is not None
    assert (finding.measured.baseline, finding.measured.candidate) == pytest.approx((0.1, 0.5))


@pytest.mark.parametrize(
    ("clause", "of", "word"),
    [
        (gain(1.5), FRACTION, "min_gain 1.5 can never be met: its gain is at most 1"),
        (gain(1.5, UPLIFT.id), UPLIFT, "can never be met: its gain is at most 1"),
        (gain(0.1), declared(KEY, better=Better.NEITHER), "neither way is better"),
        (guard(Bar.MIN, 85), FRACTION, "can never be met"),
        (guard(Bar.MAX_DROP, 2), FRACTION, "can never fail"),
    ],
)
def test_a_clause_without_sense_says_so(clause: Clause, of: Declared, word: str) -> None:
    assert word in " ".join(nonsense(clause, of))


def test_a_direction_makes_a_gain_of_a_metric_that_has_none() -> None:
    neither = declared(KEY, better=Better.NEITHER)
    clause = gain(0.02, direction=Better.LOWER)
    assert [*nonsense(clause, neither)] == []
    assert only(shifted(0.1, neither), run(EASE.tolist(), neither), clause).state is State.MET
