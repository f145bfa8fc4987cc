"""A pipeline behind HTTP: templates for its requests, JSONPaths for its responses."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar, cast

from ragproof.adapters.endpoint import HttpEndpoint as HttpEndpoint
from ragproof.adapters.exchange import Exchange
from ragproof.adapters.further import Reads, further
from ragproof.adapters.plain import plain, plain_mapping
from ragproof.adapters.response import AnswerReader, RetrievalReader
from ragproof.adapters.template import Template, Values
from ragproof.core import AdapterInfo, Case, Observation, Pipeline, QuestionCase, UsageError

T = TypeVar("T")


class HttpAdapter:
    """Asks the endpoints; where both send the same request, it is sent once.

    The latency is that of the attempt that succeeded, from sending the request until its response
    is there: waiting for a server that was busy says nothing about the pipeline.
    """

    def __init__(
        self,
        exchange: Exchange,
        endpoints: Mapping[str, HttpEndpoint],
        params: Mapping[str, Any],
        *,
        depth: int,
        environ: Mapping[str, str],
        case_timeout_seconds: float,
    ) -> None:
        """Compile templates and paths of the endpoints `retrieve` and `answer`, or one of them."""
        self._exchange = exchange
        self._endpoints = endpoints
        self._params = plain_mapping(params)
        self._depth = depth
        self._case_timeout = case_timeout_seconds
        self._templates = {
            name: Template(one, f"adapter.http.{name}.request", self._params, environ)
            for name, one in endpoints.items()
        }
        retrieve, answer = endpoints.get("retrieve"), endpoints.get("answer")
        self._retrieval = RetrievalReader(retrieve, "http.retrieve") if retrieve else None
        self._answer = AnswerReader(answer, "http.answer") if answer else None
        self._is_one_request = bool(retrieve and answer and retrieve.asks_the_same(answer))

    @classmethod
    def load(
        cls,
        *,
        retrieve: HttpEndpoint | None = None,
        answer: HttpEndpoint | None = None,
        params: Mapping[str, Any],
        depth: int,
        timeout_seconds: float = 30.0,
        max_attempts: int = 3,
        case_timeout_seconds: float = 60.0,
        environ: Mapping[str, str] = os.environ,
    ) -> HttpAdapter:
        """Check the endpoints and look up their secrets; nothing is sent yet.

        `depth` is how many chunks are asked for; `timeout_seconds` holds for one attempt, and none
        is waited for that could only begin after `case_timeout_seconds`. Raises UsageError that
        names the setting.
        """
        both = {"retrieve": retrieve, "answer": answer}
        endpoints = {name: one for name, one in both.items() if one is not None}
        if not endpoints:
            raise UsageError("adapter.http has neither retrieve nor answer; give one or both")
        return cls(
            Exchange(timeout_seconds=timeout_seconds, max_attempts=max_attempts),
            endpoints,
            params,
            depth=depth,
            environ=environ,
            case_timeout_seconds=case_timeout_seconds,
        )

    @property
    def name(self) -> str:
        """The endpoints, as they are written in the config."""
        return ", ".join(dict.fromkeys(one.label for one in self._templates.values()))

    @property
    def capabilities(self) -> frozenset[str]:
        """Which of `retrieve` and `answer` there is an endpoint for."""
        return frozenset(self._endpoints)

    def info(self, version: str | None = None) -> AdapterInfo:
        """What the run's header says; secrets are in it by the name of their variable only."""
        asked = {name: dataclasses.asdict(one) for name, one in self._endpoints.items()}
        written = json.dumps(plain(asked), sort_keys=True)
        return AdapterInfo(
            type="http",
            target=self.name,
            params=self._params,
            version=version,
            content=sha256(written.encode()).hexdigest(),
        )

    async def observe(self, case: Case, /) -> Observation:
        """Ask the endpoints about a question; of a document nothing is exposed."""
        if not isinstance(case, QuestionCase):
            return Observation(case_id=case.id)
        values = _values(case, case.question, self._depth)
        until = asyncio.get_running_loop().time() + self._case_timeout
        retrieved = answer = seconds = asked_at = document = None
        if self._retrieval:
            document, seconds = await self._ask("retrieve", values, until)
            asked_at = time.time() - seconds
            retrieved = self._retrieval.read(document)
        if self._answer:
            if not self._is_one_request:
                document, seconds = await self._ask("answer", values, until)
                asked_at = time.time() - seconds
            answer = self._answer.read(document)
            if not self._retrieval:  # what the answer rests on is then all that is told of it
                retrieved = answer.retrieved_chunks
        return Observation(
            case_id=case.id,
            retrieved=retrieved,
            answer=answer,
            seconds=seconds,
            asked_at=asked_at,
        )

    def further(self, seconds: float) -> Pipeline:
        """What metrics may call themselves, each call for no longer than so many seconds.

        It is `retrieve` alone, and not where one request serves both: each would pay an answer.
        """
        able = self._retrieval is not None and not self._is_one_request
        return further(self, lambda name: able and name == "retrieve", seconds)

    async def call(
        self,
        name: str,
        shape: Reads[T],  # noqa: ARG002  the endpoint's own paths say how it is read
        case: Case | None,
        *given: object,
    ) -> T | None:
        """Ask the endpoint `retrieve` for a question and k; there is no other to call."""
        if name != "retrieve" or self._retrieval is None or not isinstance(case, QuestionCase):
            return None
        question, k = cast("tuple[str, int]", given)
        until = asyncio.get_running_loop().time() + self._case_timeout
        document, _ = await self._ask(name, _values(case, question, k), until)
        return cast("T", self._retrieval.read(document))

    async def close(self) -> None:
        """Close the connections."""
        await self._exchange.close()

    async def _ask(self, name: str, values: Values, until: float) -> tuple[Any, float]:
        template = self._templates[name]
        document, seconds = await self._exchange.ask(template, template.filled(values), until)
        for one in self._templates.values():
            document = one.hide_in(document)
        return document, seconds


def _values(case: QuestionCase, question: str, k: int) -> Values:
    return {
        "question": question,
        "k": k,
        "history": [{"role": one.role, "content": one.content} for one in case.history or ()],
        "caller": plain_mapping(case.caller or {}),
    }
