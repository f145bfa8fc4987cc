"""Calls that raise, hang, or come back too late."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextvars import ContextVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters.foreign import Calls
from ragproof.adapters.python import PythonAdapter
from ragproof.core import AdapterError, QuestionCase, RunError, calling
from ragproof.text.raised import described

CASE = QuestionCase(id="q1", question="How many moons?")
NEVER = 30.0
"""Seconds that no test waits; a bound against hanging."""


def adapter(pipeline: object, max_abandoned: int = 32) -> PythonAdapter:
    return PythonAdapter("mine:build", pipeline, depth=7, params={}, max_abandoned=max_abandoned)


def failure(pipeline: object) -> str:
    with pytest.raises(AdapterError) as error:
        asyncio.run(adapter(pipeline).observe(CASE))
    return str(error.value)


async def later(text: str) -> str:
    await asyncio.sleep(0)
    return text


class Unreadable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (TimeoutError(), "TimeoutError"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (asyncio.CancelledError(), "CancelledError"),
        (RunError("mine"), "RunError: mine"),
        (Unreadable(), "Unreadable: (its message cannot be read)"),
        (ValueError("\ud800"), "ValueError: \ud800"),
        (ValueError("x" * 5_000), f"ValueError: {'x' * 2_000}..."),
    ],
)
def test_whatever_is_raised_is_this_cases_error(error: BaseException, said: str) -> None:
    class Raises:
        def answer(self, question: str) -> str:  # noqa: ARG002
            raise error

    class AsyncRaises:
        async def answer(self, question: str) -> str:  # noqa: ARG002
            raise error

    for pipeline in (Raises(), AsyncRaises()):
        message = failure(pipeline)
        assert message.startswith(said + " (test_foreign_calls.py:")


def test_stop_iteration_does_not_end_anything_else() -> None:
    class Raises:
        def answer(self, question: str) -> str:
            return next(iter([question][1:]))

    assert failure(Raises()).startswith("StopIteration (test_foreign_calls.py:")


def test_the_place_is_in_the_users_code_not_in_a_library() -> None:
    class Raises:
        def answer(self, question: str) -> str:
            return str(json.loads(question))

    line = Raises.answer.__code__.co_firstlineno + 1
    assert failure(Raises()).endswith(f"(test_foreign_calls.py:{line})")


def test_a_generator_that_fails_half_way_is_an_error() -> None:
    class Raises:
        def retrieve(self, question: str, k: int) -> Iterator[dict[str, str]]:
            yield {"id": question}
            raise LookupError(k)

    assert failure(Raises()).startswith("LookupError: 7 (")


def test_a_wrong_result_names_the_method() -> None:
    class Empty:
        def retrieve(self, question: str, k: int) -> None: ...

    said = "retrieve() returned None; it must return a list of chunks"
    assert failure(Empty()) == said


def test_a_result_that_fails_when_looked_into_is_an_error() -> None:
    class Trap:
        @property
        def answer_text(self) -> str:
            raise LookupError("gone")

    class Raises:
        def answer(self, question: str) -> object:  # noqa: ARG002
            return Trap()

    assert failure(Raises()).startswith("LookupError: gone (test_foreign_calls.py:")


def test_a_sync_method_sees_the_context_and_calls_in_first() -> None:
    colour: ContextVar[str] = ContextVar("colour")
    threads: list[threading.Thread] = []
    seen: list[object] = []

    class Looks:
        def answer(self, question: str) -> str:
            thread = threading.current_thread()
            seen.extend((colour.get(), threads == [thread], thread.daemon))
            return question

    async def main() -> None:
        colour.set("red")
        calling.set(lambda: threads.append(threading.current_thread()))
        await adapter(Looks()).observe(CASE)

    asyncio.run(main())
    assert seen == ["red", True, True]


def test_sync_calls_run_at_the_full_concurrency() -> None:
    at_once = 64
    meeting = threading.Barrier(at_once, timeout=NEVER)

    class Meets:
        def answer(self, question: str) -> str:
            meeting.wait()
            return question

    async def main() -> None:
        one = adapter(Meets())
        await asyncio.gather(*(one.observe(CASE) for _ in range(at_once)))

    asyncio.run(main())


class Hangs:
    """Holds its callers until it is told to let go."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.inside = 0

    def answer(self, question: str) -> object:
        self.inside += 1
        self.free.wait(NEVER)
        self.inside -= 1
        return later(question)  # a late coroutine that nobody awaits


async def given_up(one: PythonAdapter) -> None:
    task = asyncio.ensure_future(one.observe(CASE))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_hanging_call_is_let_be_and_counted() -> None:
    pipeline = Hangs()

    async def main() -> None:
        one = adapter(pipeline, max_abandoned=2)
        for _ in range(3):
            await given_up(one)
        with pytest.raises(RunError, match=r"^3 calls of mine:build never returned; "):
            await one.observe(CASE)
        pipeline.free.set()
        while pipeline.inside:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert (await one.observe(CASE)).answer is not None

    asyncio.run(asyncio.wait_for(main(), NEVER))
    gc.collect()  # a coroutine that nobody awaited would warn here, and warnings are errors


def test_a_held_lock_does_not_hold_the_others() -> None:
    lock = threading.Lock()

    class Locks:
        def answer(self, question: str) -> str:
            if question == "held":
                lock.acquire()
            return question

    async def main() -> None:
        one = adapter(Locks())
        lock.acquire()
        stuck = asyncio.ensure_future(one.observe(QuestionCase(id="x", question="held")))
        await asyncio.sleep(0.05)
        assert (await one.observe(CASE)).answer is not None
        stuck.cancel()

    asyncio.run(main())
    lock.release()


def test_a_call_that_returns_after_the_loop_is_closed_is_forgotten() -> None:
    pipeline = Hangs()
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(adapter(pipeline).observe(CASE), 0.05))
    pipeline.free.set()
    for thread in threading.enumerate():
        if thread.name == "call of mine:build":
            thread.join(NEVER)
    gc.collect()


def test_being_cancelled_is_not_the_pipelines_error() -> None:
    class Waits:
        async def answer(self, question: str) -> str:
            await asyncio.sleep(NEVER)
            return question

    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(adapter(Waits()).observe(CASE), 0.05))


@given(st.text(st.characters(), max_size=3_000))
def test_any_message_can_be_described(message: str) -> None:
    assert described(ValueError(message)).startswith("ValueError")


def test_a_late_result_is_given_to_whoever_wants_it_gone() -> None:
    late: list[str] = []
    free = threading.Event()

    def call() -> str:
        free.wait(NEVER)
        return "late"

    async def main() -> None:
        task = asyncio.ensure_future(Calls("x").run(call, late.append))
        await asyncio.sleep(0.01)
        task.cancel()
        free.set()
        while not late:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(main(), NEVER))
    assert late == ["late"]


HANGING = """
import asyncio, threading
from ragproof.adapters.python import PythonAdapter
from ragproof.core import QuestionCase

class Hangs:
    def answer(self, question):
        threading.Lock().acquire()
        threading.Event().wait()

async def main():
    one = PythonAdapter("mine:build", Hangs(), depth=5, params={})
    calls = [asyncio.ensure_future(one.observe(QuestionCase(id="q", question="?"))) for _ in "abc"]
    await asyncio.wait(calls, timeout=0.1)
    for call in calls:
        call.cancel()
    await one.close()

asyncio.run(main())
"""


def test_a_process_ends_although_calls_never_return() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", HANGING],
        timeout=NEVER,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "")
