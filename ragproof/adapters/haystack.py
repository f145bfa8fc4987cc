"""Haystack: a pipeline with answers or replies answers, one with documents only retrieves."""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import Any

from ragproof.adapters.framework import Framework, finished, has
from ragproof.adapters.haystack_flow import Flow
from ragproof.adapters.passages import KEYS, Passages
from ragproof.core import UsageError

_ANSWERS = ("answers", "last_message", "replies")
"""Outputs that hold an answer, the most telling first."""


class _Wrapped:
    def __init__(self, flow: Flow, settings: Mapping[str, Any]) -> None:
        self._flow = flow
        self._passages = Passages.of(settings)
        self._run = _runner(flow.pipeline, is_async=settings.get("use_async", False))
        self._sources = flow.last_with("documents")

    def close(self) -> None:
        """Close what the components hold, where this version can."""
        if has(self._flow.pipeline, "close"):
            self._flow.pipeline.close()

    def _chunks(self, outputs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The documents at the end of the search, of several branches one after the other."""
        found = [outputs.get(name, {}).get("documents") for name in self._sources]
        return [chunk(one, self._passages) for documents in found for one in documents or ()]


class Search(_Wrapped):
    """A pipeline that ends in documents."""

    def retrieve(self, question: str, k: int) -> object:
        """Run it; its last component is told how many documents are wanted, if it can be."""
        data = self._flow.data(question)
        for name in self._sources:
            if "top_k" in self._flow.inputs.get(name, ()):
                data.setdefault(name, {})["top_k"] = k
        return finished(self._run(data, include_outputs_from=set(self._sources)), self._chunks)


class Answers(_Wrapped):
    """A pipeline that ends in an answer, a reply or an agent's last message."""

    def __init__(self, flow: Flow, settings: Mapping[str, Any]) -> None:
        """Find the output that is the answer."""
        super().__init__(flow, settings)
        self._socket = next(one for one in _ANSWERS if flow.last_with(one))
        self._answering = flow.last_with(self._socket)[-1]

    def answer(self, question: str, history: Sequence[Mapping[str, str]]) -> object:
        """Run it, and keep what its search gave, wherever that went."""
        started = time.perf_counter()
        kept = {*self._sources, self._answering}
        result = self._run(self._flow.data(question, history), include_outputs_from=kept)
        if inspect.isawaitable(result):
            return self._awaited(result)
        return self._read(result, time.perf_counter() - started)

    async def _awaited(self, result: Awaitable[Mapping[str, Any]]) -> dict[str, Any]:
        started = time.perf_counter()
        return self._read(await result, time.perf_counter() - started)

    def _read(self, outputs: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        given = outputs.get(self._answering, {}).get(self._socket)
        first = given[0] if isinstance(given, list) and given else given
        documents = getattr(first, "documents", None)
        chunks = self._chunks(outputs) if self._sources else _all(documents, self._passages)
        return {
            "answer_text": _text(first),
            "citations": _referenced(documents, self._passages),
            "retrieved_chunks": chunks,
            "trace": _told(first, outputs[self._answering], seconds),
        }


def wrapped(found: object, settings: Mapping[str, Any]) -> object | None:
    """Tell a pipeline by its methods, and what it does by its outputs.

    Raises UsageError for a pipeline that gives nothing to be scored, and for inputs that the
    question does not fill.
    """
    if not has(found, "run", "inputs", "outputs"):
        return None
    flow = Flow.of(found, settings.get("inputs"))
    if any(flow.last_with(one) for one in _ANSWERS):
        return Answers(flow, settings)
    if flow.last_with("documents"):
        return Search(flow, settings)
    given = sorted({socket for sockets in flow.outputs.values() for socket in sockets})
    raise UsageError(
        f"adapter.target: the pipeline has the outputs {', '.join(given) or '(none)'}; it must "
        f"have one of documents, {', '.join(_ANSWERS)}"
    )


def chunk(document: Any, passages: Passages) -> dict[str, Any]:  # noqa: ANN401  foreign
    """Read a `Document`."""
    return passages.chunk(
        document.content, document.meta or {}, own_id=document.id, score=document.score
    )


def _runner(pipeline: Any, *, is_async: bool) -> Any:  # noqa: ANN401  foreign
    if is_async and not has(pipeline, "run_async"):
        raise UsageError(
            "adapter.params.use_async: this pipeline cannot be run so; leave it out, or make the "
            "pipeline an AsyncPipeline"
        )
    return pipeline.run_async if is_async else pipeline.run


def _all(documents: Any, passages: Passages) -> list[dict[str, Any]] | None:  # noqa: ANN401
    return None if documents is None else [chunk(one, passages) for one in documents]


def _text(answer: object) -> object:
    """The text of an answer, a chat message or a string; none is an empty answer."""
    if isinstance(answer, str) or answer is None:
        return answer or ""
    return next((text for text in _texts(answer) if isinstance(text, str)), "")


def _texts(answer: object) -> Iterator[object]:
    yield getattr(answer, "data", None)
    yield getattr(answer, "text", None)


def _referenced(documents: Any, passages: Passages) -> list[Any] | None:  # noqa: ANN401
    """The documents that the answer builder found to be cited, where it looked for that."""
    if not documents or "referenced" not in documents[0].meta:
        return None
    return [chunk(one, passages)["id"] for one in documents if one.meta["referenced"]]


def _told(answer: object, outputs: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
    """The model and its tokens, which it tells of the last generation only."""
    meta: Mapping[str, Any] = getattr(answer, "meta", None) or next(
        iter(outputs.get("meta") or ()), {}
    )
    usage = meta.get("usage") or {}
    tokens = {
        "input_tokens": usage.get("prompt_tokens"),
        "output_tokens": usage.get("completion_tokens"),
    }
    stages = None
    if isinstance(usage, Mapping) and None not in tokens.values():
        stages = [{"name": "pipeline", "seconds": seconds, **tokens}]
    told = {"stages": stages, "model": meta.get("model")}
    return {name: one for name, one in told.items() if one is not None} or None


HAYSTACK = Framework(
    name="haystack",
    module="haystack",
    allowed="a Pipeline",
    settings={**KEYS, "inputs": Mapping, "use_async": bool},
    wrapped=wrapped,
    environ={"HAYSTACK_TELEMETRY_ENABLED": "False"},
)
