"""Rows of a qrels or run file as columns over one text: ids stay the bytes that they are.

A field is where it starts and how long it is; nothing is decoded or made an object until someone
asks for it. Ids are compared as 8-byte words, many at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core.arrays import Flags, Floats

Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int64]

PAD = 8
"""Bytes behind a text, so that a word that begins in its last field ends within it."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)
_FACTORS = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xD6E8_FEB8_6659_FD93)
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """One field of each row. Shape (n,)."""

    start: Ints
    length: Ints

    @property
    def longest(self) -> int:
        """Bytes of the longest."""
        return int(self.length.max(initial=0))

    def __getitem__(self, which: slice | Ints | Flags) -> Fields:
        return Fields(self.start[which], self.length[which])


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a file."""

    text: Bytes
    """What the fields are parts of, and at least `PAD` bytes behind the last."""
    query: Fields
    document: Fields
    value: Floats
    """Score or grade; never NaN."""
    line: Ints
    """Where in its file each row stands, from 1."""

    def __len__(self) -> int:
        return int(self.value.size)

    def __getitem__(self, which: slice | Ints) -> Rows:
        return Rows(
            self.text, self.query[which], self.document[which], self.value[which], self.line[which]
        )

    def names(self, at: Ints) -> list[bytes]:
        """The query ids of these rows."""
        return cut(self.text, self.query[at])

    @property
    def begins(self) -> Flags:
        """Whether each row is of another query than the one before; the first one is."""
        new = np.ones(len(self), dtype=np.bool_)
        np.not_equal(self.query.length[1:], self.query.length[:-1], out=new[1:])
        for rows, word in words(self.text, self.query):
            if rows is None:
                new[1:] |= word[1:] != word[:-1]
            else:  # rows of equal length have this word or have it not, both
                new[rows[1:]] |= word[1:] != word[:-1]
        return new

    @property
    def alone(self) -> Rows:
        """The same rows on a text that holds little else."""
        first = int(min(self.query.start.min(), self.document.start.min()))
        ends = (int((one.start + one.length).max()) for one in (self.query, self.document))
        text = padded(self.text[first : max(ends)])
        query = Fields(self.query.start - first, self.query.length)
        document = Fields(self.document.start - first, self.document.length)
        return Rows(text, query, document, self.value, self.line)


def padded(text: Bytes) -> Bytes:
    """A copy with room behind it."""
    longer = np.zeros(text.size + PAD, dtype=np.uint8)
    longer[: text.size] = text
    return longer


def joined(parts: Sequence[Rows]) -> Rows:
    """Put rows of several texts together."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(one.text.size for one in parts[:-1])]).tolist()

    def shifted(fields: Sequence[Fields]) -> Fields:
        starts = [one.start + offset for one, offset in zip(fields, offsets, strict=True)]
        return Fields(np.concatenate(starts), np.concatenate([one.length for one in fields]))

    return Rows(
        np.concatenate([one.text for one in parts]),
        shifted([one.query for one in parts]),
        shifted([one.document for one in parts]),
        np.concatenate([one.value for one in parts]),
        np.concatenate([one.line for one in parts]),
    )


def cut(text: Bytes, fields: Fields) -> list[bytes]:
    """The bytes of each field."""
    view = memoryview(text.data)
    places = zip(fields.start.tolist(), fields.length.tolist(), strict=True)
    return [bytes(view[start : start + length]) for start, length in places]


def words(text: Bytes, fields: Fields) -> Iterator[tuple[Ints | None, Words]]:
    """The first 8 bytes of each field, the next 8 of those that are longer, and so on.

    Yields which rows have such a word (None: all), and the words, zeros behind the field's end.
    """
    rows, start, left = None, fields.start, fields.length
    while start.size:
        yield rows, word_at(text, start, np.minimum(left, 8))
        if int(left.min()) <= 8:
            more = np.flatnonzero(left > 8)
            rows = more if rows is None else rows[more]
            start, left = start[more], left[more]
        start, left = start + 8, left - 8


def word_at(text: Bytes, start: Ints, length: Ints) -> Words:
    """The 8 bytes from each start on, those from the length (0 to 8) on as zeros."""
    at_any_byte: Words = np.ndarray((text.size - PAD + 1,), "<u8", text, 0, (1,))
    return at_any_byte[start] & _MASKS.take(length)


def fingerprints(text: Bytes, fields: Fields, seed: Words) -> Words:
    """A number for each field; equal fields of equal seed have the same.

    Up to 8 bytes different fields of one length and seed have different ones; beyond, it is as
    good as certain (1 - 2^-64), and whoever needs more compares the bytes.
    """
    found = seed.copy()
    for rows, word in words(text, fields):
        if rows is None:
            found = _mixed(found, word)
        else:
            found[rows] = _mixed(found[rows], word)
    return found


def _mixed(state: Words, word: Words) -> Words:
    state = state ^ word
    for factor in _FACTORS:  # twice, so that a last byte reaches all others too
        state *= factor
        state ^= state >> _HALF
    return state


def seeds(numbers: Ints) -> Words:
    """A seed for each number, as far from those of its neighbours as from any other."""
    return _mixed(np.zeros(numbers.size, dtype=np.uint64), numbers.astype(np.uint64))


def equal(text: Bytes, fields: Fields, other_text: Bytes, other: Fields) -> Flags:
    """Whether each field is, byte by byte, the one of the other text in the same place."""
    same: Flags = fields.length == other.length
    at = np.flatnonzero(same)
    pairs = zip(words(text, fields[at]), words(other_text, other[at]), strict=True)
    for (rows, word), (_, other_word) in pairs:
        same[at if rows is None else at[rows]] &= word == other_word
    return same


def packed(text: Bytes, fields: Fields) -> tuple[Bytes, Fields]:
    """The fields alone, one behind the other, and where they are then."""
    ends = np.cumsum(fields.length)
    start = ends - fields.length
    total = int(ends[-1]) if ends.size else 0
    source = np.repeat(fields.start - start, fields.length) + np.arange(total)
    return padded(text.take(source)), Fields(start, fields.length)
