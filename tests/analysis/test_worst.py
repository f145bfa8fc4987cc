from __future__ import annotations

import dataclasses

import pytest
from hand_made import case, cases, column, declared, record

from ragproof.analysis.worst import failures, ranked, worst
from ragproof.core.case import CaseKind
from ragproof.core.outcome import Cause, Failed, Outcome, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit

BROKEN = Failed(Cause.ADAPTER, "ValueError: no index")
NO_IDS = Skipped("case has no expected_source_ids")


def run(**scores: list[float | Outcome]) -> RunRecord:
    columns = {key: column(declared(f"retrieval.{key}"), found) for key, found in scores.items()}
    return record(cases(len(next(iter(scores.values())))), columns)


def names(found: RunRecord, count: int = 9) -> list[str]:
    return [one.id for one in worst(found, count)]


def test_the_lowest_average_comes_first() -> None:
    # averages 0.5, 0.1, 0.75
    assert names(run(mrr=[0.5, 0.0, 1.0], recall=[0.5, 0.2, 0.5])) == ["c0001", "c0000", "c0002"]


def test_of_equal_averages_more_zeros_come_first_and_then_the_smaller_id() -> None:
    found = run(mrr=[0.5, 1.0, 0.5], recall=[0.5, 0.0, 0.5])
    assert names(found) == ["c0001", "c0000", "c0002"]


def test_a_case_without_a_fault_is_not_among_the_worst_but_is_listed() -> None:
    found = run(mrr=[1.0, 0.5])
    assert names(found) == ["c0001"]
    assert [one.id for one in ranked(found, 9)] == ["c0001", "c0000"]


def test_a_metric_that_is_better_lower_is_turned_round() -> None:
    refusals = declared("robustness.overrefusal", better=Better.LOWER)
    found = record(cases(2), {refusals.id: column(refusals, [0.0, 1.0])})
    assert names(found) == ["c0001"]
    assert worst(found)[0].figures == {refusals.id: 1.0}


def test_what_is_no_fraction_or_has_no_better_end_does_not_rank() -> None:
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    length = declared("query.share", better=Better.NEITHER)
    hits = declared("system.cache_hit_rate")
    columns = {one.id: column(one, [0.9, 0.1]) for one in (seconds, length, hits)}
    found = record(cases(2), columns)
    assert worst(found) == ()
    assert ranked(found, 9)[0].average is None
    assert ranked(found, 9)[0].figures == {seconds.id: 0.9, length.id: 0.9, hits.id: 0.9}


def test_the_reason_names_the_three_lowest_metrics_with_the_lowest_first() -> None:
    found = run(a=[0.9], b=[0.2], c=[1.0], d=[0.0], e=[0.5])
    assert worst(found)[0].lowest == ("d", "b", "e")


def test_cases_without_any_score_come_last() -> None:
    assert [one.id for one in ranked(run(mrr=[NO_IDS, 1.0, 0.0]), 9)] == [
        "c0002",
        "c0001",
        "c0000",
    ]


def test_repeats_of_a_case_are_averaged() -> None:
    mrr = declared("retrieval.mrr")
    rows = [case("a", 0), case("a", 1), case("b", 0), case("b", 1)]
    found = record(rows, {mrr.id: column(mrr, [1.0, 0.0, 0.4, BROKEN])})
    assert [(one.id, one.figures[mrr.id]) for one in worst(found)] == [("b", 0.4), ("a", 0.5)]


def test_no_more_are_given_than_asked_for() -> None:
    found = run(mrr=[0.1, 0.2, 0.3, 0.4])
    assert names(found, 2) == ["c0000", "c0001"]


def test_a_run_without_cases_has_no_worst_one() -> None:
    assert worst(record((), {})) == ()


def test_failures_are_listed_apart() -> None:
    rows = [case("a", failure=BROKEN), case("b"), case("c", 1, failure=BROKEN)]
    found = failures(record(rows, {}), 5)
    assert [(one.id, one.repeat, one.failure.cause) for one in found] == [
        ("a", 0, Cause.ADAPTER),
        ("c", 1, Cause.ADAPTER),
    ]
    assert len(failures(record(rows, {}), 1)) == 1


def test_what_no_case_can_reach_blames_none() -> None:
    share = declared("retrieval.precision_at_k", blames=False)
    mrr = declared("retrieval.mrr")
    columns = {share.id: column(share, [0.2, 0.4]), mrr.id: column(mrr, [1.0, 0.5])}
    (only,) = worst(record(cases(2), columns))
    assert (only.id, only.lowest) == ("c0001", (mrr.id,))
    assert only.figures == {share.id: 0.4, mrr.id: 0.5}


def test_an_answer_that_declines_is_blamed_for_declining_not_for_its_words() -> None:
    rows = [case("asked"), case("hidden", kind=CaseKind.UNANSWERABLE), case("told")]
    words = declared("generation.k_precision")
    right = declared("robustness.abstention_correct")
    refused = declared("robustness.refused", better=Better.NEITHER)
    label = "robustness.refused[situation={}]"
    here, out = label.format("answerable"), label.format("out_of_scope")
    columns = {
        words.id: column(words, [0.0, 0.0, 0.9]),
        right.id: column(right, [0.0, 1.0, 1.0]),
        here: column(refused, [1.0, NO_IDS, 0.0]),
        out: column(refused, [NO_IDS, 1.0, NO_IDS]),
    }
    found = record(rows, columns)
    # refused wrongly, and answered nearly in the source's words; the right refusal has no fault
    assert [(one.id, one.lowest) for one in worst(found)] == [
        ("asked", (right.id,)),
        ("told", (words.id,)),
    ]
    assert ranked(found, 9)[2].figures[words.id] == 0.0


def test_repeats_that_decline_are_left_out_one_by_one() -> None:
    words, refused = declared("generation.k_precision"), declared("robustness.overrefusal")
    rows = [case("a", 0), case("a", 1), case("b", 0), case("b", 1)]
    columns = {
        words.id: column(words, [0.0, 1.0, 0.5, 0.5]),
        refused.id: column(dataclasses.replace(refused, better=Better.LOWER), [1.0, 0.0, 0.0, 0.0]),
    }
    found = record(rows, columns)
    # a: (1 + 0 + 1) / 3, the words of its refusal not counted; b: (0.5 + 0.5 + 1 + 1) / 4
    told = worst(found)
    assert [(one.id, one.lowest) for one in told] == [("a", (refused.id,)), ("b", (words.id,))]
    assert [one.average for one in told] == pytest.approx([2 / 3, 0.75])
