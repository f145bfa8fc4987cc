"""Where `ragproof.evaluate` may be called: beside a loop, in threads, awaited, cancelled."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from small import CASES, MATCH, answered, answered_later

import ragproof


def test_it_is_safe_where_a_loop_runs_already() -> None:
    async def notebook() -> float | None:
        return ragproof.evaluate(CASES, answered_later, MATCH).mean(MATCH)

    assert asyncio.run(notebook()) == 0.5


def test_it_is_safe_in_any_thread_and_installs_no_signal_handler_there() -> None:
    found: list[float | None] = []
    handlers: list[object] = []

    def watched(question: str) -> dict[str, Any]:
        handlers.append(signal.getsignal(signal.SIGINT))
        return answered(question)

    def work() -> None:
        found.append(ragproof.evaluate(CASES, watched, MATCH).mean(MATCH))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0.5] * 3
    assert set(handlers) == {signal.getsignal(signal.SIGINT)}


def test_awaited_it_calls_the_pipeline_on_the_callers_own_loop() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def answer(question: str) -> dict[str, Any]:
        loops.append(asyncio.get_running_loop())
        return answered(question)

    async def main() -> None:
        turns = 0

        async def beside() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(beside())
        result = await ragproof.evaluate_async(CASES, answer, MATCH)
        other.cancel()
        assert result.mean(MATCH) == 0.5
        assert set(loops) == {asyncio.get_running_loop()}
        assert turns > 10
        assert asyncio.all_tasks() <= {asyncio.current_task(), other}

    asyncio.run(main())


def test_cancelled_it_leaves_no_task_behind_and_what_is_saved_stays(nowhere: Path) -> None:
    async def answer(question: str) -> dict[str, Any]:
        if question != "question 0":
            await asyncio.Event().wait()
        return answered(question)

    async def main() -> None:
        work = asyncio.create_task(
            ragproof.evaluate_async(CASES, answer, MATCH, store=nowhere / "runs.db")
        )
        while not (nowhere / "runs.db").exists() or not _saved(nowhere / "runs.db"):
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    left = ragproof.open_run(store=nowhere / "runs.db")
    assert (left.status, len(left.cases)) == ("interrupted", 1)


def _saved(path: Path) -> int:
    try:
        return len(ragproof.open_run(store=path).cases)
    except ragproof.RagproofError:
        return 0


def test_a_call_that_never_returns_is_a_timeout_of_its_case() -> None:
    never = threading.Event()

    def answer(question: str) -> dict[str, Any]:
        if question == "question 1":
            never.wait()
        return answered(question)

    started = time.monotonic()
    result = ragproof.evaluate(CASES, answer, MATCH, timeout_seconds=4)
    assert time.monotonic() - started < 60
    never.set()
    assert [(one.id, one.failure.cause) for one in result.failures] == [("q1", "timeout")]
    assert result.summary[MATCH]["errors"] == 1
    assert result.cases[1].failure is not None
    assert result.cases[1].scores == {}
