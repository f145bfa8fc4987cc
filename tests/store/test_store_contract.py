"""What every store does, wherever it keeps its runs."""

from __future__ import annotations

import numpy as np
from store_samples import (
    DOWN,
    EXACT,
    LATE,
    RECALL,
    STAGES,
    case_run,
    declared,
    finished,
    header,
    save,
    whole,
)

from ragproof.core import (
    CaseKind,
    Cause,
    Failed,
    Json,
    Level,
    NotApplicable,
    RunState,
    Scored,
    Status,
)
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore

AnyStore = RunStore | MemoryStore
FIGURES: dict[str, dict[str, Json]] = {
    RECALL: {"mean": 0.5, "p50": None, "skip_reasons": {}},
    EXACT: {"mean": None},
}


def test_what_was_saved_is_done(any_store: AnyStore) -> None:
    any_store.begin(header())
    assert any_store.done("run-1") == set()
    save(any_store, "run-1", finished("a"), finished("a", repeat=1), finished("b"))
    save(any_store, "run-1", whole("set", Level.SET, {"x.y": Scored(1.0)}))
    assert any_store.done("run-1") == {("a", 0), ("a", 1), ("b", 0)}


def test_case_runs_come_back_as_they_were_in_order_of_id_and_repeat(any_store: AnyStore) -> None:
    any_store.begin(header())
    given_runs = [finished("b"), finished("a", repeat=1), finished("a"), finished("B")]
    save(any_store, "run-1", *given_runs)
    back = list(any_store.case_runs("run-1"))
    assert [(run.case.id, run.repeat) for run in back] == [("B", 0), ("a", 0), ("a", 1), ("b", 0)]
    assert back[1] == case_run("a")


def test_more_case_runs_than_one_page_come_back_once_each(any_store: AnyStore) -> None:
    any_store.begin(header())
    names = [f"c{number:03}" for number in range(450)]
    save(any_store, "run-1", *(finished(name) for name in reversed(names)))
    assert [run.case.id for run in any_store.case_runs("run-1")] == names


def test_a_subject_saved_again_replaces_all_of_the_former(any_store: AnyStore) -> None:
    any_store.begin(header())
    save(any_store, "run-1", finished("a", failure=DOWN), finished("b"))
    save(any_store, "run-1", finished("a", {RECALL: Scored(1.0)}))
    record = any_store.record("run-1")
    assert [case.failure for case in record.cases] == [None, None]
    assert record.columns[RECALL].values.tolist() == [1.0, 0.5]
    assert record.columns[EXACT].status.tolist() == [Status.NOT_APPLICABLE, Status.SKIPPED]


def test_of_a_subject_twice_in_one_batch_the_last_counts(any_store: AnyStore) -> None:
    any_store.begin(header())
    save(any_store, "run-1", finished("a", {RECALL: Scored(0.0)}), finished("a"))
    assert any_store.record("run-1").columns[RECALL].values.tolist() == [0.5]


def test_a_group_may_be_named_like_a_case(any_store: AnyStore) -> None:
    metrics = {RECALL: declared(RECALL), "g.m": declared("g.m", level=Level.GROUP)}
    any_store.begin(header(metrics=metrics))
    save(any_store, "run-1", finished("a"), whole("a", Level.GROUP, {"g.m": Scored(0.1)}))
    save(any_store, "run-1", whole("a", Level.GROUP, {"g.m": Scored(0.2)}))
    columns = any_store.record("run-1").columns
    assert columns[RECALL].values.tolist() == [0.5]
    assert columns["g.m"].values.tolist() == [0.2]
    assert columns["g.m"].subjects == ("a",)


def test_a_record_has_a_row_a_case_and_a_column_a_metric(any_store: AnyStore) -> None:
    any_store.begin(header())
    save(any_store, "run-1", finished("b", failure=LATE), finished("a"))
    any_store.finish("run-1", RunState.COMPLETED, FIGURES)
    record = any_store.record("run-1")
    assert record.header == header()
    assert record.state is RunState.COMPLETED
    first, second = record.cases
    assert (first.id, first.repeat, first.kind) == ("a", 0, CaseKind.QA)
    assert (first.tags, first.group, first.failure) == ({"topic": "battery"}, "manual", None)
    assert second.failure == LATE
    recall, exact = record.columns[RECALL], record.columns[EXACT]
    assert recall.declared == declared(RECALL)
    assert recall.subjects is None
    assert recall.status.tolist() == [Status.SCORED, Status.ERROR]
    assert np.array_equal(recall.values, [0.5, np.nan], equal_nan=True)
    assert recall.weights.tolist() == [1.0, 0.0]
    assert recall.reasons == (None, "timeout: no answer in 60 seconds")
    assert recall.applies.tolist() == [True, True]
    assert exact.applies.tolist() == [True, False]
    assert exact.reasons == ("case has no expected_answer", "timeout: no answer in 60 seconds")


