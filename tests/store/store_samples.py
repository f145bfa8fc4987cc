"""Runs for stores to keep."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from ragproof.core import (
    QUESTIONS,
    AdapterInfo,
    Answer,
    Better,
    CaseRun,
    Cause,
    Chunk,
    Citation,
    DatasetInfo,
    Declared,
    Event,
    EventKind,
    Failed,
    Feedback,
    Finished,
    Interval,
    Layer,
    Level,
    Observation,
    Outcome,
    Pool,
    QuestionCase,
    Reply,
    Row,
    RunHeader,
    Scored,
    Skipped,
    Store,
    Trace,
    Unit,
)

RECALL = "retrieval.recall_at_k"
EXACT = "echo.exact_match"
STAGES = "system.stage_seconds"


def declared(metric: str, *, level: Level = Level.CASE, each: str | None = None) -> Declared:
    return Declared(
        id=metric,
        params={"k": 5},
        version=1,
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        pool=Pool.MEAN,
        interval=Interval.AUTO,
        level=level,
        kinds=tuple(sorted(QUESTIONS)),
        each=each,
        layer=Layer.QUERY,
        headline=False,
    )


def header(run_id: str = "run-1", **changed: Any) -> RunHeader:
    fields: dict[str, Any] = {
        "id": run_id,
        "project": "manual",
        "started_at": "2026-01-02T03:04:05.000006+00:00",
        "dataset": DatasetInfo(name="d", path="/d.jsonl", hash="f00", total=3, cases=2),
        "adapter": AdapterInfo(type="python", target="pipe:build", params={"size": 3}),
        "metrics": {RECALL: declared(RECALL), EXACT: declared(EXACT)},
    }
    return RunHeader(**(fields | changed))


def case_run(case_id: str, *, repeat: int = 0, failure: Failed | None = None) -> CaseRun:
    case = QuestionCase(
        id=case_id,
        question="How long does it run?",
        expected_source_ids={"m-1": 2, "m-2": 0},
        expected_answer=("nine hours", "9 h"),
        tags={"topic": "battery"},
        group="manual",
        metadata={"by": None, "notes": [1, {"deep": None}]},
    )
    if failure is not None:
        return CaseRun(case, Observation(case_id=case_id, failure=failure), repeat=repeat)
    chunks = (
        Chunk(id="m-1", text="It runs nine hours.", score=0.9, metadata={"page": 3, "x": None}),
        Chunk(id="m-7"),
    )
    answer = Answer(
        answer_text="Nine hours.",
        citations=(Citation(chunk_id="m-1", claim="nine hours"), Citation(chunk_id="m-9")),
        retrieved_chunks=chunks,
        trace=Trace(rewrites=("battery life",), lanes={"bm25": chunks}, output={"hours": None}),
    )
    kinds = (EventKind.OPEN, EventKind.THUMBS_DOWN)
    events = (Event(kind=EventKind.OPEN, chunk_id="m-1"), Event(kind=kinds[1], reason="\ud800"))
    seen = Observation(
        case_id=case_id,
        retrieved=chunks,
        answer=answer,
        seconds=0.25,
        asked_at=1767323045.5,
        feedback=Feedback(exposed=kinds, events=events),
    )
    return CaseRun(case, seen, repeat=repeat)


def finished(
    case_id: str,
    outcomes: Mapping[str, Outcome] | None = None,
    *,
    repeat: int = 0,
    failure: Failed | None = None,
) -> Finished:
    """A case that was scored: half its sources found, no expected answer."""
    if failure is not None:
        rows = tuple(Row(key, key, failure, applies=key == RECALL) for key in (RECALL, EXACT))
    elif outcomes is not None:
        rows = tuple(Row(key, key.partition("[")[0], one) for key, one in outcomes.items())
    else:
        replies = (Reply('{"no": "JSON', usd=None), Reply("{}", usd=0.25, cached=True))
        rows = (
            Row(RECALL, RECALL, Scored(0.5, {"missed": ["m-2"], "hits": 1}), replies),
            Row(EXACT, EXACT, Skipped("case has no expected_answer")),
        )
    run = case_run(case_id, repeat=repeat, failure=failure)
    return Finished(case_id, rows, run=run, replies=(Reply("refused"),))


def whole(name: str, level: Level, outcomes: Mapping[str, Outcome]) -> Finished:
    rows = tuple(Row(key, key.partition("[")[0], one) for key, one in outcomes.items())
    return Finished(name, rows, level)


def save(store: Store, run_id: str, *batch: Finished) -> None:
    asyncio.run(store.append(run_id, batch))


def save_at_once(store: Store, run_id: str, each: Iterable[Finished]) -> None:
    """Many savers, one subject a call."""

    async def all_of_them() -> None:
        await asyncio.gather(*(store.append(run_id, [one]) for one in each))

    asyncio.run(all_of_them())


DOWN = Failed(Cause.ADAPTER, "ConnectionError: down")
LATE = Failed(Cause.TIMEOUT, "no answer in 60 seconds")
