"""Calls of a pipeline beyond `retrieve` and `answer`, for metrics and commands that make them."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from ragproof.adapters.plain import shown
from ragproof.adapters.shapes import ANSWER, CHUNKS
from ragproof.core import AdapterError, Answer, Case, Chunk, MissingInput, Pipeline
from ragproof.core.needs import EMBED, GENERATE, RERANK, RESOLVE, RETRIEVE
from ragproof.core.pipeline import Vector
from ragproof.text.counting import counted

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Reads(Protocol[T_co]):
    """Reads what a pipeline returned into our words, or raises AdapterError."""

    def read(self, value: object, given_by: str) -> T_co:
        """Read a value; say by what it was given where it is wrong."""
        ...


class Callee(Protocol):
    """What can be asked for one of a pipeline's methods."""

    async def call(self, name: str, shape: Reads[T], case: Case | None, *given: object) -> T | None:
        """Call the method with these values and read what it returns; None without the method."""
        ...


class _Vectors:
    def read(self, value: object, given_by: str) -> Sequence[Vector]:
        try:
            found = np.asarray(_listed(value), dtype=np.float64)
        except (TypeError, ValueError):
            found = np.empty(0)
        if found.ndim != 2 or not np.isfinite(found).all():
            raise AdapterError(
                f"{given_by} returned {shown(value)}; it must return a list of vectors of one "
                "length, each a list of finite numbers"
            )
        return cast("list[list[float]]", found.tolist())


class _Text:
    def read(self, value: object, given_by: str) -> tuple[str | None]:
        if value is not None and not isinstance(value, str):
            raise AdapterError(f"{given_by} returned {shown(value)}; it must return a text or None")
        return (value,)


class _Ids:
    def read(self, value: object, given_by: str) -> tuple[str, ...]:
        try:
            ids = list(cast("Sequence[object]", value))
        except TypeError:
            ids = [None]
        if isinstance(value, str) or not all(isinstance(one, str | int) for one in ids):
            raise AdapterError(f"{given_by} returned {shown(value)}; it must return a list of ids")
        return tuple(str(one) for one in ids)


class _Nothing:
    def read(self, value: object, given_by: str) -> bool:  # noqa: ARG002  whatever it is
        return True


VECTORS, TEXT, IDS, NOTHING = _Vectors(), _Text(), _Ids(), _Nothing()


def further(callee: Callee, has: Callable[[str], bool], seconds: float) -> Pipeline:
    """The calls that metrics may make, each for no longer than so many seconds.

    `has` tells whether there is, or may yet be, a method of this name.
    """
    calls, names = _Calls(callee, seconds), (field.name for field in dataclasses.fields(Pipeline))
    return Pipeline(**{name: getattr(calls, name) for name in names if has(name)})


@dataclass(frozen=True)
class _Calls:
    """One method for each capability of `Pipeline`."""

    callee: Callee
    seconds: float

    async def retrieve(self, case: Case, question: str, k: int) -> tuple[Chunk, ...]:
        return await self._ask("retrieve", RETRIEVE.reason, CHUNKS, case, question, k)

    async def rerank(self, case: Case, question: str, chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
        plain = [given(one) for one in chunks]
        return await self._ask("rerank", RERANK.reason, CHUNKS, case, question, plain)

    async def generate(self, case: Case, question: str, context: Sequence[Chunk]) -> Answer:
        plain = [given(one) for one in context]
        return await self._ask("generate", GENERATE.reason, ANSWER, case, question, plain)

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if not texts:
            return []
        vectors = await self._ask("embed", EMBED.reason, VECTORS, None, list(texts))
        if len(vectors) != len(texts):
            got, due = counted(len(vectors), "vector"), counted(len(texts), "text")
            raise AdapterError(f"embed() returned {got} for {due}")
        return vectors

    async def document(self, document_id: str) -> str | None:
        (text,) = await self._ask("document", RESOLVE.reason, TEXT, None, document_id)
        return text

    async def search(self, vector: Vector, k: int) -> tuple[str, ...]:
        return await self._ask("search", "adapter has no search", IDS, None, list(vector), k)

    async def add(self, document: Mapping[str, Any]) -> None:
        await self._ask("add", "adapter has no add", NOTHING, None, dict(document))

    async def _ask(
        self, name: str, lacking: str, shape: Reads[T], case: Case | None, *values: object
    ) -> T:
        try:
            async with asyncio.timeout(self.seconds):
                found = await self.callee.call(name, shape, case, *values)
        except TimeoutError:
            raise AdapterError(f"{name}() gave no result in {self.seconds:g} s") from None
        if found is None:
            raise MissingInput(lacking)
        return found


def given(chunk: Chunk) -> dict[str, Any]:
    """A chunk as a pipeline is handed one."""
    plain = {"id": chunk.id, "text": chunk.text, "metadata": dict(chunk.metadata)}
    return plain if chunk.score is None else {**plain, "score": chunk.score}


def _listed(value: object) -> object:
    """Vectors may come as an array, or a list of arrays."""
    return value if isinstance(value, np.ndarray) else list(cast("Sequence[object]", value))
