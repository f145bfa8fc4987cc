"""Paired changes, against hand-made values, scipy, and what must hold of any two runs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, cases, column, declared, record
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import FEW, wilson
from ragproof.analysis.joining import Join, completed, scores
from ragproof.analysis.paired import EXACT, Change, changes
from ragproof.analysis.paired_ends import score
from ragproof.analysis.percentiles import fewest, percentile_change
from ragproof.analysis.power import cases_needed, detectable
from ragproof.analysis.resampling import SWAPS
from ragproof.core.header import Declared
from ragproof.core.outcome import Cause, Failed, Outcome, Scored, Skipped
from ragproof.core.record import CaseRow, RunRecord
from ragproof.core.spec import Pool, Unit

BROKEN = Failed(Cause.ADAPTER, "gone")
NO_IDS = Skipped("case has no expected_source_ids")


def run(
    outcomes: Sequence[float | Outcome],
    rows: Sequence[CaseRow] | None = None,
    of: Declared = FRACTION,
) -> RunRecord:
    return record(rows or cases(len(outcomes)), {of.id: column(of, outcomes)})


def change(before: RunRecord, after: RunRecord, key: str = FRACTION.id) -> Change:
    join = Join.of_cases(before, after)
    pairs = join.pairs(scores(before.columns[key]), scores(after.columns[key]))
    return changes([pairs], [1.0])[0]


def changed(before: Sequence[Any], after: Sequence[Any], **more: Any) -> Change:
    return change(run(before, **more), run(after, **more))


def test_a_change_by_hand() -> None:
    # differences 0.5, 0, 0.5, -0.5, 0.5: mean 0.2, s = 0.4472, s / sqrt(5) = 0.2; t(4) = 2.776
    one = changed([0, 1, 0.5, 1, 0], [0.5, 1, 1, 0.5, 0.5])
    assert (one.baseline, one.candidate) == (0.5, 0.7)
    assert one.delta == pytest.approx(0.2)
    assert one.error == pytest.approx(0.2)
    assert one.bounds.method == "paired t"
    assert one.bounds.ends == pytest.approx((0.2 - 2.776445105 * 0.2, 0.2 + 2.776445105 * 0.2))
    assert (one.rises, one.falls, one.ties) == (3, 1, 1)
    # of the 16 ways to give four halves signs, ten are at least as far from 0 as +++-
    assert one.p_value == pytest.approx(10 / 16)
    assert one.effect_size == pytest.approx(0.2 / 0.4472135955)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=FEW - 1))
def test_few_pairs_have_the_interval_of_scipys_paired_t_test(
    pairs: list[tuple[float, float]],
) -> None:
    before, after = map(np.array, zip(*pairs, strict=True))
    if np.ptp(after - before) < 1e-6:
        return
    known = stats.ttest_rel(after, before).confidence_interval(0.95)
    ends = changed(before.tolist(), after.tolist()).bounds.ends
    assert ends == pytest.approx((max(-1, known.low), min(1, known.high)), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])),
        min_size=2,
        max_size=10,
    )
)
def test_few_pairs_have_the_p_value_of_scipys_permutation_test(
    pairs: list[tuple[float, float]],
) -> None:
    before, after = map(np.array, zip(*pairs, strict=True))
    known = stats.permutation_test(
        (after, before),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert changed(before.tolist(), after.tolist()).p_value == pytest.approx(known.pvalue)


def test_many_pairs_have_about_the_interval_of_scipys_bootstrap() -> None:
    draw = np.random.default_rng(5)
    before = draw.beta(4, 2, 400)
    after = np.clip(before + draw.normal(-0.01, 0.1, 400), 0, 1)
    known = stats.bootstrap(
        (after - before,), np.mean, method="BCa", n_resamples=9_999, rng=draw
    ).confidence_interval
    one = changed(before.tolist(), after.tolist())
    assert one.bounds.method == "paired bca"
    assert one.bounds.ends == pytest.approx((known.low, known.high), abs=0.001)


def test_rare_deep_falls_reach_farther_down_than_students_t() -> None:
    # one with 2 of them would be as likely, and have a better mean and a smaller spread at once
    one = changed([0.95] * 60, [0.05] * 4 + [0.95] * 56)
    student = stats.ttest_1samp([-0.9] * 4 + [0.0] * 56, 0).confidence_interval(0.95)
    assert one.bounds.ends is not None
    low, high = one.bounds.ends
    assert low < student.low - 0.01
    assert high == pytest.approx(student.high, abs=1e-6)


def test_yes_and_no_have_a_score_interval_whatever_their_number() -> None:
    for size in (20, 60):
        one = changed([1.0] * size, [0.0] * 2 + [1.0] * (size - 2))
        assert one.bounds.method == "paired score"
        assert one.bounds.ends == pytest.approx(score(0, 2, size))


def test_only_single_pairs_of_a_share_are_yes_and_no() -> None:
    before, after = [1.0] * 60, [0.0] * 3 + [1.0] * 57
    grouped = [case(f"c{at:03}", group=f"g{at // 2}") for at in range(60)]
    assert changed(before, after, rows=grouped).bounds.method == "cluster paired t"
    assert changed([*before, 0.5], [*after, 0.5]).bounds.method == "paired bca"
    join = Join.of_names([str(at) for at in range(60)], [str(at) for at in range(60)])
    rows, ones = np.arange(60), np.ones(60)
    counts = join.pairs((rows, np.array(before), ones), (rows, np.array(after), ones))
    assert changes([counts], [math.inf])[0].bounds.method == "paired bca"


def test_a_yes_that_became_a_no_everywhere_is_not_sure_to_do_so_again() -> None:
    # of 10 that all fell Wilson leaves 0.28 open, who might rise instead: -0.72 + 0.28
    one = changed([1.0] * 10, [0.0] * 10)
    assert one.error == 0.0
    assert one.bounds.ends is not None
    assert one.bounds.ends[0] == -1.0
    assert one.bounds.ends[1] == pytest.approx(-1 + 2 * wilson(0.0, 10)[1], abs=1e-4)


def test_many_pairs_have_about_the_p_value_of_the_t_test() -> None:
    draw = np.random.default_rng(6)
    before = draw.beta(4, 2, 300)
    for shift in (0.0, 0.005, 0.012):
        after = before + draw.normal(shift, 0.1, 300)
        known = stats.ttest_rel(after, before).pvalue
        one = changed(before.tolist(), after.tolist())
        assert one.p_value == pytest.approx(known, abs=0.02)
        assert one.p_value is not None
        assert one.p_value >= 1 / (SWAPS + 1)


def test_so_many_swaps_are_tried_and_more_are_drawn() -> None:
    all_lost = [1.0] * EXACT
    assert changed(all_lost, [0.0] * EXACT).p_value == 2 / 2**EXACT
    many = changed([*all_lost, 1.0], [0.0] * (EXACT + 1)).p_value
    assert many == pytest.approx(2 / 2 ** (EXACT + 1), abs=3e-4)


def test_more_units_than_blocks_give_the_same_answer() -> None:
    draw = np.random.default_rng(7)
    before = draw.beta(4, 2, 5_000)
    after = np.clip(before + draw.normal(-0.003, 0.1, 5_000), 0, 1)
    one = changed(before.tolist(), after.tolist())
    known = stats.ttest_rel(after, before)
    ends = known.confidence_interval(0.95)
    assert one.bounds.ends == pytest.approx((ends.low, ends.high), abs=6e-4)
    assert one.p_value == pytest.approx(known.pvalue, abs=0.02)


def test_a_run_and_itself_did_not_change_and_so_have_no_interval() -> None:
    for size in (1, 2, 60):
        one = changed([0.3] * size, [0.3] * size)
        assert (one.delta, one.p_value, one.bounds.ends) == (0.0, 1.0, None)
        assert one.is_none


def test_equal_changes_show_no_spread() -> None:
    one = changed([1.0] * 8, [0.5] * 8)
    assert (one.delta, one.error, one.bounds.method) == (-0.5, 0.0, "none")
    assert one.p_value == 2 / 2**8
    assert one.effect_size is None


def test_nothing_scored_in_both_runs_says_nothing() -> None:
    one = changed([0.5, NO_IDS], [BROKEN, 0.5])
    assert (one.delta, one.p_value, one.pairs, one.units) == (None, None, 0, 0)
    assert not one.is_none
    assert changed([], []).delta is None


def test_only_cases_that_both_runs_scored_are_compared() -> None:
    one = changed([0.2, BROKEN, 0.4, 0.9], [0.4, 1.0, 0.2, NO_IDS])
    assert one.pairs == 2
    assert (one.baseline, one.candidate) == pytest.approx((0.3, 0.3))


def test_cases_are_joined_by_id_whatever_their_order_or_number() -> None:
    before = run([0.1, 0.2, 0.3], [case("b"), case("c"), case("d")])
    after = run([0.9, 0.5, 0.3], [case("a"), case("b"), case("d")])
    one = change(before, after)
    assert (one.pairs, one.rises, one.ties) == (2, 1, 1)
    assert one.delta == pytest.approx((0.5 - 0.1 + 0.3 - 0.3) / 2)


def test_repeats_of_a_case_are_averaged_first() -> None:
    rows = [case("a", 0), case("a", 1), case("b", 0), case("b", 1)]
    before = run([0.0, 1.0, 1.0, BROKEN], rows)
    after = run([0.0, 0.0], [case("a"), case("b")])
    one = change(before, after)
    # a: 0.5 to 0, b: 1 to 0
    assert (one.pairs, one.delta, one.falls) == (2, -0.75, 2)


def test_cases_of_one_group_count_as_one_unit() -> None:
    draw = np.random.default_rng(8)
    grouped = [case(f"c{at:03}", group=f"g{at // 10}") for at in range(200)]
    shift = draw.normal(0, 0.1, 20).repeat(10)
    before = np.full(200, 0.5)
    after = np.clip(before + shift, 0, 1)
    apart = changed(before.tolist(), after.tolist())
    together = changed(before.tolist(), after.tolist(), rows=grouped)
    assert together.delta == pytest.approx(apart.delta)
    assert (together.units, together.pairs) == (20, 200)
    assert together.bounds.method == "cluster paired t"
    known = stats.ttest_1samp(shift[::10], 0)
    assert together.bounds.ends == pytest.approx(known.confidence_interval(0.95), abs=1e-9)
    assert together.p_value == pytest.approx(known.pvalue, abs=0.02)
    assert apart.p_value is not None
    assert together.p_value is not None
    assert apart.p_value < together.p_value


def test_a_ratio_is_compared_as_a_ratio() -> None:
    # 2/10 and 2/4 edits become 1/10 and 2/4: 4/14 becomes 3/14
    ratio = declared("ingestion.cer", pool=Pool.RATIO, unit=Unit.RATIO)
    before: list[Outcome] = [Scored(0.2, weight=10), Scored(0.5, weight=4)]
    after: list[Outcome] = [Scored(0.1, weight=10), Scored(0.5, weight=4)]
    one = change(run(before, of=ratio), run(after, of=ratio), ratio.id)
    assert (one.baseline, one.candidate) == pytest.approx((4 / 14, 3 / 14))
    assert (one.falls, one.ties) == (1, 1)
    assert one.p_value == 1.0


@pytest.mark.parametrize("size", [6, 9])
def test_swapping_a_ratio_swaps_numerators_and_denominators(size: int) -> None:
    ratio = declared("ingestion.cer", pool=Pool.RATIO, unit=Unit.RATIO)
    draw = np.random.default_rng(size)
    weights = draw.integers(1, 9, (2, size)).astype(float)
    values = draw.random((2, size))
    runs = [
        run([Scored(v, weight=w) for v, w in zip(*side, strict=True)], of=ratio)
        for side in zip(values, weights, strict=True)
    ]
    upper = values * weights

    def apart(swap: Sequence[int]) -> float:
        rows, places = np.array(swap), np.arange(size)
        sums = [
            (upper[side, places].sum(), weights[side, places].sum()) for side in (rows, 1 - rows)
        ]
        return float(abs(sums[1][0] / sums[1][1] - sums[0][0] / sums[0][1]))

    found = [apart(swap) for swap in itertools.product((0, 1), repeat=size)]
    expected = np.mean([one >= found[0] - 1e-12 for one in found])
    assert change(runs[0], runs[1], ratio.id).p_value == pytest.approx(expected)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=1,
        max_size=70,
    )
)
def test_seen_from_the_other_run_a_change_is_the_opposite(pairs: list[tuple[float, float]]) -> None:
    before, after = map(list, zip(*pairs, strict=True))
    there, back = changed(before, after), changed(after, before)
    assert there.delta == pytest.approx(-(back.delta or 0.0))
    assert there.p_value == pytest.approx(back.p_value)
    assert (there.rises, there.falls, there.ties) == (back.falls, back.rises, back.ties)
    assert there.rises + there.falls + there.ties == there.pairs == len(pairs)
    assert 0 < (there.p_value or 0) <= 1
    if there.bounds.ends is not None and there.delta is not None:
        low, high = there.bounds.ends
        assert low <= there.delta + 1e-12
        assert there.delta <= high + 1e-12
        assert back.bounds.ends == pytest.approx((-high, -low), abs=1e-9)


def test_a_metric_comes_out_the_same_whichever_others_are_asked_for() -> None:
    draw = np.random.default_rng(9)
    columns = {f"a.m{at}": draw.random(1_500) for at in range(4)}
    runs = [
        record(
            cases(1_500),
            {
                key: column(declared(key), (values + side * draw.normal(0, 0.1, 1_500)).tolist())
                for key, values in columns.items()
            },
        )
        for side in (0, 1)
    ]
    join = Join.of_cases(*runs)
    pairs = [join.pairs(*(scores(one.columns[key]) for one in runs)) for key in columns]
    together = changes(pairs, [1.0] * 4)
    assert together == [changes([one], [1.0])[0] for one in pairs]


def test_completion_is_compared_like_a_score() -> None:
    before, after = run([1, 1, BROKEN, NO_IDS]), run([1, BROKEN, BROKEN, NO_IDS])
    join = Join.of_cases(before, after)
    key = FRACTION.id
    pairs = join.pairs(completed(before.columns[key]), completed(after.columns[key]))
    one = changes([pairs], [1.0])[0]
    assert (one.baseline, one.candidate) == pytest.approx((2 / 3, 1 / 3))
    assert one.pairs == 3


def percentile(before: Sequence[Any], after: Sequence[Any], fraction: float) -> Change:
    runs = run(before), run(after)
    join = Join.of_cases(*runs)
    columns = [one.columns[FRACTION.id] for one in runs]
    pairs = join.pairs(*map(scores, columns))
    return percentile_change(pairs, columns[0], columns[1], fraction)


def test_percentiles_are_those_of_the_summary() -> None:
    one = percentile([4, 1, 3, 2], [5, 1, 3, 2, 9], 0.95)
    assert (one.baseline, one.candidate, one.delta) == (4, 5, 1)
    assert (one.bounds.ends, one.p_value) == (None, None)  # of four values p95 has no interval


def test_a_percentile_has_an_interval_once_there_are_values_beyond_it() -> None:
    # 1 - 0.95^n reaches 0.975 at n = 72; the median takes 6, p99 takes 368
    assert [fewest(one) for one in (0.5, 0.95, 0.99)] == [6, 72, 368]
    draw = np.random.default_rng(10)
    for size in (71, 72):
        values = draw.lognormal(size=size)
        one = percentile(values.tolist(), (values * draw.uniform(1, 2, size)).tolist(), 0.95)
        assert (one.bounds.ends is not None) == (size == 72)


@pytest.mark.parametrize("size", [400, 3_000])
def test_a_percentiles_interval_is_that_of_sorting_each_resample(size: int) -> None:
    draw = np.random.default_rng(size)
    before = draw.lognormal(size=size)
    after = before * draw.uniform(0.9, 1.3, size)
    one = percentile(before.tolist(), after.tolist(), 0.95)
    rank = math.ceil(0.95 * size) - 1
    deltas = []
    for _ in range(2_000):
        some = draw.integers(0, size, size)
        deltas.append(np.sort(after[some])[rank] - np.sort(before[some])[rank])
    assert one.delta == np.sort(after)[rank] - np.sort(before)[rank]
    known = np.percentile(deltas, (2.5, 97.5))
    assert one.bounds.ends == pytest.approx(known, abs=0.35 * (known[1] - known[0]))


def test_holm_by_hand() -> None:
    # sorted 0.01, 0.02, 0.03, 0.5 times 4, 3, 2, 1; none may be below the one before
    told = holm({"a": 0.02, "b": 0.5, "c": 0.01, "d": 0.03})
    assert told == {"c": 0.04, "a": 0.06, "d": 0.06, "b": 0.5}
    assert holm({"a": 0.7, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


@given(st.dictionaries(st.integers(), st.floats(0, 1), max_size=12))
def test_adjusted_p_values_are_between_the_p_value_and_bonferronis(ps: dict[int, float]) -> None:
    told = holm(ps)
    assert told.keys() == ps.keys()
    for key, p in ps.items():
        assert p <= told[key] <= min(1.0, len(ps) * p)
    ordered = sorted(ps, key=lambda key: ps[key])
    assert [told[key] for key in ordered] == sorted(told.values())


def test_what_could_have_been_seen_by_hand() -> None:
    # 100 pairs, half of which rose and half of which fell by 0.1: s = 0.1005, error 0.01005
    one = changed([0.5] * 100, [0.4, 0.6] * 50)
    assert one.error == pytest.approx(0.0100504, rel=1e-5)
    assert detectable(one) == pytest.approx((1.959964 + 0.841621) * 0.0100504, rel=1e-5)
    # 7.849 * 0.1005^2 / 0.05^2 = 31.7
    assert cases_needed(one, 0.05) == 32
    assert cases_needed(one, -0.05) == 32
    assert cases_needed(one, 0.0) is None
    assert cases_needed(one, 1e-6) is None
    few = changed([0.5, 0.5], [0.4, 0.6])
    assert detectable(few) == pytest.approx((12.706205 + 0.841621) * 0.1, rel=1e-5)
    assert detectable(changed([0.5], [0.4])) is None
