"""What the steps of a search brought: sources, in the order in which they were first seen."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.core import CaseRun, Chunk
from ragproof.core.places import chunks_of, named_by


def sources_of(run: CaseRun, names: Iterable[Chunk | str]) -> tuple[str, ...]:
    """Distinct sources of chunks and of ids, the ids being those of chunks seen elsewhere.

    An id of no chunk seen is taken as that of a source.
    """
    match = run.source_match
    known = {chunk.id: match.source(chunk) for chunk in chunks_of(named_by(run.observation))}
    found = (match.source(one) if isinstance(one, Chunk) else known.get(one, one) for one in names)
    return tuple(dict.fromkeys(found))
