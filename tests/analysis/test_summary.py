from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, cases, column, declared, one_metric, record
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.intervals import wilson
from ragproof.analysis.summary import OTHERS, Line, nearest_rank, summarise
from ragproof.core.case import CaseKind
from ragproof.core.header import RunSettings, RunState
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome, Scored, Skipped
from ragproof.core.spec import Interval, Pool, Unit
from ragproof.core.subject import Level

BROKEN = Failed(Cause.ADAPTER, "ValueError: no index")
LATE = Failed(Cause.TIMEOUT, "no answer within 60 s")
MUTE = Failed(Cause.JUDGE, "reply is no JSON")
NO_IDS = Skipped("case has no expected_source_ids")


def line(outcomes: Sequence[float | Outcome], **changed: Any) -> Line:
    return summarise(one_metric(outcomes, **changed)).lines[0]


def test_four_hits_of_five_are_the_line_that_the_contract_shows() -> None:
    one = line([1, 1, 1, 1, 0])
    assert one.mean == pytest.approx(0.8)
    assert (one.p50, one.p95, one.p99) == (1.0, 1.0, 1.0)
    assert one.bounds.method == "wilson"
    assert one.bounds.ends == pytest.approx((0.3755, 0.9638), abs=1e-4)
    assert (one.scored, one.skipped, one.not_applicable, one.errors) == (5, 0, 0, 0)
    assert one.completion == 1.0


def test_nothing_scored_is_none_and_never_zero() -> None:
    one = line([NO_IDS, NotApplicable("answer claims nothing"), MUTE])
    assert (one.mean, one.p50, one.p95, one.p99, one.bounds.ends) == (None,) * 5
    assert one.bounds.method == "none"
    assert one.completion == 0.0  # it was to be scored once, and failed


def test_where_nothing_could_be_scored_completion_is_unknown() -> None:
    assert line([NO_IDS, NO_IDS]).completion is None


def test_a_run_without_cases_has_lines_without_figures() -> None:
    summary = summarise(one_metric([], rows=()))
    assert summary.lines[0].mean is None
    assert summary.cases.total == 0


def test_failures_are_counted_and_enter_no_mean() -> None:
    rows = [case("a"), case("b", failure=BROKEN), case("c", failure=LATE), case("d")]
    one = line([0.5, BROKEN, LATE, MUTE], rows=rows)
    assert one.mean == 0.5
    assert one.errors == 3
    assert one.completion == 0.25
    assert one.error_reasons == {"judge: reply is no JSON": 1}  # the others stand with the cases


def test_a_failed_case_that_the_metric_does_not_cover_is_an_error_but_no_gap() -> None:
    rows = [case("a"), case("b", failure=BROKEN)]
    found = record(rows, {FRACTION.id: column(FRACTION, [1.0, BROKEN], spared=[1])})
    one = summarise(found).lines[0]
    assert (one.errors, one.completion) == (1, 1.0)


def test_reasons_are_counted_with_the_most_frequent_first() -> None:
    one = line([Skipped("b"), NO_IDS, NO_IDS, Skipped("a"), NotApplicable("c")])
    assert list(one.skip_reasons.items()) == [(NO_IDS.reason, 2), ("a", 1), ("b", 1)]
    assert one.not_applicable_reasons == {"c": 1}
    assert (one.skipped, one.not_applicable) == (4, 1)


def test_error_messages_are_shortened_and_rare_ones_counted_together() -> None:
    failed = [Failed(Cause.METRIC, f"case {number}\n{'x' * 900}") for number in range(12)]
    reasons = line([*failed, failed[3]]).error_reasons
    assert len(reasons) == 11
    assert reasons[OTHERS] == 2
    assert next(iter(reasons.values())) == 2
    assert all(len(reason) <= 200 and "\n" not in reason for reason in reasons)


def test_percentiles_are_nearest_ranks() -> None:
    ordered = np.array([0.1, 0.2, 0.3, 0.4])
    # ceil(0.5 * 4) = 2, ceil(0.95 * 4) = 4; ceil(0) counts as 1
    assert nearest_rank(ordered, 0.5) == 0.2
    assert nearest_rank(ordered, 0.95) == 0.4
    assert nearest_rank(ordered, 0.0) == 0.1
    assert nearest_rank(np.arange(1.0, 101.0), 0.07) == 7  # 0.07 * 100 is 7.000000000000001


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.sampled_from([0.5, 0.95, 0.99]))
def test_at_least_the_fraction_of_scores_is_no_greater_than_the_percentile(
    values: list[float], fraction: float
) -> None:
    at = nearest_rank(np.sort(np.array(values)), fraction)
    assert at in values
    assert sum(one <= at for one in values) >= fraction * len(values) - 1e-9
    assert sum(one < at for one in values) < max(1, math.ceil(fraction * len(values)))


def test_a_ratio_is_pooled_as_sum_over_sum() -> None:
    # 1/10 and 4/4 edits: 5/14, not the mean of 0.1 and 1
    ratio = declared("ingestion.cer", pool=Pool.RATIO, unit=Unit.RATIO)
    outcomes: list[float | Outcome] = [Scored(0.1, weight=10), Scored(1.0, weight=4)]
    assert line(outcomes, of=ratio).mean == pytest.approx(5 / 14)


def test_a_ratio_over_nothing_is_none() -> None:
    ratio = declared("ingestion.cer", pool=Pool.RATIO, unit=Unit.RATIO)
    one = line([Scored(0.0, weight=0.0)], of=ratio)
    assert (one.mean, one.scored) == (None, 1)


