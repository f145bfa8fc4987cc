"""The verdicts of a gate, sentence by sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, cases, column, declared, record
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.gate import Check, Gate, Verdict, apart, exceeds, weigh
from ragproof.analysis.requirements import Limit, Policy, Requirement, Role, Waiver
from ragproof.core.header import RunState
from ragproof.core.outcome import Cause, Failed, Outcome, Scored, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Pool, Unit

KEY = FRACTION.id
TODAY = date(2026, 6, 1)
BROKEN = Failed(Cause.ADAPTER, "gone")
NO_IDS = Skipped("case has no expected_source_ids")
DRAW = np.random.default_rng(21)
EASE = DRAW.beta(5, 2, 200)
NOISE = DRAW.normal(0, 0.05, 200)


def run(outcomes: Sequence[float | Outcome], **more: Any) -> RunRecord:
    rows = [
        case(f"c{at:04}", failure=one if one is BROKEN else None) for at, one in enumerate(outcomes)
    ]
    return record(more.pop("rows", rows), {KEY: column(FRACTION, outcomes)}, **more)


def asked(limit: Limit, bound: float, **more: Any) -> Requirement:
    given: dict[str, Any] = {"metric": KEY, "limit": limit, "bound": bound}
    return Requirement(**given | more)


def gate(
    now: RunRecord,
    *wanted: Requirement,
    against: RunRecord | str = "there is no baseline",
    **policy: Any,
) -> Gate:
    return weigh(now, against, wanted, Policy(**{"today": TODAY} | policy))


def one(now: RunRecord, wanted: Requirement, **more: Any) -> Check:
    (check,) = gate(now, wanted, **more).checks
    return check


def shifted(by: float) -> RunRecord:
    return run(np.clip(EASE + NOISE + by, 0, 1).tolist())


BEFORE = run(EASE.tolist())
DROP = asked(Limit.MAX_DROP, 0.02)


@pytest.mark.parametrize(
    ("limit", "bound", "verdict"),
    [
        (Limit.MIN, 0.2, Verdict.PASS),  # 0.2 is not below 0.2
        (Limit.MIN, 0.2000001, Verdict.FAIL),
        (Limit.MAX, 0.2, Verdict.PASS),
        (Limit.MAX, 0.1999999, Verdict.FAIL),
    ],
)
def test_a_figure_is_held_to_its_bound_exactly(
    limit: Limit, bound: float, verdict: Verdict
) -> None:
    # (0.1 + 0.2 + 0.3) / 3 is a hair above 0.2 in binary
    check = one(run([0.1, 0.2, 0.3]), asked(limit, bound))
    assert (check.verdict, check.blocks) == (verdict, verdict is Verdict.FAIL)


def test_a_verdict_never_says_that_a_figure_is_below_itself() -> None:
    check = one(run([0.84996]), asked(Limit.MIN, 0.85))
    assert check.detail == "mean 0.84996 is below 0.85"


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_figures_that_differ_are_written_differently(value: float, other: float) -> None:
    said = apart(value, other)
    if exceeds(value, other) or exceeds(other, value):
        assert said[0] != said[1]


def test_every_statistic_can_be_held_to_a_bound() -> None:
    now = run([number / 100 for number in range(1, 101)])
    for statistic, value in {"p50": 0.5, "p95": 0.95, "p99": 0.99, "completion": 1.0}.items():
        check = one(now, asked(Limit.MIN, value, statistic=statistic))
        assert check.verdict is Verdict.PASS
        assert check.evidence.value(check.asked) == value


def test_a_confident_drop_fails_and_says_how_large_it_is() -> None:
    check = one(shifted(-0.1), DROP, against=BEFORE)
    assert check.verdict is Verdict.FAIL
    assert "200 pairs, change -0.0" in check.detail
    assert "a drop of more than 0.02 (p " in check.detail


def test_a_drop_that_is_excluded_passes() -> None:
    check = one(shifted(0.0), DROP, against=BEFORE)
    assert check.verdict is Verdict.PASS
    assert "a drop of more than 0.02 is excluded" in check.detail


def test_a_drop_neither_shown_nor_excluded_is_inconclusive_and_says_what_it_would_take() -> None:
    now = run((EASE + np.where(np.arange(200) % 2, 0.15, -0.18))[:40].tolist())
    check = one(now, DROP, against=run(EASE[:40].tolist()))
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, False)
    assert check.detectable is not None
    assert check.detectable > 0.02
    assert check.cases_needed is not None
    assert check.cases_needed > 40


@pytest.mark.parametrize(
    ("policy", "blocks"),
    [({}, False), ({"on_inconclusive": "warn"}, False), ({"on_inconclusive": "fail"}, True)],
)
def test_what_becomes_of_an_inconclusive_change_is_configured(
    policy: dict[str, Any], *, blocks: bool
) -> None:
    found = gate(run([0.5]), DROP, against=run([0.9]), **policy)
    assert found.checks[0].verdict is Verdict.INCONCLUSIVE
    assert found.passed is not blocks


def test_too_few_scores_are_inconclusive_and_do_not_pass() -> None:
    check = one(run([1.0] * 9), asked(Limit.MIN, 0.5, min_samples=10))
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, True)
    assert check.detail == "9 scored cases, at least 10 wanted"
    assert not one(
        run([1.0] * 9), asked(Limit.MIN, 0.5, min_samples=10), on_inconclusive="warn"
    ).blocks


def test_non_inferiority_must_be_shown() -> None:
    now, before = run(EASE[:5].tolist()), run((EASE[:5] + NOISE[:5]).tolist())
    assert one(now, DROP, against=before).verdict is Verdict.INCONCLUSIVE
    strict = dataclasses.replace(DROP, non_inferiority=True)
    assert one(now, strict, against=before).verdict is Verdict.FAIL
    assert one(shifted(0.0), strict, against=BEFORE).verdict is Verdict.PASS


def test_a_change_within_the_noise_counts_as_none() -> None:
    now, before = run([0.5, 0.6, 0.4]), run([0.52, 0.6, 0.43])
    floor = asked(Limit.MAX_DROP, 0.0, noise_floor=0.05)
    assert one(now, floor, against=before).verdict is Verdict.PASS
    assert "within the noise of 0.05" in one(now, floor, against=before).detail
    tight = dataclasses.replace(floor, noise_floor=0.01)
    assert one(now, tight, against=before).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("better", "limit", "fails"),
    [
        (Better.HIGHER, Limit.MAX_DROP, [-0.1]),
        (Better.LOWER, Limit.MAX_DROP, [0.1]),
        (Better.HIGHER, Limit.MAX_RISE, [0.1]),
        (Better.LOWER, Limit.MAX_RISE, [0.1]),
        (Better.NEITHER, Limit.MAX_RISE, [0.1]),
    ],
)
def test_a_drop_is_a_change_for_the_worse_and_a_rise_is_more(
    better: Better, limit: Limit, fails: list[float]
) -> None:
    of = declared(KEY, better=better)
    before = record(cases(200), {KEY: column(of, (EASE * 0.5 + 0.2).tolist())})
    for shift in (-0.1, 0.1):
        values = (EASE * 0.5 + 0.2 + NOISE / 5 + shift).tolist()
        now = record(cases(200), {KEY: column(of, values)})
        expected = Verdict.FAIL if shift in fails else Verdict.PASS
        assert one(now, asked(limit, 0.02), against=before).verdict is expected


def test_identical_runs_pass_whatever_the_drop_allowed() -> None:
    for size in (2, 10, 80):
        check = one(run([1.0] * size), asked(Limit.MAX_DROP, 0.0), against=run([1.0] * size))
        assert check.verdict is Verdict.PASS
        assert "none changed" in check.detail


def test_one_case_settles_nothing() -> None:
    for before, after in ((1.0, 1.0), (1.0, 0.0)):
        check = one(run([after]), asked(Limit.MAX_DROP, 0.0), against=run([before]))
        assert check.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("size", "verdict"), [(5, Verdict.INCONCLUSIVE), (6, Verdict.FAIL)])
def test_the_same_drop_in_every_case_fails_once_it_cannot_be_chance(
    size: int, verdict: Verdict
) -> None:
    # all of n signs alike: p = 2 / 2^n, below 0.05 from six on
    assert one(run([0.0] * size), DROP, against=run([1.0] * size)).verdict is verdict


def test_an_interval_alone_does_not_fail_what_the_swaps_do_not_confirm() -> None:
    # t(2) = 4.30: the interval of three drops about 0.55 excludes 0, but p = 2/8
    check = one(run([0.1, 0.2, 0.3]), DROP, against=run([0.6, 0.8, 0.85]))
    assert check.evidence.change is not None
    assert check.evidence.change.bounds.ends is not None
    assert check.evidence.change.bounds.ends[1] < -0.02
    assert check.verdict is Verdict.INCONCLUSIVE


def test_p_values_are_adjusted_over_the_figures_that_can_fail_the_gate() -> None:
    key = "retrieval.mrr"
    before = [1.0] * 7 + [0.5] * 60
    after = [0.0] * 7 + [0.5] * 60
    columns = [
        {name: column(declared(name), side) for name in (KEY, key)} for side in (before, after)
    ]
    runs = [record(cases(67), one) for one in columns]
    drop = asked(Limit.MAX_DROP, 0.0)
    p = 2 / 2**7
    wanted = (drop, dataclasses.replace(drop, bound=0.01), dataclasses.replace(drop, metric=key))
    both = gate(runs[1], *wanted, against=runs[0])
    assert [check.evidence.p_adjusted for check in both.checks] == [2 * p] * 3
    other = dataclasses.replace(drop, metric=key, role=Role.EXPLORATORY)
    lone = gate(runs[1], drop, other, against=runs[0])
    assert [check.evidence.p_adjusted for check in lone.checks] == [p, p]


def test_an_exploratory_metric_never_fails_the_gate() -> None:
    low = asked(Limit.MIN, 0.9, role=Role.EXPLORATORY)
    found = gate(run([0.5]), low, asked(Limit.MIN, 0.1, role=Role.GUARDRAIL))
    assert [check.verdict for check in found.checks] == [Verdict.WARN, Verdict.PASS]
    assert found.passed
    assert not gate(run([0.5]), dataclasses.replace(low, role=Role.GUARDRAIL)).passed


@pytest.mark.parametrize(("policy", "verdict"), [("fail", Verdict.FAIL), ("skip", Verdict.SKIP)])
def test_what_becomes_of_missing_evidence_is_configured(policy: str, verdict: Verdict) -> None:
    absent = asked(Limit.MIN, 0.5, metric="retrieval.mrr")
    check = one(run([1.0]), absent, on_missing=policy)
    assert (check.verdict, check.detail) == (verdict, "the run has no such metric")
    check = one(run([NO_IDS]), asked(Limit.MIN, 0.5), on_missing=policy)
    assert check.detail == "nothing was scored: case has no expected_source_ids"
    check = one(run([0.5]), DROP, against=run([NO_IDS]), on_missing=policy)
    assert (check.verdict, check.detail) == (verdict, "no case was scored in both runs")
    nobody = asked(Limit.MIN, 0.5, slice={"intent": ("refund",)})
    check = one(run([1.0]), nobody, on_missing=policy)
    assert (check.verdict, check.detail) == (
        verdict,
        "nothing was scored: no case is of this slice",
    )


def test_an_empty_denominator_is_missing_evidence() -> None:
    ratio = declared(KEY, pool=Pool.RATIO, unit=Unit.RATIO)
    now = record(cases(2), {KEY: column(ratio, [Scored(0.0, weight=0.0)] * 2)})
    assert one(now, asked(Limit.MAX, 0.02)).verdict is Verdict.FAIL


def test_low_completion_does_not_pass_whatever_the_policy() -> None:
    now = run([1.0] * 2 + [BROKEN] * 48)
    for policy in ({}, {"on_inconclusive": "warn", "on_missing": "skip"}):
        found = gate(now, asked(Limit.MIN, 0.5), **policy)
        assert found.checks[0].verdict is Verdict.INCONCLUSIVE
        assert found.checks[0].detail == "completion 0.04 is below 0.95: 48 failed, 2 scored"
        assert not found.passed


@pytest.mark.parametrize(("failed", "verdict"), [(1, Verdict.PASS), (2, Verdict.INCONCLUSIVE)])
def test_completion_may_be_exactly_what_is_wanted(failed: int, verdict: Verdict) -> None:
    now = run([1.0] * (20 - failed) + [BROKEN] * failed)
    assert one(now, asked(Limit.MIN, 0.5)).verdict is verdict


def test_completion_itself_is_held_to_its_own_bound() -> None:
    now = run([1.0] * 8 + [BROKEN] * 2)
    assert one(now, asked(Limit.MIN, 0.7, statistic="completion")).verdict is Verdict.PASS
    fell = asked(Limit.MAX_DROP, 0.05, statistic="completion")
    many = run([1.0] * 40 + [BROKEN] * 20)
    assert one(many, fell, against=run([1.0] * 60)).verdict is Verdict.FAIL


def test_a_baseline_that_mostly_failed_shows_nothing() -> None:
    check = one(run([1.0] * 20), DROP, against=run([1.0] * 10 + [BROKEN] * 10))
    assert check.verdict is Verdict.INCONCLUSIVE
    assert "the baseline scored only 0.5" in check.detail


@pytest.mark.parametrize("state", [RunState.PARTIAL, RunState.INTERRUPTED, RunState.OVER_BUDGET])
def test_a_run_that_is_not_complete_does_not_pass(state: RunState) -> None:
    check = one(run([1.0] * 9, expected=100, state=state), asked(Limit.MIN, 0.5))
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, True)
    assert "ragproof run --resume" in check.detail


def test_a_run_without_a_single_success_does_not_pass() -> None:
    now = run([BROKEN] * 5, state=RunState.FAILED)
    check = one(now, asked(Limit.MIN, 0.5), on_missing="skip", on_inconclusive="warn")
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, True)


def test_a_relative_check_without_a_baseline_is_an_error() -> None:
    found = gate(run([1.0]), DROP, asked(Limit.MIN, 0.5))
    assert [check.verdict for check in found.checks] == [Verdict.ERROR, Verdict.PASS]
    assert found.errors[0].detail == "there is no baseline"
    assert not found.passed


def test_a_metric_that_was_declared_otherwise_is_not_compared() -> None:
    newer = dataclasses.replace(FRACTION, version=2)
    now = record(cases(9), {KEY: column(newer, [1.0] * 9)})
    check = one(now, DROP, against=run([1.0] * 9))
    assert check.verdict is Verdict.ERROR
    assert check.detail == "it cannot be compared: version: 1 -> 2"
    there = record(cases(9), {})
    assert one(run([1.0] * 9), DROP, against=there).detail.endswith("only the candidate has it")


def test_a_slice_holds_the_cases_with_any_of_the_values_of_every_tag() -> None:
    rows = [
        case(f"c{at}", tags={"intent": intent, "lang": lang})
        for at, (intent, lang) in enumerate(
            [("refund", "en"), ("order", "en"), ("refund", "de"), ("other", "en")]
        )
    ]
    now = run([0.9, 0.7, 0.1, 0.0], rows=rows)
    wanted = asked(Limit.MIN, 0.8, slice={"intent": ("refund", "order"), "lang": ("en",)})
    check = one(now, wanted)
    assert check.verdict is Verdict.PASS
    assert check.evidence.value(wanted) == pytest.approx(0.8)
    drop = dataclasses.replace(wanted, limit=Limit.MAX_DROP)
    change = one(now, drop, against=now).evidence.change
    assert change is not None
    assert change.pairs == 2


@pytest.mark.parametrize(
    ("expires", "verdict"), [(TODAY, Verdict.WARN), (date(2026, 5, 31), Verdict.FAIL)]
)
def test_a_waiver_holds_up_to_its_last_day(expires: date, verdict: Verdict) -> None:
    waiver = Waiver(KEY, "index is being rebuilt", expires)
    found = gate(run([0.1]), asked(Limit.MIN, 0.5), waivers=(waiver,))
    assert found.checks[0].verdict is verdict
    assert found.passed is (verdict is Verdict.WARN)
    assert (found.checks[0].waiver is waiver) is found.passed


def test_no_waiver_covers_a_check_that_cannot_be_made() -> None:
    waiver = Waiver(KEY, "later", date(2027, 1, 1))
    assert one(run([0.1]), DROP, waivers=(waiver,)).verdict is Verdict.ERROR


def test_percentiles_fail_on_their_interval() -> None:
    seconds = declared(KEY, unit=Unit.SECONDS, better=Better.LOWER)

    def timed(factor: float, count: int) -> RunRecord:
        values = np.random.default_rng(3).lognormal(sigma=0.3, size=count) * factor
        return record(cases(count), {KEY: column(seconds, values.tolist())})

    slower = asked(Limit.MAX_RISE, 0.1, statistic="p95")
    assert one(timed(2.0, 200), slower, against=timed(1.0, 200)).verdict is Verdict.FAIL
    assert one(timed(1.0, 200), slower, against=timed(1.0, 200)).verdict is Verdict.PASS
    few = one(timed(2.0, 60), slower, against=timed(1.0, 60))
    assert few.verdict is Verdict.INCONCLUSIVE
    assert "an interval takes 72 pairs" in few.detail


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, NO_IDS, BROKEN]), min_size=1, max_size=20),
    st.sampled_from(Limit),
    st.floats(0, 1),
)
def test_a_gate_passes_when_nothing_blocks_and_every_check_says_why(
    outcomes: list[float | Outcome], limit: Limit, bound: float
) -> None:
    found = gate(run(outcomes), asked(limit, bound), against=run(outcomes[::-1]))
    assert found.passed is not any(check.blocks for check in found.checks)
    for check in found.checks:
        assert check.detail
        assert check.blocks or check.verdict not in (Verdict.FAIL, Verdict.ERROR)
        assert not (check.blocks and check.verdict in (Verdict.PASS, Verdict.WARN, Verdict.SKIP))
