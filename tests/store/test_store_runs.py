"""What durable stores do: reopen, list, find, lock, serve many at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from store_samples import (
    DOWN,
    EXACT,
    LATE,
    RECALL,
    case_run,
    finished,
    header,
    save,
    save_at_once,
    whole,
)

from ragproof.core import (
    Cause,
    Document,
    DocumentCase,
    Failed,
    Finished,
    Json,
    Level,
    Observation,
    Parsed,
    QuestionCase,
    Readings,
    Refusal,
    RunError,
    RunState,
    Scored,
    SourceMatch,
    Status,
    StoreError,
    UsageError,
)
from ragproof.core.case import Split
from ragproof.core.header import RunSettings
from ragproof.store.listing import CaseCounts
from ragproof.store.open import RunStore, open_store

FIGURES: dict[str, dict[str, Json]] = {RECALL: {"mean": 0.5}, EXACT: {"mean": None}}


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


def test_a_path_may_hold_what_urls_may_not(tmp_path: Path) -> None:
    where = tmp_path / "a b" / "50%20 ?x=1#é.db"
    with open_store(where) as store:
        store.begin(header())
    assert where.is_file()
    with open_store(where, create=False) as store:
        assert store.find("latest").header == header()


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


def test_that_a_judge_left_trials_open_is_known_however_the_resume_ends(store: RunStore) -> None:
    store.begin(header())
    store.finish("run-1", RunState.PARTIAL, {})
    store.begin(header(left_open=True))
    store.finish("run-1", RunState.INTERRUPTED, {})
    assert store.find("latest").header == header(left_open=True)


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


def test_a_project_without_runs_says_which_have_some(store: RunStore) -> None:
    store.begin(header("a", project="shop"))
    store.begin(header("b", project="bank"))
    with pytest.raises(UsageError, match=r"no run in project 'mine'; .*projects: bank, shop. The"):
        store.find("latest", "mine")


@pytest.mark.parametrize(
    ("split", "asked_at", "failure", "expected"),
    [
        (Split.MONITORING, 1.8e9, None, True),
        (Split.MONITORING, 1.8e9, DOWN, True),  # an outage is traffic, too
        (Split.MONITORING, None, None, False),
        (Split.RELEASE, 1.8e9, None, False),
        (None, 1.8e9, None, False),
    ],
)
def test_a_run_of_traffic_has_dated_cases_of_its_split(
    store: RunStore,
    split: Split | None,
    asked_at: float | None,
    failure: Failed | None,
    *,
    expected: bool,
) -> None:
    run = case_run("a", failure=failure)
    assert isinstance(run.case, QuestionCase)
    question = 'x "split":"monitoring"'
    seen = replace(run.observation, asked_at=asked_at)
    run = replace(run, case=replace(run.case, split=split, question=question), observation=seen)
    store.begin(header())
    save(store, "run-1", Finished("a", (), run=run))
    assert store.is_of_traffic("run-1") is expected


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


def test_many_threads_read_at_once(store: RunStore) -> None:
    store.begin(header())
    save(store, "run-1", *(finished(f"c{at}") for at in range(20)))

    async def all_at_once() -> None:
        reads = (asyncio.to_thread(store.record, "run-1") for _ in range(24))
        assert [len(record.cases) for record in await asyncio.gather(*reads)] == [20] * 24

    asyncio.run(all_at_once())


def test_a_half_read_run_holds_up_nobody(store: RunStore) -> None:
    store.begin(header())
    save(store, "run-1", finished("a"), finished("b"))
    half = store.case_runs("run-1")
    next(half)
    save(store, "run-1", finished("c"))
    assert [run.case.id for run in half] == ["b", "c"]


def test_a_cancelled_saver_harms_nobody(store: RunStore) -> None:
    store.begin(header())

    async def impatient() -> None:
        task = asyncio.create_task(store.append("run-1", [finished("a")]))
        await asyncio.sleep(0)
        task.cancel()
        await store.append("run-1", [finished("b")])

    asyncio.run(impatient())
    assert ("b", 0) in store.done("run-1")