def test_what_befell_a_metric_befell_each_of_its_labels(any_store: AnyStore) -> None:
    one, two = f"{STAGES}[stage=a]", f"{STAGES}[stage=b]"
    any_store.begin(header(metrics={STAGES: declared(STAGES, each="stage")}))
    save(
        any_store,
        "run-1",
        finished("1", {one: Scored(1.0)}),
        finished("2", {two: Scored(2.0, weight=3.0)}),
        finished("3", {STAGES: Failed(Cause.METRIC, "broke")}),
    )
    columns = any_store.record("run-1").columns
    assert {key: column.status.tolist() for key, column in columns.items()} == {
        one: [Status.SCORED, Status.NOT_APPLICABLE, Status.ERROR],
        two: [Status.NOT_APPLICABLE, Status.SCORED, Status.ERROR],
    }
    assert columns[one].reasons == (None, "no figure of this label", "metric: broke")
    assert columns[two].weights.tolist() == [0.0, 3.0, 0.0]


def test_a_labelled_metric_that_never_gave_a_figure_has_its_own_column(any_store: AnyStore) -> None:
    any_store.begin(header(metrics={STAGES: declared(STAGES, each="stage")}))
    save(any_store, "run-1", finished("1", {STAGES: Failed(Cause.JUDGE, "mute")}))
    columns = any_store.record("run-1").columns
    assert {key: column.status.tolist() for key, column in columns.items()} == {
        STAGES: [Status.JUDGE_ERROR]
    }


def test_a_run_without_a_case_has_empty_columns(any_store: AnyStore) -> None:
    metrics = {RECALL: declared(RECALL), "s.m": declared("s.m", level=Level.SET)}
    any_store.begin(header(metrics=metrics))
    record = any_store.record("run-1")
    assert record.cases == ()
    assert {key: column.values.size for key, column in record.columns.items()} == {
        RECALL: 0,
        "s.m": 0,
    }
    assert record.columns["s.m"].subjects == ()


def test_a_subject_comes_back_with_outcomes_evidence_and_replies(any_store: AnyStore) -> None:
    any_store.begin(header())
    kept = finished("a", repeat=2)
    save(any_store, "run-1", finished("a"), kept)
    assert any_store.detail("run-1", "a", repeat=2) == kept


def test_a_group_comes_back_without_a_run(any_store: AnyStore) -> None:
    any_store.begin(header())
    kept = whole("g", Level.GROUP, {"g.m": NotApplicable("nothing", {"seen": [1, None]})})
    save(any_store, "run-1", kept)
    assert any_store.detail("run-1", "g", level=Level.GROUP) == kept


def test_the_figures_of_the_last_end_are_kept_and_no_others(any_store: AnyStore) -> None:
    any_store.begin(header())
    any_store.finish("run-1", RunState.INTERRUPTED, {"gone.metric": {"mean": 1.0}})
    any_store.begin(header())
    assert any_store.summaries("run-1") == {}
    any_store.finish("run-1", RunState.COMPLETED, FIGURES)
    assert any_store.summaries("run-1") == FIGURES


def test_all_that_was_saved_comes_back_by_level_name_and_repeat(any_store: AnyStore) -> None:
    any_store.begin(header())
    cases = [finished("a"), finished("a", repeat=1), finished("b", failure=DOWN)]
    wider = [
        whole("a", Level.GROUP, {"g.m": Scored(1.0)}),
        whole("set", Level.SET, {"s.m": NotApplicable("nothing", {"seen": 1})}),
    ]
    save(any_store, "run-1", *reversed([*cases, *wider]))
    assert list(any_store.saved("run-1")) == [*cases, *wider]
