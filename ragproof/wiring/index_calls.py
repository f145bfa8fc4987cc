"""What an adapter is asked of its index: vectors of texts, and the nearest of a vector."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from ragproof.adapters.python import PythonAdapter
from ragproof.core import (
    AdapterError,
    MissingInput,
    ModelError,
    Pipeline,
    QuestionCase,
    RunError,
    UsageError,
)
from ragproof.core.pipeline import Embed
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.reading import load
from ragproof.index.vectors import Values, Vectors
from ragproof.wiring.loop import carried_out
from ragproof.wiring.schema import Config
from ragproof.wiring.systems import system
from ragproof.wiring.wish import Wish

T = TypeVar("T")
U = TypeVar("U")

BATCH = 64
"""Texts that are embedded in one call."""


class Asking(Protocol):
    """What says where vectors and queries are from."""

    @property
    def config(self) -> Path | None:
        """The config file."""
        ...

    @property
    def dataset(self) -> Path | None:
        """The dataset whose questions are embedded."""
        ...

    @property
    def vectors(self) -> Path | None:
        """A file of vectors; None for the corpus, embedded."""
        ...

    @property
    def limit(self) -> int | None:
        """So many of the queries."""
        ...


@dataclass(frozen=True)
class Called:
    """What came of the adapter; nothing, where files told everything."""

    vectors: Vectors | None = None
    queries: Vectors | None = None
    name: str = ""
    answers: Sequence[tuple[str, ...] | str] = ()
    """The ids that each query was given, or why it was given none."""


NOT_CALLED = Called()


@dataclass(frozen=True)
class Callee:
    """The pipeline that a config names, and how much of it may be asked at once."""

    config: Config
    adapter: PythonAdapter
    pipeline: Pipeline

    async def embedded(self, texts: Sequence[str]) -> Values:
        """The pipeline's vectors of these texts. Raises RunError where it fails to give them."""
        if self.pipeline.embed is None:
            raise MissingInput("adapter has no embed")
        return await embedded(
            self.pipeline.embed, texts, self.config.run.concurrency, self.adapter.name
        )

    def carry_out(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the work to its end and close; what the adapter lacks is a UsageError.

        There is one loop for all calls: connections of a pipeline may belong to it.
        """

        async def closed() -> T:
            try:
                return await work
            finally:
                await self.adapter.close()

        try:
            return carried_out(closed())
        except MissingInput as fault:
            raise UsageError(f"{self.adapter.name}: {fault}") from None


def callee(config: Config, depth: int, environ: Mapping[str, str]) -> Callee:
    """Load the adapter; raises UsageError for one that is no pipeline in Python."""
    with config.blamed("adapter"):
        found = system(config, (), depth, environ)
        if found.pipeline is None or not isinstance(found.adapter, PythonAdapter):
            raise UsageError(
                f"an adapter of type {found.info.type} cannot be asked for vectors, for a search "
                "or to add documents; allowed: type python, with embed, search or add"
            )
    return Callee(config, found.adapter, found.pipeline)


def called(
    asking: Asking, environ: Mapping[str, str], queries: Vectors | None, k: int | None
) -> Called:
    """Have the adapter embed what no file holds and, with a `k`, search for each query.

    `queries` are those of a file, where there is one. Raises UsageError for what is not configured
    or not there, RunError where texts cannot be embedded.
    """
    if asking.vectors is not None and queries is not None and k is None:
        return NOT_CALLED
    config = Wish(config=asking.config, dataset=asking.dataset).load_config(environ)
    _refuse_without(config, asking, queries)
    corpus: dict[str, str] = {}
    questions: dict[str, str] = {}
    if asking.vectors is None:
        documents = load_corpus(config.corpus or Path())
        corpus = {name: documents.text(name) or "" for name in documents}
    if queries is None:
        cases = load(config.dataset or Path()).cases
        asked = [case for case in cases if isinstance(case, QuestionCase)]
        questions = {case.id: case.question for case in asked[: asking.limit]}
    one = callee(config, config.run.depth or config.run.k, environ)

    async def all_calls() -> Called:
        made = asked = None
        if asking.vectors is None:
            made = await _embedded(one, corpus, f"{config.corpus}, embedded")
        if queries is None:
            asked = await _embedded(one, questions, f"{config.dataset}, embedded")
        wanted = queries or asked
        answers = [] if k is None or wanted is None else await _searched(one, wanted, k)
        return Called(made, asked, f"{one.adapter.name}.search()", answers)

    return one.carry_out(all_calls())


def _refuse_without(config: Config, asking: Asking, queries: Vectors | None) -> None:
    if asking.vectors is None and config.corpus is None:
        raise UsageError(
            "no vectors are given. Give --vectors FILE, or name `corpus` in ragproof.yaml and an "
            "adapter that has embed(texts)"
        )
    if queries is None and config.dataset is None:
        raise UsageError(
            "no queries are given. Give --queries FILE, or name `dataset` in ragproof.yaml and an "
            "adapter that has embed(texts)"
        )


async def _embedded(one: Callee, texts: Mapping[str, str], source: str) -> Vectors:
    if not texts:
        raise UsageError(f"{source}: there is nothing to embed")
    return Vectors.of(await one.embedded([*texts.values()]), source, [*texts])


async def embedded(embed: Embed, texts: Sequence[str], most: int, name: str) -> Values:
    """Vectors of texts, so many calls under way at a time. Shape (texts, dimensions).

    Raises RunError, with the name of what embeds, where it fails.
    """
    batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
    try:
        found = await at_once(most, embed, batches)
    except (AdapterError, ModelError) as fault:
        raise RunError(f"{name}: {fault}") from fault
    lengths = {len(vector) for batch in found for vector in batch}
    if len(lengths) > 1:
        raise RunError(f"{name}: embed() returned vectors of lengths {lengths}")
    return np.concatenate([np.asarray(batch, dtype=np.float32) for batch in found])


async def _searched(one: Callee, queries: Vectors, k: int) -> list[tuple[str, ...] | str]:
    if one.pipeline.search is None:
        raise MissingInput("adapter has no search")
    search = one.pipeline.search

    async def ask(row: int) -> tuple[str, ...] | str:
        try:
            return await search(queries.values[row].astype(np.float64).tolist(), k)
        except AdapterError as fault:
            return str(fault)

    return await at_once(one.config.run.concurrency, ask, range(len(queries)))


async def at_once(most: int, ask: Callable[[U], Awaitable[T]], values: Iterable[U]) -> list[T]:
    """Call the function with each value, so many under way at a time; results in order."""
    places = asyncio.Semaphore(most)

    async def placed(value: U) -> T:
        async with places:
            return await ask(value)

    tasks = [asyncio.ensure_future(placed(value)) for value in values]
    try:
        return [await task for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