def test_repeats_of_a_case_count_as_one_case_in_the_mean_and_each_as_a_trial() -> None:
    rows = [case("a", 0), case("a", 1), case("a", 2), case("b", 0), case("b", 1), case("b", 2)]
    # a: (1 + 1 + 0) / 3, b: 0 from the one trial that was scored
    one = line([1, 1, 0, 0, BROKEN, BROKEN], rows=rows)
    assert one.mean == pytest.approx(1 / 3)
    assert (one.scored, one.errors, one.p50) == (4, 2, 0.0)
    assert one.bounds.method == "student t"


def test_cases_of_one_group_are_one_cluster() -> None:
    grouped = [case(f"c{number}", group=f"g{number // 4}") for number in range(16)]
    scores: Sequence[float | Outcome] = [1, 1, 1, 0] + [0] * 4 + [1] * 4 + [0, 0, 0, 1]
    apart, together = line(scores), line(scores, rows=grouped)
    assert apart.mean == together.mean == 0.5
    assert (apart.bounds.method, together.bounds.method) == ("wilson", "cluster student t")
    assert apart.bounds.ends is not None
    assert together.bounds.ends is not None
    assert together.bounds.ends[0] < apart.bounds.ends[0]


def test_many_clusters_are_bootstrapped_and_lone_groups_are_no_clusters() -> None:
    scores: list[float | Outcome] = [number % 3 / 2 for number in range(120)]
    paired = [case(f"c{number:03}", group=f"g{number // 2}") for number in range(120)]
    alone = [case(f"c{number:03}", group=f"g{number}") for number in range(120)]
    assert line(scores, rows=paired).bounds.method == "cluster bootstrap"
    assert line(scores, rows=alone).bounds == line(scores).bounds


def test_figures_of_groups_are_no_cases_and_keep_out_of_the_case_clusters() -> None:
    rows = [case("a", 0, group="g"), case("a", 1, group="g"), case("b", 0, group="g")]
    group = declared("robustness.consistency", level=Level.GROUP)
    found = record(rows, {group.id: column(group, [0.4, 0.8], subjects=("a", "b"))})
    one = summarise(found).lines[0]
    assert one.mean == pytest.approx(0.6)
    assert (one.scored, one.bounds.method) == (2, "student t")


def test_an_interval_does_not_depend_on_which_metrics_stand_beside_it() -> None:
    scores = list(np.random.default_rng(3).random(80))
    key = FRACTION.id
    other = declared("retrieval.mrr")
    alone = record(cases(80), {key: column(FRACTION, scores)})
    both = record(cases(80), {other.id: column(other, scores[::-1]), key: column(FRACTION, scores)})
    kept = {one.key: one.bounds for one in summarise(both).lines}
    assert kept[key] == summarise(alone).lines[0].bounds


@pytest.mark.parametrize("repeats", [1, 2])
def test_cases_are_counted_so_that_the_counts_add_up(repeats: int) -> None:
    rows = [
        case("a"),
        case("b", failure=BROKEN),
        case("c", failure=LATE, kind=CaseKind.INJECTION),
    ]
    found = record(
        rows, {}, expected=5, settings=RunSettings(repeats=repeats), state=RunState.PARTIAL
    )
    counts = summarise(found).cases
    assert (counts.total, counts.ok, counts.errors, counts.timeouts) == (5 * repeats, 1, 1, 1)
    assert counts.missing == 5 * repeats - 3
    assert counts.kinds == {"injection": 1, "qa": 2}
    assert counts.failure_reasons == {
        "adapter: ValueError: no index": 1,
        "timeout: no answer within 60 s": 1,
    }


def test_lines_come_in_order_of_their_keys() -> None:
    keys = ["system.latency_seconds", "echo.exact_match", "retrieval.mrr"]
    found = record(cases(1), {key: column(declared(key), [1.0]) for key in keys})
    assert [one.key for one in summarise(found).lines] == sorted(keys)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, NO_IDS, MUTE, BROKEN]), max_size=70))
def test_every_trial_is_counted_once(outcomes: list[float | Outcome]) -> None:
    rows = [
        case(f"c{at:03}", failure=one if one is BROKEN else None) for at, one in enumerate(outcomes)
    ]
    one = summarise(record(rows, {FRACTION.id: column(FRACTION, outcomes)})).lines[0]
    assert one.scored + one.skipped + one.not_applicable + one.errors == len(outcomes)
    assert (one.mean is None) == (one.scored == 0)


@pytest.mark.parametrize(("value", "worth"), [(0.5, 8.5), (1.0, 3.0), (0.0, 20.0)])
def test_a_figure_of_a_set_may_tell_how_many_cases_it_is_worth(value: float, worth: float) -> None:
    of = replace(FRACTION, interval=Interval.EFFECTIVE, level=Level.SET)
    whole = replace(column(of, [Scored(value, weight=worth)]), subjects=("set",))
    (one,) = summarise(record(cases(3), {of.id: whole})).lines
    assert (one.mean, one.bounds.method) == (value, "wilson")
    assert one.bounds.ends == wilson(value, worth)
    none = replace(column(of, [Skipped("nothing is labelled")]), subjects=("set",))
    (one,) = summarise(record(cases(3), {of.id: none})).lines
    assert (one.mean, one.bounds.ends, one.bounds.method) == (None, None, "none")
