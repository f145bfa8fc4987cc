"""Characters of documents: what spans cover, once each, and what two coverings share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ragproof.core import CaseRun, DoesNotArise, Json, MissingInput
from ragproof.core.needs import EXPECTED_SPANS, PLACED
from ragproof.metrics.parameters import at_least
from ragproof.text.token_count import counting

Place: TypeAlias = tuple[str, int, int]
"""Document, start, end; the end is exclusive."""
Cover: TypeAlias = Mapping[str, list[tuple[int, int]]]
"""Document to stretches, in order and apart."""


def cover(places: Iterable[Place]) -> Cover:
    """Merge what overlaps or touches, document by document; a stretch of no length is nothing.

    Example:
        >>> dict(cover([("d", 5, 9), ("d", 0, 3), ("d", 8, 12), ("e", 1, 1)]))
        {'d': [(0, 3), (5, 12)]}
    """
    by_document: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for document, start, end in sorted(places):
        if start >= end:
            continue
        merged = by_document[document]
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return by_document


def length(covered: Cover) -> int:
    """How many characters are covered."""
    return sum(end - start for stretches in covered.values() for start, end in stretches)


def shared(one: Cover, other: Cover) -> int:
    """How many characters both cover.

    Example:
        >>> shared(cover([("d", 0, 10)]), cover([("d", 5, 20), ("e", 0, 10)]))
        5
    """
    return sum(_shared(one[document], other[document]) for document in one.keys() & other.keys())


def _shared(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> int:
    total = mine = theirs = 0
    while mine < len(one) and theirs < len(other):
        start = max(one[mine][0], other[theirs][0])
        end = min(one[mine][1], other[theirs][1])
        total += max(0, end - start)
        if one[mine][1] < other[theirs][1]:
            mine += 1
        else:
            theirs += 1
    return total


@dataclass(frozen=True, slots=True)
class Characters:
    """How many characters were expected, were retrieved, and both."""

    expected: int
    retrieved: int
    both: int

    @property
    def evidence(self) -> dict[str, Json]:
        """For a reader."""
        return {"expected": self.expected, "retrieved": self.retrieved, "both": self.both}


def characters(run: CaseRun, k: int, budget: int = 0, tokens: str = "characters") -> Characters:
    """Count over the first k retrieved chunks, or over as many as fit into a budget of tokens.

    A chunk that comes again is not counted again. Raises MissingInput where the place of one that
    counts or the expected spans are missing, DoesNotArise where the spans cover nothing.
    """
    placed, spans = run[PLACED], run[EXPECTED_SPANS]
    expected = cover((span.document_id, span.start, span.end) for span in spans)
    if not expected:
        raise DoesNotArise("the expected spans are empty")
    ranked: dict[str, tuple[str, Place | None]] = {}
    for chunk, place in placed:
        ranked.setdefault(chunk.id, (chunk.text, place))
    taken = fitting([text for text, _ in ranked.values()], budget, tokens) if budget else k
    places = [place for _, place in list(ranked.values())[:taken]]
    told = [place for place in places if place is not None]
    if len(told) < len(places):
        raise MissingInput(PLACED.reason)
    retrieved = cover(told)
    return Characters(length(expected), length(retrieved), shared(expected, retrieved))


def fitting(texts: Sequence[str], budget: int, tokens: str) -> int:
    """How many texts fit into the budget, from the first on; the first that does not ends it.

    Raises DoesNotArise for a text that is not there.
    """
    count, spent = counting(tokens), 0
    for taken, text in enumerate(texts):
        if not text.strip():
            raise DoesNotArise("a retrieved chunk has no text whose tokens could be counted")
        spent += count(text)
        if spent > budget:
            return taken
    return len(texts)


def check_budget(budget: int, tokens: str) -> None:
    """Raise ValueError for a budget below 0 or a count that is none."""
    counting(tokens)
    at_least("budget", budget, 0)
