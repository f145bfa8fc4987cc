"""What every store does, wherever it keeps its runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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
    save_at_once,
    whole,
)

from ragproof.core import (
    CaseKind,
    Cause,
    Chunk,
    Document,
    DocumentCase,
    Failed,
    Finished,
    Json,
    Level,
    NotApplicable,
    Observation,
    Parsed,
    Readings,
    Refusal,
    Row,
    RunError,
    RunState,
    Scored,
    SourceMatch,
    Status,
    StoreError,
    UsageError,
)
from ragproof.core.header import RunSettings
from ragproof.store.listing import CaseCounts
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore, open_store

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


# What only durable stores do


def test_a_run_survives_closing(where: str) -> None:
    with open_store(where) as store:
        store.begin(header(label="first"))
        save(store, "run-1", finished("a"))
        store.finish("run-1", RunState.COMPLETED, FIGURES)
    with open_store(where, create=False) as store:
        assert store.find("first").header == header(label="first")
        assert store.summaries("run-1") == FIGURES
        assert list(store.case_runs("run-1")) == [case_run("a")]


def test_readings_documents_and_the_source_match_come_back(store: RunStore) -> None:
    store.begin(header(settings=RunSettings(source_match=SourceMatch.DOCUMENT)))
    case = DocumentCase(id="doc", document=Document(text="x"), expected_boilerplate=((0, 1),))
    seen = Observation(case_id="doc", parsed=Parsed(text="x", relations=(("a", "is", "b"),)))
    refused = replace(case_run("q"), readings=Readings(Refusal(refused=True, because="I cannot")))
    failed = replace(case_run("r"), readings=Readings(Failed(Cause.JUDGE, "mute")))
    document = replace(refused, case=case, observation=seen, readings=Readings())
    runs = [replace(run, source_match=SourceMatch.DOCUMENT) for run in (document, refused, failed)]
    save(store, "run-1", *(Finished(run.case.id, [], run=run) for run in runs))
    assert list(store.case_runs("run-1")) == runs


def test_a_reopened_run_keeps_its_header_and_goes_on(where: str) -> None:
    with open_store(where) as store:
        store.begin(header())
        save(store, "run-1", finished("a"))
        store.finish("run-1", RunState.INTERRUPTED, {})
    with open_store(where) as store:
        store.begin(header(started_at="2027-01-01T00:00:00.000000+00:00"))
        assert store.find("latest").state is RunState.RUNNING
        save(store, "run-1", finished("b", {"new.metric": Scored(1.0), RECALL: Scored(0.25)}))
        assert store.find("latest").header == header()
        assert store.record("run-1").columns[RECALL].values.tolist() == [0.5, 0.25]


def test_failed_trials_are_those_to_be_tried_again(store: RunStore) -> None:
    store.begin(header())
    save(
        store,
        "run-1",
        finished("adapter", failure=DOWN),
        finished("late", failure=LATE),
        finished("judge", {RECALL: Failed(Cause.JUDGE, "mute")}),
        finished("metric", {RECALL: Scored(1.0), EXACT: Failed(Cause.METRIC, "broke")}, repeat=3),
        finished("fine"),
    )
    assert store.failed("run-1") == {("adapter", 0), ("late", 0), ("judge", 0), ("metric", 3)}


def test_counts_are_of_trials_and_of_the_pipeline(store: RunStore) -> None:
    store.begin(header())
    failing = (finished("x", failure=DOWN), finished("y", failure=LATE))
    save(store, "run-1", *failing, finished("z"), finished("z", repeat=1))
    save(store, "run-1", finished("w", {RECALL: Failed(Cause.JUDGE, "mute")}))
    save(store, "run-1", whole("set", Level.SET, {"s.m": Scored(1.0)}))
    counts = CaseCounts(total=5, ok=3, errors=1, timeouts=1)
    assert store.counts("run-1") == counts
    assert store.runs()[0].counts == counts
    store.finish("run-1", RunState.COMPLETED, {})
    assert store.runs()[0].counts == counts


def test_runs_are_listed_newest_first(store: RunStore) -> None:
    for day in (2, 1, 3):
        at = f"2026-01-0{day}T00:00:00.000000+00:00"
        store.begin(header(f"r{day}", started_at=at, project="other" if day == 3 else "manual"))
    assert [info.header.id for info in store.runs()] == ["r3", "r2", "r1"]
    assert [info.header.id for info in store.runs("manual")] == ["r2", "r1"]
    assert store.runs("none") == []


def test_a_run_is_found_by_id_label_prefix_and_age(store: RunStore) -> None:
    for day, (run_id, label) in enumerate([("abc1", "best"), ("abc2", "best"), ("best9", None)]):
        at = f"2026-01-0{day + 1}T00:00:00.000000+00:00"
        store.begin(header(run_id, started_at=at, label=label))
    store.begin(header("else", project="other"))
    found = {
        reference: store.find(reference, "manual").header.id
        for reference in ("abc1", "best", "best9", "latest", "latest~0", "latest~2", "else")
    }
    assert found == {
        "abc1": "abc1",
        "best": "abc2",
        "best9": "best9",
        "latest": "best9",
        "latest~0": "best9",
        "latest~2": "abc1",
        "else": "else",
    }


def test_a_reference_to_no_run_or_to_several_says_what_there_is(store: RunStore) -> None:
    with pytest.raises(UsageError, match="There is no run in the store; `ragproof run` makes one"):
        store.find("latest")
    for name in ("ab1", "ab2", "c3", "d4", "e5", "f6"):
        store.begin(header(name, label="good" if name == "c3" else None))
    for reference, message in {
        "ab": "'ab' is the beginning of several run ids: ab2, ab1",
        "zz": r"no run 'zz' in the store. The newest are: f6, e5, d4, c3 \(good\), ab2 and 1 more",
        "": "no run '' in the store",
        "latest~6": "There is no run 'latest~6': the store has 6 of them",
    }.items():
        with pytest.raises(UsageError, match=message):
            store.find(reference)
    with pytest.raises(UsageError, match="no run in project 'p'"):
        store.find("latest", "p")
    for read in (store.done, store.failed, store.record, store.summaries, store.counts):
        with pytest.raises(UsageError, match="There is no run 'gone'"):
            read("gone")
    with pytest.raises(UsageError, match="There is no run 'gone'"):
        next(store.case_runs("gone"))
    with pytest.raises(UsageError, match=r"no case 'x' \(repeat 0\) in run 'c3'"):
        store.detail("c3", "x")


def test_a_run_is_written_by_one(where: str) -> None:
    with open_store(where) as one, open_store(where) as other:
        one.begin(header())
        for store in (one, other):
            with pytest.raises(RunError, match=r"process is (already )?writing the run 'run-1'"):
                store.begin(header())
        assert other.find("run-1").state is RunState.RUNNING
        other.begin(header("run-2"))
        one.finish("run-1", RunState.INTERRUPTED, {})
        other.begin(header())
        save(other, "run-1", finished("a"))
        with pytest.raises(StoreError, match="'run-1' is not open for writing"):
            save(one, "run-1", finished("b"))
        assert one.done("run-1") == {("a", 0)}


def test_a_run_whose_writer_is_gone_is_interrupted(where: str) -> None:
    with open_store(where) as store:
        store.begin(header())
        assert store.find("run-1").state is RunState.RUNNING
    with open_store(where) as store:
        assert store.find("run-1").state is RunState.INTERRUPTED
        assert store.record("run-1").state is RunState.INTERRUPTED
        store.begin(header())
        assert store.find("run-1").state is RunState.RUNNING


def test_many_savers_are_served_and_every_case_is_kept(store: RunStore) -> None:
    store.begin(header())
    save_at_once(store, "run-1", (finished(f"c{number}") for number in range(300)))
    assert len(store.done("run-1")) == 300


def test_savers_of_several_runs_and_threads_are_served(store: RunStore) -> None:
    async def both() -> None:
        await asyncio.gather(
            *(asyncio.to_thread(save_at_once, store, run, batch) for run, batch in work.items())
        )

    work = {run: [finished(f"{run}-{at}") for at in range(40)] for run in ("r1", "r2", "r3")}
    for run in work:
        store.begin(header(run))
    asyncio.run(both())
    assert {run: len(store.done(run)) for run in work} == dict.fromkeys(work, 40)


def test_a_reader_sees_whole_cases_while_a_writer_writes(where: str) -> None:
    with open_store(where) as writer, open_store(where, create=False) as reader:
        writer.begin(header())

        async def written() -> None:
            for at in range(60):
                await writer.append("run-1", [finished(f"c{at:02}")])
                record = reader.record("run-1")
                assert len(record.cases) == at + 1
                assert (record.columns[RECALL].status == Status.SCORED).all()

        asyncio.run(written())


def test_a_cancelled_saver_harms_nobody(store: RunStore) -> None:
    store.begin(header())

    async def impatient() -> None:
        task = asyncio.create_task(store.append("run-1", [finished("a")]))
        await asyncio.sleep(0)
        task.cancel()
        await store.append("run-1", [finished("b")])

    asyncio.run(impatient())
    assert ("b", 0) in store.done("run-1")


ODD = (
    "nul \0, lone \udc80\ud800, back\\slash \\u0041, \u2028 \x85 \ufeff \N{GRINNING FACE} 'quote\""
)


def test_text_that_no_encoding_carries_is_kept_everywhere(store: RunStore) -> None:
    store.begin(header(label=ODD, metrics={ODD: declared(ODD)}))
    run = case_run(ODD)
    odd = replace(
        run,
        case=replace(run.case, group=ODD, tags={ODD: ODD}, metadata={ODD: [ODD]}),
        observation=Observation(case_id=ODD, retrieved=(Chunk(id=ODD, text=ODD),)),
    )
    failed = replace(odd, observation=Observation.failed(ODD, Cause.ADAPTER, ODD), repeat=1)
    row = Row(ODD, ODD, NotApplicable(ODD, {ODD: ODD}))
    kept = [Finished(ODD, (row,), run=odd), Finished(ODD, (row,), run=failed)]
    save(store, "run-1", *kept)
    store.finish("run-1", RunState.COMPLETED, {ODD: {ODD: ODD}})
    assert [store.detail("run-1", ODD, repeat) for repeat in (0, 1)] == kept
    assert store.find(ODD).header.label == ODD
    assert store.done("run-1") == {(ODD, 0), (ODD, 1)}
    assert store.summaries("run-1") == {ODD: {ODD: ODD}}
    record = store.record("run-1")
    assert record.columns[ODD].reasons == (ODD, ODD)
    assert record.cases[1].failure == Failed(Cause.ADAPTER, ODD)
    assert (record.cases[0].id, record.cases[0].group) == (ODD, ODD)


def test_what_is_not_json_in_metadata_does_not_stop_a_run(store: RunStore) -> None:
    store.begin(header())
    deep: list[object] = []
    for _ in range(3000):
        deep = [deep]
    loop: dict[str, object] = {}
    loop["self"] = loop
    metadata = {
        "nan": float("nan"),
        "when": case_run,
        "set": {"b", "a"},
        "number": np.float32(0.5),
        "array": np.arange(2),
        "deep": deep,
        "loop": loop,
    }
    run = case_run("a")
    seen = Observation(case_id="a", retrieved=(Chunk(id="m", metadata=metadata),))
    save(store, "run-1", Finished("a", [], run=replace(run, observation=seen)))
    [back] = store.case_runs("run-1")
    assert back.observation.retrieved is not None
    kept = back.observation.retrieved[0].metadata
    assert (kept["nan"], kept["set"], kept["number"]) == ("nan", ["a", "b"], 0.5)
    assert kept["array"] == [0, 1]
    assert "nested too deeply to be kept" in str(kept["deep"])


def test_a_text_of_ten_megabytes_is_kept(store: RunStore) -> None:
    store.begin(header())
    run = case_run("a")
    seen = Observation(case_id="a", retrieved=(Chunk(id="m", text="\N{SNOWMAN}" * 10_000_000),))
    save(store, "run-1", Finished("a", [], run=replace(run, observation=seen)))
    [back] = store.case_runs("run-1")
    assert back.observation == seen


SURROGATES = st.characters(exclude_categories=())
TEXTS = st.text(SURROGATES, max_size=8)
OUTCOMES = st.one_of(
    st.builds(
        Scored,
        st.floats(allow_nan=False, allow_infinity=False),
        st.dictionaries(TEXTS, TEXTS, max_size=2),
        st.floats(0, 1e9),
    ),
    st.builds(NotApplicable, TEXTS),
    st.builds(Failed, st.sampled_from(Cause), TEXTS),
)


@given(st.dictionaries(TEXTS.filter(bool), OUTCOMES, max_size=4))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_outcome_comes_back_exactly(store: RunStore, outcomes: dict[str, Scored]) -> None:
    if ("run-1", 0) not in {(info.header.id, 0) for info in store.runs()}:
        store.begin(header())
    rows = tuple(Row(key, RECALL, outcome) for key, outcome in outcomes.items())
    kept = Finished("a", rows, run=case_run("a"))
    save(store, "run-1", kept)
    back = store.detail("run-1", "a")
    assert {row.key: row for row in back.rows} == {row.key: row for row in rows}
