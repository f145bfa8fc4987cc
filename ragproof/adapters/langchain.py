"""LangChain: a retriever or a vector store retrieves, any other Runnable answers."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeAlias, get_args, get_origin

from ragproof.adapters.framework import Framework, finished, has
from ragproof.adapters.langchain_input import Asking
from ragproof.adapters.langchain_output import Replies
from ragproof.adapters.langchain_watch import Watch, handler
from ragproof.adapters.passages import KEYS, Passages

Chunks: TypeAlias = list[dict[str, Any]]
History: TypeAlias = Sequence[Mapping[str, str]]


class Retriever:
    """A retriever, or a Runnable that ends in one."""

    def __init__(self, retriever: Any, settings: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Find out how it is told how much to retrieve."""
        self._retriever = retriever
        self._asking = Asking.of(retriever, settings)
        self._passages = Passages.of(settings)
        self._is_async = settings.get("use_async", False)
        self._fields = frozenset(getattr(type(retriever), "model_fields", None) or ())

    def retrieve(self, question: str, k: int) -> Chunks | Awaitable[Chunks]:
        """Ask for `k` chunks where it can be told so, else for as many as it gives."""
        retriever = self._told(k)
        call = retriever.ainvoke if self._is_async else retriever.invoke
        return finished(call(self._asking.input(question)), self._read)

    def _told(self, k: int) -> Any:  # noqa: ANN401  foreign
        """A copy that retrieves `k`; the user's retriever itself is left as it is."""
        if "search_kwargs" in self._fields:
            options = {**self._retriever.search_kwargs, "k": k}
            return self._retriever.model_copy(update={"search_kwargs": options})
        if "k" in self._fields:
            return self._retriever.model_copy(update={"k": k})
        return self._retriever

    def _read(self, documents: Sequence[Any]) -> Chunks:
        return [chunk(one, self._passages) for one in documents]


class VectorStore:
    """A vector store, which tells scores, as its retriever does not."""

    def __init__(self, store: Any, settings: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Take the store."""
        self._passages = Passages.of(settings)
        is_async = settings.get("use_async", False)
        self._search = (
            store.asimilarity_search_with_score if is_async else store.similarity_search_with_score
        )

    def retrieve(self, question: str, k: int) -> Chunks | Awaitable[Chunks]:
        """Search by similarity; the score is the store's own: similarity or distance."""
        return finished(self._search(question, k=k), self._read)

    def _read(self, found: Sequence[tuple[Any, float]]) -> Chunks:
        return [chunk(one, self._passages, score) for one, score in found]


class Chain:
    """Any other Runnable: what comes out of it is the answer."""

    def __init__(self, runnable: Any, settings: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Find out what its input looks like."""
        self._runnable = runnable
        self._asking = Asking.of(runnable, settings)
        self._replies = Replies(settings.get("output_key"))
        self._passages = Passages.of(settings)
        self._is_async = settings.get("use_async", False)
        self._is_real = _is_real(runnable)

    def answer(self, question: str, history: History) -> object:
        """Run it once, and see what its retrievers and models do meanwhile."""
        watch = handler()() if self._is_real else Watch()
        call = self._runnable.ainvoke if self._is_async else self._runnable.invoke
        options = {"config": {"callbacks": [watch]}} if self._is_real else {}
        result = call(self._asking.input(question, history), **options)
        return finished(result, lambda output: self._read(output, watch))

    def _read(self, output: object, watch: Watch) -> dict[str, Any]:
        reply = self._replies.read(output)
        documents = watch.documents if reply.documents is None else reply.documents
        trace = {**watch.trace(), **({} if reply.output is None else {"output": reply.output})}
        return {
            "answer_text": reply.text,
            "citations": reply.citations,
            "retrieved_chunks": (
                None if documents is None else [chunk(one, self._passages) for one in documents]
            ),
            "trace": trace or None,
        }


def wrapped(found: object, settings: Mapping[str, Any]) -> object | None:
    """Tell by the methods of an object what it is; None for what is not LangChain's."""
    if has(found, "similarity_search_with_score", "as_retriever"):
        return VectorStore(found, settings)
    if not has(found, "invoke", "ainvoke"):
        return None
    return Retriever(found, settings) if _retrieves(found) else Chain(found, settings)


def chunk(document: Any, passages: Passages, score: float | None = None) -> dict[str, Any]:  # noqa: ANN401
    """Read a `Document`."""
    return passages.chunk(
        document.page_content,
        document.metadata,
        own_id=getattr(document, "id", None),
        score=score,
    )


def _retrieves(runnable: object) -> bool:
    """Whether it gives documents; a sequence gives what its last step does."""
    if hasattr(runnable, "_get_relevant_documents"):
        return True
    with contextlib.suppress(Exception):  # what it gives is guessed at, by foreign code
        given = runnable.OutputType  # type: ignore[attr-defined]
        return get_origin(given) is list and "Document" in {one.__name__ for one in get_args(given)}
    return False


def _is_real(runnable: object) -> bool:
    """Whether it is a Runnable, and not something that only has its methods."""
    runnables = sys.modules.get("langchain_core.runnables")
    return runnables is not None and isinstance(runnable, runnables.Runnable)


LANGCHAIN = Framework(
    name="langchain",
    module="langchain_core",
    allowed="a retriever, a vector store or any other Runnable",
    settings={
        **KEYS,
        "input_key": str,
        "history_key": str,
        "output_key": str,
        "use_async": bool,
    },
    wrapped=wrapped,
)
