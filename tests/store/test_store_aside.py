"""What was observed and could not be judged is set aside, and is no case until it is scored."""

from __future__ import annotations

import asyncio

from store_samples import RECALL, case_run, header

from ragproof.core import (
    CaseRun,
    Cause,
    Failed,
    Finished,
    Level,
    Observation,
    Row,
    RunState,
    Scored,
)
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore, open_store


def put(store: RunStore | MemoryStore, *finished: Finished) -> None:
    asyncio.run(store.append("r", finished))


def scored(name: str, run: CaseRun | None = None) -> Finished:
    return Finished(name, [Row(RECALL, RECALL, Scored(1.0))], run=run or case_run(name))


def aside(name: str) -> Finished:
    return Finished(name, (), Level.ASIDE, case_run(name))


def check(store: RunStore | MemoryStore) -> None:
    store.begin(header("r"))
    put(store, scored("done"), aside("open"))
    assert store.waiting("r") == {("open", 0)}
    assert store.done("r") == {("done", 0)}
    for name in ("open", "done"):
        seen = store.observed("r", (name, 0))
        assert seen is not None
        assert seen.observation == case_run(name).observation
    assert store.observed("r", ("never", 0)) is None
    assert [run.case.id for run in store.case_runs("r")] == ["done"]
    assert [one.subject for one in store.saved("r")] == ["done"]
    record = store.record("r")
    assert [case.id for case in record.cases] == ["done"]
    put(store, scored("open"))
    assert store.waiting("r") == set()
    assert store.done("r") == {("done", 0), ("open", 0)}
    assert [case.id for case in store.record("r").cases] == ["done", "open"]


def test_a_case_set_aside_counts_nowhere_and_is_taken_up_when_it_is_scored(
    store: RunStore,
) -> None:
    check(store)


def test_the_store_that_forgets_does_the_same() -> None:
    check(MemoryStore())


def test_it_is_still_there_for_the_next_process(where: str) -> None:
    with open_store(where) as store:
        store.begin(header("r"))
        put(store, aside("open"))
        store.finish("r", RunState.OVER_BUDGET, {})
        assert store.find("r").counts.total == 0
    with open_store(where) as again:
        again.begin(header("r"))
        assert again.waiting("r") == {("open", 0)}
        put(again, scored("open"))
        assert again.waiting("r") == set()


def test_a_failed_observation_is_none_to_go_on_with(store: RunStore) -> None:
    store.begin(header("r"))
    failed = CaseRun(case_run("bad").case, Observation.failed("bad", Cause.ADAPTER, "boom"))
    put(store, scored("bad", failed))
    assert store.observed("r", ("bad", 0)) is None


def test_the_trials_that_the_judge_left_open_are_known(store: RunStore) -> None:
    store.begin(header("r"))
    mute = Row(RECALL, RECALL, Failed(Cause.JUDGE, "gone"))
    broken = Row(RECALL, RECALL, Failed(Cause.METRIC, "bug"))
    put(store, scored("fine"), Finished("mute", [mute], run=case_run("mute")))
    put(store, Finished("broken", [broken], run=case_run("broken")))
    assert store.unjudged("r") == {("mute", 0)}
    assert store.failed("r") == {("mute", 0), ("broken", 0)}
