"""LlamaIndex: a retriever retrieves, a query engine answers."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeAlias

from ragproof.adapters.framework import Framework, finished, has
from ragproof.adapters.passages import KEYS, Passages
from ragproof.adapters.plain import plain
from ragproof.core import UsageError

Chunks: TypeAlias = list[dict[str, Any]]

_NUMBERED = re.compile(r"Source (\d+):")
"""How a citing query engine begins the text of each source."""
_MARKS = re.compile(r"\[\s*\d+(?:\s*,\s*\d+)*\s*\]")
"""How its answers cite: `[1]`, `[1, 3]`."""


class Retriever:
    """A retriever; with `similarity_top_k` it is told how many nodes are wanted."""

    def __init__(self, retriever: Any, settings: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Take the retriever."""
        self._retriever = retriever
        self._passages = Passages.of(settings)
        self._is_async = settings.get("use_async", False)

    def retrieve(self, question: str, k: int) -> Chunks | Awaitable[Chunks]:
        """Retrieve; the user's retriever itself is left as it is."""
        retriever = self._retriever
        if hasattr(retriever, "similarity_top_k"):
            retriever = copy.copy(retriever)
            retriever.similarity_top_k = k
        call = retriever.aretrieve if self._is_async else retriever.retrieve
        return finished(call(question), self._read)

    def _read(self, nodes: Sequence[Any]) -> Chunks:
        return [chunk(one, self._passages) for one in nodes]


class QueryEngine:
    """A query engine; how many nodes it retrieves is its own affair."""

    def __init__(self, engine: Any, settings: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Take the engine."""
        self._engine = engine
        self._passages = Passages.of(settings)
        self._is_async = settings.get("use_async", False)

    def answer(self, question: str) -> object:
        """Query, and read a streamed response to its end."""
        if self._is_async:
            return self._awaited(question)
        started = time.perf_counter()
        response = self._engine.query(question)
        if "response_gen" not in vars(response):
            return self._read(response, str(response))
        first, parts = None, []
        for part in response.response_gen:
            first = first or time.perf_counter() - started
            parts.append(part)
        return self._read(response, "".join(parts), first)

    async def _awaited(self, question: str) -> dict[str, Any]:
        started = time.perf_counter()
        response = await self._engine.aquery(question)
        if not callable(getattr(response, "async_response_gen", None)):
            return self._read(response, str(response))
        first, parts = None, []
        async for part in response.async_response_gen():
            first = first or time.perf_counter() - started
            parts.append(part)
        return self._read(response, "".join(parts), first)

    def _read(self, response: Any, text: str, first: float | None = None) -> dict[str, Any]:  # noqa: ANN401
        chunks = [chunk(one, self._passages) for one in response.source_nodes]
        told = getattr(response, "response", text)
        trace = {
            "first_token_seconds": first,
            "output": plain(told) if hasattr(told, "model_dump") else None,
        }
        return {
            "answer_text": "" if told is None else text,
            "citations": _cited(text, chunks),
            "retrieved_chunks": chunks,
            "trace": trace if any(one is not None for one in trace.values()) else None,
        }


def wrapped(found: object, settings: Mapping[str, Any]) -> object | None:
    """Tell by the methods of an object what it is; None for what is not LlamaIndex's.

    Raises UsageError for a chat engine: it remembers what was said, so that one case would change
    the answer to the next.
    """
    if has(found, "query", "aquery"):
        return QueryEngine(found, settings)
    if has(found, "chat", "achat"):
        raise UsageError(
            f"adapter.target: a {type(found).__name__} remembers what was said, so that one case "
            "would change the answer to the next; name its query engine, or write a python "
            "adapter that makes a chat engine for each question"
        )
    return Retriever(found, settings) if has(found, "retrieve", "aretrieve") else None


def chunk(found: Any, passages: Passages) -> dict[str, Any]:  # noqa: ANN401  foreign
    """Read a `NodeWithScore`."""
    node = found.node
    return passages.chunk(
        node.get_content(),
        node.metadata or {},
        own_id=node.node_id,
        parent_id=getattr(node, "ref_doc_id", None),
        score=found.score,
        start=getattr(node, "start_char_idx", None),
    )


def _cited(text: str, chunks: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """The sources that the answer names by number, where the engine has numbered them.

    A number that no source has stays as it is: a citation of nothing.
    """
    ids = {found[1]: one["id"] for one in chunks if (found := _NUMBERED.match(str(one["text"])))}
    if not ids:
        return None
    numbers = [number for mark in _MARKS.findall(text) for number in re.findall(r"\d+", mark)]
    return [ids.get(number, number) for number in dict.fromkeys(numbers)]


LLAMAINDEX = Framework(
    name="llamaindex",
    module="llama_index",
    allowed="a query engine (index.as_query_engine()) or a retriever (index.as_retriever())",
    settings={**KEYS, "use_async": bool},
    wrapped=wrapped,
)
