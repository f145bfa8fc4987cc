"""What a metric may ask of a pipeline beyond its observation."""

# ruff: noqa: ARG002  methods of pipelines that heed little

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Any

import numpy as np
import pytest

from ragproof.adapters.python import PythonAdapter
from ragproof.core import AdapterError, Chunk, MissingInput, Pipeline, QuestionCase

CASE = QuestionCase(id="q", question="?", caller={"tenant": "acme"})


class Able:
    """Does everything that can be asked."""

    def retrieve(self, question: str, k: int, caller: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"id": f"{caller['tenant']}-{question}-{k}"}]

    def rerank(self, question: str, chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return chunks[::-1]

    async def generate(self, question: str, context: list[dict[str, Any]]) -> dict[str, Any]:
        return {"answer_text": f"{question}: {', '.join(one['text'] for one in context)}"}

    def embed(self, texts: list[str]) -> Any:
        return np.array([[len(one), 1] for one in texts], dtype=np.float32)

    def document(self, id: str) -> str | None:  # noqa: A002  the contract's name
        return {"d": "text"}.get(id)

    def search(self, vector: list[float], k: int) -> list[Any]:
        return [7, "b"][:k]

    def add(self, document: dict[str, Any]) -> None:
        self.added = document


def calls(pipeline: object, seconds: float = 5) -> Pipeline:
    return PythonAdapter("m:p", pipeline, depth=5, params={}).further(seconds)


def told(call: Awaitable[Any]) -> Any:
    async def done() -> Any:
        return await call

    return asyncio.run(done())


def test_each_method_is_called_in_the_words_of_the_contract() -> None:
    able = Able()
    can = calls(able)
    chunks = (Chunk(id="a", text="eins"), Chunk(id="b", text="zwei", score=0.5))
    assert can.retrieve and can.rerank and can.generate and can.embed  # noqa: PT018
    assert can.document and can.search and can.add  # noqa: PT018
    assert told(can.retrieve(CASE, "why", 2)) == (Chunk(id="acme-why-2"),)
    assert told(can.rerank(CASE, "why", chunks)) == chunks[::-1]
    assert told(can.generate(CASE, "why", chunks)).answer_text == "why: eins, zwei"
    assert told(can.embed(["a", "bcd"])) == [[1.0, 1.0], [3.0, 1.0]]
    assert told(can.embed([])) == []
    assert told(can.document("d")) == "text"
    assert told(can.document("e")) is None
    assert told(can.search([1.0], 2)) == ("7", "b")
    assert told(can.add({"id": "x", "text": "y"})) is None
    assert able.added == {"id": "x", "text": "y"}


def test_what_a_pipeline_cannot_do_is_not_offered() -> None:
    class Searches:
        def retrieve(self, question: str, k: int) -> list[Any]:
            return []

    can = calls(Searches())
    assert can.retrieve is not None
    assert (can.embed, can.generate, can.document) == (None, None, None)


def test_a_factory_that_is_still_at_work_may_turn_out_not_to_have_it() -> None:
    class Searches:
        def retrieve(self, question: str, k: int) -> list[Any]:
            return []

    async def made() -> Searches:
        return Searches()

    can = calls(made())
    assert can.embed is not None
    with pytest.raises(
        MissingInput, match="neither the adapter nor a local model gives embeddings"
    ):
        told(can.embed(["x"]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([[1.0], [1.0, 2.0]], "list of vectors of one length"),
        ([[1.0], [float("nan")]], "list of vectors of one length"),
        ("ab", "list of vectors"),
        (None, "list of vectors"),
        ([[1.0]], "1 vector for 2 texts"),
    ],
)
def test_vectors_of_another_form_are_the_adapters_fault(given: Any, said: str) -> None:
    class Embeds:
        def embed(self, texts: list[str]) -> Any:
            return given

    can = calls(Embeds())
    assert can.embed is not None
    with pytest.raises(AdapterError, match=said):
        told(can.embed(["a", "b"]))


def test_a_call_that_raises_or_hangs_is_the_adapters_fault() -> None:
    class Bad:
        def embed(self, texts: list[str]) -> Any:
            raise KeyError("model")

        def document(self, id: str) -> str:  # noqa: A002
            time.sleep(0.5)
            return ""

    can = calls(Bad(), seconds=0.05)
    assert can.embed and can.document  # noqa: PT018
    with pytest.raises(AdapterError, match="KeyError"):
        told(can.embed(["a"]))
    with pytest.raises(AdapterError, match=r"document\(\) gave no result in 0.05 s"):
        told(can.document("d"))
