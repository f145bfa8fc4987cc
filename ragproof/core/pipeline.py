"""What of the system under test a metric may call itself, beyond what was observed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ragproof.core.case import Case
from ragproof.core.observation import Answer, Chunk

Vector: TypeAlias = Sequence[float]
Retrieve: TypeAlias = Callable[[Case, str, int], Awaitable[tuple[Chunk, ...]]]
"""For whoever asks in the case: a question, and how many chunks."""
Rerank: TypeAlias = Callable[[Case, str, Sequence[Chunk]], Awaitable[tuple[Chunk, ...]]]
Generate: TypeAlias = Callable[[Case, str, Sequence[Chunk]], Awaitable[Answer]]
"""Answer a question from these chunks and no others."""
Embed: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]
"""One vector a text, all of one length, finite."""
Resolve: TypeAlias = Callable[[str], Awaitable[str | None]]
"""The text of the document with this id; None where there is none."""
Search: TypeAlias = Callable[[Vector, int], Awaitable[tuple[str, ...]]]
"""Ids nearest to a vector, best first."""
Add: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Put a document, `{"id", "text"}`, into the index."""


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """Calls of the system under test; None is a capability that it does not have.

    Each raises AdapterError for a call that fails, gives something of another shape, or takes
    longer than a case may.
    """

    retrieve: Retrieve | None = None
    rerank: Rerank | None = None
    generate: Generate | None = None
    embed: Embed | None = None
    document: Resolve | None = None
    search: Search | None = None
    add: Add | None = None
