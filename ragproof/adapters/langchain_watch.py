"""What goes on inside a chain, told by callbacks: documents, seconds and tokens."""

from __future__ import annotations

import functools
import time
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from uuid import UUID

_RETRIEVE, _GENERATE = "retrieve", "generate"


class Watch:
    """Follows the parts of one call, of which some may run at the same time.

    A part inside a retriever, be it another retriever or a model that rewrites the question,
    belongs to the retrieval. Seconds of parts of one stage are added up.
    """

    run_inline = True
    """Called in the order of events, also by async chains."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: list[Any] | None = None
        """What the outermost retrievers gave, in the order in which they ended."""
        self._stage: dict[UUID | None, str | None] = {}
        """The stage that a part belongs to, if any."""
        self._started: dict[UUID, float] = {}
        """When the outermost parts of a stage began."""
        self._seconds: dict[str, float] = defaultdict(float)
        self._tokens: dict[str, list[tuple[int, int] | None]] = defaultdict(list)
        self._models: dict[str, set[str | None]] = defaultdict(set)
        self._model: str | None = None

    def trace(self) -> dict[str, Any]:
        """The stages that took place, and the model that spoke last."""
        stages = [
            {
                "name": name,
                "seconds": seconds,
                **_added(self._tokens[name]),
                **_only(self._models[name]),
            }
            for name, seconds in self._seconds.items()
        ]
        known = {"stages": stages or None, "model": self._model}
        return {name: value for name, value in known.items() if value is not None}

    def on_chain_start(
        self, *_: object, run_id: UUID, parent_run_id: UUID | None = None, **__: object
    ) -> None:
        """Remember what the parts of a chain belong to."""
        self._begin(None, run_id, parent_run_id)

    on_tool_start = on_chain_start

    def on_retriever_start(
        self, *_: object, run_id: UUID, parent_run_id: UUID | None = None, **__: object
    ) -> None:
        """Start the clock of the retrieval."""
        self._begin(_RETRIEVE, run_id, parent_run_id)

    def on_retriever_end(self, documents: Sequence[Any], *, run_id: UUID, **_: object) -> None:
        """Keep what was retrieved."""
        if self._end(run_id):
            self.documents = [*(self.documents or ()), *documents]

    def on_llm_start(
        self, *_: object, run_id: UUID, parent_run_id: UUID | None = None, **__: object
    ) -> None:
        """Start the clock of the generation."""
        self._begin(_GENERATE, run_id, parent_run_id)

    on_chat_model_start = on_llm_start

    def on_llm_end(self, response: Any, *, run_id: UUID, **_: object) -> None:  # noqa: ANN401
        """Count tokens, where the model tells them."""
        self._end(run_id)
        message = getattr(response.generations[0][0], "message", None)
        usage = getattr(message, "usage_metadata", None)
        counted = (usage["input_tokens"], usage["output_tokens"]) if usage else None
        told = getattr(message, "response_metadata", None) or {}
        model = told.get("model_name")
        if stage := self._stage.get(run_id):
            self._tokens[stage].append(counted)
            self._models[stage].add(model)
        self._model = model or self._model

    def _begin(self, stage: str | None, run_id: UUID, parent: UUID | None) -> None:
        above = self._stage.get(parent)
        self._stage[run_id] = above or stage
        if stage and not above:
            self._started[run_id] = time.perf_counter()

    def _end(self, run_id: UUID) -> bool:
        """Stop the clock; whether the part was an outermost one."""
        started = self._started.pop(run_id, None)
        if started is None:
            return False
        self._seconds[self._stage[run_id] or ""] += time.perf_counter() - started
        return True


@functools.cache
def handler() -> type[Watch]:
    """A watch that LangChain takes for a callback handler."""
    from langchain_core.callbacks import BaseCallbackHandler  # noqa: PLC0415  an extra

    class Handler(Watch, BaseCallbackHandler):  # type: ignore[misc]
        pass

    return Handler


def _only(models: AbstractSet[str | None]) -> dict[str, str]:
    """The model of a stage; two of them have two prices, so none is told."""
    [model] = models if len(models) == 1 else (None,)
    return {} if model is None else {"model": model}


def _added(tokens: Sequence[tuple[int, int] | None]) -> dict[str, int]:
    """Tokens of a stage; a part of them would pass for all, so one unknown makes all unknown."""
    known = [one for one in tokens if one is not None]
    if not known or len(known) < len(tokens):
        return {}
    return {
        "input_tokens": sum(one for one, _ in known),
        "output_tokens": sum(one for _, one in known),
    }
