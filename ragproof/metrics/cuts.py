"""Chunks of a document: where each lies in its text, and how that is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragproof.core import Chunk, DoesNotArise, Json
from ragproof.core.places import is_offset
from ragproof.text.whereabouts import Whereabouts, bare, trimmed

NO_CHUNKS = "the chunker made no chunks"
LISTED = 20
"""So many are named in evidence."""
LEAST_CONTEXT = 4
"""So many letters a context has at least."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk's stretch of the text, white space at its ends left out."""

    number: int
    """The chunk's position in the list of all, from 0."""
    id: str
    start: int
    end: int
    found: bool
    """True where its text was searched for, False where its metadata told the place."""


def cuts(chunks: Sequence[Chunk], where: Whereabouts) -> list[Cut]:
    """Place the chunks; one whose place is not known is left out.

    It is known by `metadata.start` and `end`, where the text there is the chunk's, else by search,
    where the chunk's text stands in the document once.

    Raises DoesNotArise where there are no chunks, or none can be placed.
    """
    if not chunks:
        raise DoesNotArise(NO_CHUNKS)
    found = [cut for number, chunk in enumerate(chunks) if (cut := _cut(number, chunk, where))]
    if not found:
        raise DoesNotArise("of no chunk it is known where in the document it lies")
    return found


def _cut(number: int, chunk: Chunk, where: Whereabouts) -> Cut | None:
    told = told_place(chunk)
    if told is not None and is_text_of(chunk, where.text[slice(*told)]):
        return Cut(number, chunk.id, *trimmed(where.text, *told), found=False)
    place = where.once(chunk.text)
    return None if place is None else Cut(number, chunk.id, *place, found=True)


def told_place(chunk: Chunk) -> tuple[int, int] | None:
    """Start and end as the chunk's metadata tells them, if they are offsets."""
    start, end = chunk.metadata.get("start"), chunk.metadata.get("end")
    if not (is_offset(start) and is_offset(end)) or start > end:
        return None
    return start, end


def is_text_of(chunk: Chunk, stretch: str) -> bool:
    """Whether a stretch of the document is the chunk's text, white space aside.

    A chunk without text is what its place says. One may begin with a context that was written for
    it, as long as at least half of it is from the document.
    """
    mine, theirs = bare(chunk.text), bare(stretch)
    if not theirs:
        return False
    return not mine or mine == theirs or _begins_with_context(chunk.text, mine, theirs)


def _begins_with_context(text: str, mine: str, theirs: str) -> bool:
    """Whether the text is the stretch with whole words before it, and no more of them than half."""
    before = len(mine) - len(theirs)
    if not (LEAST_CONTEXT <= before <= len(theirs) and mine.endswith(theirs)):
        return False  # a few letters are no context, but a place that is a little off
    kept = 0
    for letter in text:
        if kept == before:
            return letter.isspace()
        kept += not letter.isspace()
    return False


def account(chunks: Sequence[Chunk], placed: Iterable[Cut]) -> dict[str, Json]:
    """How the places are known, for a reader."""
    placed = list(placed)
    known = {cut.number for cut in placed}
    unplaced = [one.id for number, one in enumerate(chunks) if number not in known]
    return {
        "chunks": len(chunks),
        "placed_by_metadata": sum(not cut.found for cut in placed),
        "placed_by_search": sum(cut.found for cut in placed),
        "unplaced": unplaced[:LISTED],
    }
