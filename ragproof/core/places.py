"""Where a pipeline names its sources: every list of an observation that holds chunks or ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeGuard

from ragproof.core.observation import Chunk, Observation, Trace

Named: TypeAlias = Mapping[str, tuple[Chunk | str, ...]]
"""Place to what is named there: chunks, or ids alone."""
Placed: TypeAlias = tuple[Chunk, tuple[str, int, int] | None]
"""A chunk with its document, start and end (exclusive); None where it does not tell its place."""

CHUNK_LISTS = (
    "observation.retrieved",
    "observation.answer.retrieved_chunks",
    "observation.answer.trace.candidates",
    "observation.answer.trace.reranked",
    "observation.answer.trace.context",
    "observation.answer.trace.lanes",
)
"""Paths of what holds chunks."""
ALL_LISTS = (
    *CHUNK_LISTS,
    "observation.answer.trace.survivors",
    "observation.answer.trace.steps",
    "observation.answer.citations",
)
"""Paths of all that names sources."""


def named_by(observation: Observation) -> Named:
    """Give everything that the observation names, by place; a place not exposed is left out."""
    answer = observation.answer
    trace = (answer.trace if answer is not None else None) or Trace()
    found: dict[str, tuple[Chunk | str, ...] | None] = {
        "survivors": trace.survivors,
        "candidates": trace.candidates,
        "reranked": trace.reranked,
        "retrieved": observation.retrieved,
        "context": trace.context,
    }
    if trace.lanes is not None:
        found["lanes"] = tuple(chunk for lane in trace.lanes.values() for chunk in lane)
    if trace.steps is not None:
        found["steps"] = tuple(one for step in trace.steps for one in step.seen)
    if answer is not None:
        found["answer"] = answer.retrieved_chunks
        if answer.citations is not None:
            found["citations"] = tuple(one.chunk_id for one in answer.citations)
    return {place: names for place, names in found.items() if names is not None}


def chunks_of(named: Named) -> Iterator[Chunk]:
    """The chunks among what is named."""
    for names in named.values():
        for one in names:
            if isinstance(one, Chunk):
                yield one


def document_of(chunk: Chunk) -> str | None:
    """The document that a chunk says it is from."""
    document = chunk.metadata.get("document_id")
    return None if document is None else str(document)


def place_of(chunk: Chunk) -> tuple[str, int, int] | None:
    """Document, start and end, where the chunk tells all three and they make sense."""
    document = document_of(chunk)
    start, end = chunk.metadata.get("start"), chunk.metadata.get("end")
    if document is None or not (is_offset(start) and is_offset(end)) or start > end:
        return None
    return document, start, end


def is_offset(value: object) -> TypeGuard[int]:
    """Whether it can be a place in a text: a whole number that is not negative."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
