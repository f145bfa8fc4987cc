"""Real pipelines in Python: sync, async, broken and hanging ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from ragproof.adapters.python import PythonAdapter
from ragproof.core import (
    AdapterError,
    Answer,
    Chunk,
    Document,
    DocumentCase,
    Observation,
    Parsed,
    QuestionCase,
    Turn,
    UsageError,
)

CASE = QuestionCase(id="q1", question="How many moons?")
DOCUMENT = DocumentCase(id="d1", document=Document(text="Mars"))
NEVER = 30.0
"""Seconds that no test waits; a bound against hanging."""


def adapter(pipeline: object, **more: Any) -> PythonAdapter:
    return PythonAdapter("mine:build", pipeline, depth=7, params={}, **more)


def observed(pipeline: object, case: QuestionCase | DocumentCase = CASE) -> Observation:
    return asyncio.run(adapter(pipeline).observe(case))


def failure(pipeline: object) -> str:
    with pytest.raises(AdapterError) as error:
        observed(pipeline)
    return str(error.value)


class Sync:
    def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        return [{"id": n, "text": question} for n in range(k)]

    def answer(self, question: str) -> str:
        return f"{question}!"


class Async:
    async def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        await asyncio.sleep(0)
        return Sync().retrieve(question, k)

    async def answer(self, question: str) -> str:
        await asyncio.sleep(0)
        return f"{question}!"


@pytest.mark.parametrize("pipeline", [Sync(), Async()])
def test_both_methods_are_called_with_the_question_and_the_depth(pipeline: object) -> None:
    seen = observed(pipeline)
    assert seen.retrieved is not None
    assert [one.id for one in seen.retrieved] == [str(n) for n in range(7)]
    assert seen.answer == Answer(answer_text="How many moons?!")
    assert seen.failure is None


def test_a_missing_method_leaves_its_part_none() -> None:
    class OnlyRetrieval:
        retrieve = Sync.retrieve

    seen = observed(OnlyRetrieval())
    assert (seen.answer, seen.parsed, seen.chunks) == (None, None, None)
    assert seen.seconds is not None
    assert observed(OnlyRetrieval(), DOCUMENT) == Observation(case_id="d1")


def test_a_document_is_parsed_and_chunked() -> None:
    class Ingestion:
        def parse(self, document: dict[str, str]) -> dict[str, object]:
            return {"text": document["text"], "title": document["id"]}

        async def chunk(self, document: dict[str, str]) -> list[dict[str, object]]:
            return [{"id": 1, "text": document["text"]}]

    seen = observed(Ingestion(), DOCUMENT)
    assert seen.parsed == Parsed(text="Mars", title="d1")
    assert seen.chunks == (Chunk(id="1", text="Mars"),)
    assert seen.seconds is not None


def test_the_latency_is_that_of_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr("time.perf_counter", lambda: clock)

    class Slow:
        def retrieve(self, question: str, k: int) -> list[object]:  # noqa: ARG002
            nonlocal clock
            clock += 100
            return []

    class SlowToAnswer(Slow):
        def answer(self, question: str) -> str:
            nonlocal clock
            clock += 3
            return question

    assert observed(SlowToAnswer()).seconds == 3
    assert observed(Slow()).seconds == 100


def test_the_latency_of_what_yields_is_until_all_is_there() -> None:
    class Lazy:
        def retrieve(self, question: str, k: int) -> Iterator[dict[str, str]]:  # noqa: ARG002
            time.sleep(0.05)
            yield {"id": question}

    class AsyncLazy:
        async def retrieve(
            self,
            question: str,
            k: int,  # noqa: ARG002
        ) -> AsyncIterator[dict[str, str]]:
            await asyncio.sleep(0.05)
            yield {"id": question}

    for pipeline in (Lazy(), AsyncLazy()):
        seen = observed(pipeline)
        assert seen.retrieved == (Chunk(id="How many moons?"),)
        assert seen.seconds is not None
        assert seen.seconds >= 0.05


def test_a_sync_method_may_return_something_to_await() -> None:
    class Mixed:
        def answer(self, question: str) -> Any:
            return Async().answer(question)

    assert observed(Mixed()).answer == Answer(answer_text="How many moons?!")


def test_history_and_caller_are_given_to_what_takes_them() -> None:
    given_to: dict[str, object] = {}

    class Knowing:
        def retrieve(self, question: str, k: int, caller: dict[str, str]) -> list[object]:  # noqa: ARG002
            given_to["retrieve"] = caller
            caller["changed"] = "by the pipeline"
            return []

        def answer(self, question: str, *, history: list[object], **rest: object) -> str:
            given_to["answer"] = (history, rest)
            return question

    case = QuestionCase(
        id="q", question="?", history=(Turn(role="user", content="hi"),), caller={"team": "a"}
    )
    observed(Knowing(), case)
    assert given_to == {
        "retrieve": {"team": "a", "changed": "by the pipeline"},
        "answer": ([{"role": "user", "content": "hi"}], {"caller": {"team": "a"}}),
    }
    assert case.caller == {"team": "a"}
    observed(Knowing())
    assert given_to == {"retrieve": {"changed": "by the pipeline"}, "answer": ([], {})}


@pytest.mark.parametrize(
    "retrieve",
    [
        lambda question, k: [question, k],
        lambda query, top_k: [query, top_k],
        lambda question, *, k: [question, k],
        lambda *, question, k: [question, k],
        lambda question, k=3, fast=True: [question, k],  # noqa: ARG005
        lambda question, history=None, k=3: [question, k],  # noqa: ARG005
        lambda *rest: list(rest),
        lambda question, **rest: [question, rest["k"]],
    ],
)
def test_the_depth_reaches_every_sensible_signature(retrieve: Callable[..., list[Any]]) -> None:
    class Odd:
        pass

    odd = Odd()
    seen: list[object] = []

    def noting(*given: object, **named: object) -> list[object]:
        seen.extend(retrieve(*given, **named))
        return []

    noting.__wrapped__ = retrieve  # type: ignore[attr-defined]  # its signature is shown
    odd.retrieve = noting  # type: ignore[attr-defined]
    observed(odd)
    assert seen == ["How many moons?", 7]


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("retrieve", lambda question: [question]),
        ("retrieve", lambda question, k, index: [question, k, index]),
        ("answer", lambda: ""),
    ],
)
def test_a_signature_that_is_not_ours_is_refused_at_once(method: str, call: object) -> None:
    class Odd:
        pass

    odd = Odd()
    setattr(odd, method, call)
    with pytest.raises(UsageError, match=f"mine:build: {method}.* cannot be called as {method}"):
        adapter(odd)


def test_an_object_without_methods_is_told_what_there_can_be() -> None:
    with pytest.raises(UsageError, match=r"none of the methods of an adapter: retrieve, answer"):
        adapter(object())


def test_a_pipeline_made_for_the_run_is_closed_and_others_are_not() -> None:
    closed: list[str] = []

    class Closes(Sync):
        def close(self) -> None:
            closed.append("sync")

    class AsyncCloses(Async):
        async def aclose(self) -> None:
            closed.append("async")
            raise OSError

    for pipeline in (Closes(), AsyncCloses(), Sync()):
        asyncio.run(adapter(pipeline, is_made=True).close())
        asyncio.run(adapter(pipeline).close())
    assert closed == ["sync", "async"]
