"""A pipeline in Python: any object with some of the methods `retrieve`, `answer`, `parse`, ..."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import Any, TypeAlias, TypeVar, cast

from ragproof.adapters import target as targets
from ragproof.adapters.foreign import BLAMED, MOST_ABANDONED, Calls
from ragproof.adapters.further import Reads, further
from ragproof.adapters.method import METHODS, Method, document_of, is_async, is_capable, methods_of
from ragproof.adapters.plain import plain_mapping, shown
from ragproof.adapters.shapes import ANSWER, CHUNKS, PARSED
from ragproof.core import (
    AdapterInfo,
    Answer,
    Case,
    Chunk,
    DocumentCase,
    Observation,
    Parsed,
    Pipeline,
    QuestionCase,
    RunError,
    UsageError,
)

T = TypeVar("T")
Read: TypeAlias = Callable[[object], T]
"""From what a method returns to the words of `core`."""

CLOSING_SECONDS = 5.0
"""How long a pipeline may take to close."""
_RETRIEVED: Read[tuple[Chunk, ...]] = partial(CHUNKS.read, given_by="retrieve()")
_ANSWERED: Read[Answer] = partial(ANSWER.read, given_by="answer()")
_PARSED: Read[Parsed] = partial(PARSED.read, given_by="parse()")
_CHUNKED: Read[tuple[Chunk, ...]] = partial(CHUNKS.read, given_by="chunk()")


class PythonAdapter:
    """Calls the methods of a pipeline: async ones on the loop, others in a thread each.

    `retrieve` and `answer` are both called. The latency is that of `answer`, else of `retrieve`,
    else of `parse`: from the call until the result, or all of what it yields, is there.
    """

    def __init__(
        self,
        target: str,
        pipeline: object,
        *,
        depth: int,
        params: Mapping[str, Any],
        version: str | None = None,
        is_made: bool = False,
        max_abandoned: int = MOST_ABANDONED,
    ) -> None:
        """Take the pipeline, or an awaitable of it that the first case waits for.

        `is_made` says that it was made for this run, and is to be closed after it.
        """
        self._target = target
        self._params = params
        self._depth = depth
        self._version = version
        self._is_made = is_made
        self._calls = Calls(target, max_abandoned)
        self._methods: Mapping[str, Method] = {}
        self._pipeline: object = None
        self._making = pipeline if inspect.isawaitable(pipeline) else None
        if self._making is None:
            self._take(pipeline)

    @classmethod
    def load(
        cls,
        target: str,
        params: Mapping[str, Any],
        folder: Path,
        depth: int,
        max_abandoned: int = MOST_ABANDONED,
    ) -> PythonAdapter:
        """Import `module:attribute`: a class or factory, called with the parameters, or an object.

        The module is looked for in `folder` first; `depth` is how many chunks are asked for. The
        factory may be async: it then runs when the first case is observed, on the run's event
        loop. Raises UsageError for a target that is missing or no adapter, RunError where the
        user's code fails.
        """
        return cls.of(targets.found(target, folder), target, params, depth, max_abandoned)

    @classmethod
    def of(
        cls,
        found: object,
        target: str,
        params: Mapping[str, Any],
        depth: int,
        max_abandoned: int = MOST_ABANDONED,
    ) -> PythonAdapter:
        """Take an object, or make one of a class or factory; raises as `load` does."""
        with targets.loading(target):
            is_made = isinstance(found, type) or (callable(found) and not is_capable(found))
            if params and not is_made:
                raise UsageError(
                    f"adapter.params: {target} is an object and takes none. "
                    "Name a class or a factory as the target, or take the parameters away"
                )
            return cls(
                target,
                targets.made(found, target, params) if is_made else found,
                depth=depth,
                params=params,
                version=_version(found),
                is_made=is_made,
                max_abandoned=max_abandoned,
            )

    @property
    def name(self) -> str:
        """The import path."""
        return self._target

    @property
    def capabilities(self) -> frozenset[str]:
        """Which methods the pipeline has; none are known before an async factory has run."""
        return frozenset(self._methods)

    def info(self, version: str | None = None) -> AdapterInfo:
        """What a run's header says; without a version, the pipeline's `version` attribute."""
        return AdapterInfo(
            type="python",
            target=self._target,
            params=plain_mapping(self._params),
            version=version or self._version,
        )

    def further(self, seconds: float) -> Pipeline:
        """What metrics may call themselves, each call for no longer than so many seconds."""
        return further(
            self, lambda name: self._making is not None or name in self._methods, seconds
        )

    async def call(self, name: str, shape: Reads[T], case: Case | None, *given: object) -> T | None:
        """Call a method with these values and read what it returns; None without the method."""
        await self._ready()
        if (method := self._methods.get(name)) is None:
            return None
        read: Read[T] = partial(shape.read, given_by=f"{name}()")
        found, _ = await self._result(method.bound(case, *given), read, is_async=method.is_async)
        return found

    async def observe(self, case: Case, /) -> Observation:
        """Call what suits the kind of case; a missing method leaves its part None."""
        if self._making is not None:
            await self._ready()
        if isinstance(case, QuestionCase):
            retrieved, seconds = await self._ask("retrieve", _RETRIEVED, case, self._depth)
            ended = time.time()
            answer, answering = await self._ask("answer", _ANSWERED, case)
            if answering is not None:
                seconds, ended = answering, time.time()
            return Observation(
                case_id=case.id,
                retrieved=retrieved,
                answer=answer,
                seconds=seconds,
                asked_at=None if seconds is None else ended - seconds,
            )
        parsed, seconds = await self._ask("parse", _PARSED, case)
        asked_at = None if seconds is None else time.time() - seconds
        chunks, _ = await self._ask("chunk", _CHUNKED, case)
        return Observation(
            case_id=case.id, parsed=parsed, chunks=chunks, seconds=seconds, asked_at=asked_at
        )

    async def close(self) -> None:
        """Close a pipeline that was made for this run, by its `aclose` or `close`, if it has one.

        All that counts is saved by then, so one that fails or hangs in closing is let be.
        """
        if isinstance(self._making, asyncio.Future):
            self._making.cancel()
        elif inspect.iscoroutine(self._making):
            self._making.close()
        closing = getattr(self._pipeline, "aclose", None) or getattr(self._pipeline, "close", None)
        if self._is_made and callable(closing):
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self._result(closing, _ignored, is_async=is_async(closing))

    async def _ready(self) -> None:
        """Wait for an async factory; a case that times out meanwhile does not stop it."""
        if self._making is not None:
            if not isinstance(self._making, asyncio.Future):
                self._making = asyncio.ensure_future(self._make(self._making))
            await asyncio.shield(self._making)

    async def _make(self, making: Awaitable[object]) -> None:
        try:
            with targets.loading(self._target):
                self._take(await making)
        except UsageError as error:  # too late to be one: the run has begun
            raise RunError(str(error)) from error
        self._making = None

    def _take(self, pipeline: object) -> None:
        self._pipeline = pipeline
        self._methods = methods_of(pipeline, self._target)
        if not self._methods:
            raise UsageError(
                f"{self._target} gives {shown(pipeline)}, which has none of the methods of an "
                f"adapter: {', '.join(METHODS)}"
            )
        self._version = _version(pipeline) or self._version

    async def _ask(
        self, name: str, read: Read[T], case: Case, *more: object
    ) -> tuple[T, float] | tuple[None, None]:
        """Call a method and read what it returns; also say how long it took."""
        method = self._methods.get(name)
        if method is None:
            return None, None
        if isinstance(case, QuestionCase):
            call = method.bound(case, case.question, *more)
        else:
            call = method.bound(case, document_of(cast("DocumentCase", case)), *more)
        return await self._result(call, read, is_async=method.is_async)

    async def _result(
        self, call: Callable[[], object], read: Read[T], *, is_async: bool
    ) -> tuple[T, float]:
        if is_async:
            found = _called(call, read)
        else:
            found = await self._calls.run(partial(_called, call, read), _forgotten)
        return await found.awaited(read) if isinstance(found, _Unfinished) else found


@dataclass(slots=True)
class _Unfinished:
    """What a call returned to be awaited, and the seconds that took."""

    result: Awaitable[object] | AsyncIterable[object]
    seconds: float

    async def awaited(self, read: Read[T]) -> tuple[T, float]:
        started = time.perf_counter()
        with BLAMED:
            if isinstance(self.result, CoroutineType):
                result: object = await self.result
            elif isinstance(self.result, AsyncIterable):
                result = [item async for item in self.result]
            else:
                result = await self.result
            seconds = self.seconds + time.perf_counter() - started
            return read(result), seconds


def _called(call: Callable[[], object], read: Read[T]) -> tuple[T, float] | _Unfinished:
    """Call and read, all that is foreign in one go: a result may do its work when looked into."""
    with BLAMED:
        started = time.perf_counter()
        result = call()
        if isinstance(result, CoroutineType):  # the usual case, told without asking ABCs
            return _Unfinished(result, time.perf_counter() - started)
        if isinstance(result, Iterator):
            result = list(result)
        seconds = time.perf_counter() - started
        if isinstance(result, Awaitable | AsyncIterable):
            return _Unfinished(result, seconds)
        return read(result), seconds


def _forgotten(late: object) -> None:
    """Nobody waits for this any more; a coroutine must be told, or Python complains."""
    if isinstance(late, _Unfinished) and inspect.iscoroutine(late.result):
        late.result.close()


def _ignored(_: object) -> None:
    """Read nothing."""


def _version(one: object) -> str | None:
    version = getattr(one, "version", None)
    is_plain = isinstance(version, str | int | float) and not isinstance(version, bool)
    return str(version) if is_plain and version != "" else None
