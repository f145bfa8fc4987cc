"""Which documents were judged for which query, and how: found again by query and document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.rankings.origin import Origin
from ragproof.rankings.rows import (
    Bytes,
    Fields,
    Ints,
    Rows,
    Words,
    cut,
    equal,
    fingerprints,
    joined,
    packed,
    seeds,
)

SPARSE = 8
"""Slots for each judgment of a query that has as many as usual."""
MOST_SLOTS = 1 << 25


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """A qrels file. Shape (n,), in the order of the file."""

    code: dict[bytes, int]
    """Query id to its number, in order of first appearance."""
    query: Ints
    """Number of the query."""
    grade: Ints
    text: Bytes
    document: Fields
    table: _Table

    def find(self, query: Ints, prints: Words, rows: Rows) -> tuple[Ints, Ints]:
        """Which rows of a run are judged for their query, in no order, and by which judgments.

        `query` holds the number of each row's query, `len(code)` where nothing is judged for it;
        `prints` are those of `document_prints`.
        """
        here, found = self.table.find(query, prints)
        same = self.query[found] == query[here]
        same &= equal(rows.text, rows.document[here], self.text, self.document[found])
        return here[same], found[same]


def judgments(blocks: Iterable[Rows], origin: Origin) -> Judgments:
    """Gather a file's judgments; raises UsageError for a document judged twice for a query."""
    code: dict[bytes, int] = {}
    queries, prints, kept = [], [], []
    for rows in blocks:
        start = np.flatnonzero(rows.begins)
        codes = np.array([code.setdefault(name, len(code)) for name in rows.names(start)])
        sizes = np.diff(start, append=len(rows))
        queries.append(np.repeat(codes, sizes))
        prints.append(document_prints(rows, codes, sizes))
        kept.append(rows.alone)
    if not kept:
        origin.wrong(1, "there is no judgment in the file")
    rows, query, print_of = joined(kept), np.concatenate(queries), np.concatenate(prints)
    suspects = alike(print_of)
    refuse_twice(rows, query, suspects, origin)
    assert not suspects.size, "two documents have one fingerprint, of which one would be lost"
    text, document = packed(rows.text, rows.document)
    table = _Table.of(query, print_of, len(code))
    return Judgments(code, query, rows.value.astype(np.int64), text, document, table)


def document_prints(rows: Rows, query: Ints, sizes: Ints) -> Words:
    """Fingerprints of documents that differ where their queries do.

    `query` holds the numbers of the queries in the order of the rows, and `sizes` their rows.
    """
    return fingerprints(rows.text, rows.document, np.repeat(seeds(query), sizes))


def alike(prints: Words) -> Ints:
    """The rows that have the fingerprint of another, in order: most often none."""
    in_order = np.sort(prints)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(prints, kind="stable")
    same = np.flatnonzero(prints[order[1:]] == prints[order[:-1]])
    return np.sort(np.concatenate([order[same], order[same + 1]]))


def refuse_twice(rows: Rows, query: Ints, suspects: Ints, origin: Origin) -> None:
    """Raise UsageError for the first of these rows that repeats a document of its query."""
    first: dict[tuple[int, bytes], int] = {}
    ids = cut(rows.text, rows.document[suspects])
    for at, name in zip(suspects.tolist(), ids, strict=True):
        if (before := first.setdefault((int(query[at]), name), at)) < at:
            origin.twice(rows, before, at)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Fingerprints to judgments, each query in a stretch of its own: small enough to be near."""

    prints: Words
    places: NDArray[np.int32]
    """Slot to the judgment that fell there last, -1 where none did."""
    bits: int
    lost: Ints
    """Judgments whose slot holds another, in order of their fingerprints."""

    @classmethod
    def of(cls, query: Ints, prints: Words, queries: int) -> _Table:
        bits = max(1, (SPARSE * prints.size // queries).bit_length())
        while queries << bits > MOST_SLOTS and bits > 1:
            bits -= 1
        places = np.full(queries + 1 << bits, -1, dtype=np.int32)  # one stretch stays empty
        slot = _slot(query, prints, bits)
        number = np.arange(prints.size, dtype=np.int32)
        places[slot] = number
        lost = np.flatnonzero(places[slot] != number)
        return cls(prints, places, bits, lost[np.argsort(prints[lost])])

    def find(self, query: Ints, prints: Words) -> tuple[Ints, Ints]:
        """Which of these have the fingerprint of a judgment, in no order, and of which."""
        place = self.places.take(_slot(query, prints, self.bits))
        rows = np.flatnonzero(place >= 0)
        found = place[rows].astype(np.int64)
        there = self.prints[found] == prints[rows]
        others = rows[~there]
        rows, found = rows[there], found[there]
        if not self.lost.size:
            return rows, found
        wanted = prints[others]
        at = np.searchsorted(self.prints[self.lost], wanted)
        again = self.lost[np.minimum(at, self.lost.size - 1)]
        there = self.prints[again] == wanted
        return np.concatenate([rows, others[there]]), np.concatenate([found, again[there]])


def _slot(query: Ints, prints: Words, bits: int) -> Ints:
    return (query << bits) | (prints >> np.uint64(64 - bits)).view(np.int64)
