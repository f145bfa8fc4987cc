"""Which words of a text another keeps, loses, replaces, and which it adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from ragproof.text.pieces import pieces

EXACT = 25 * 10**6
"""Up to this product of lengths (5,000 words a side) the alignment is one of the fewest edits."""


class Kind(StrEnum):
    """What happened to a stretch of words."""

    KEPT = "kept"
    OMITTED = "omitted"
    SUBSTITUTED = "substituted"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words in a row to which the same happened: places in the reference and in the other."""

    kind: Kind
    start: int
    end: int
    other_start: int
    other_end: int

    @property
    def words(self) -> int:
        """How many words it is about."""
        return max(self.end - self.start, self.other_end - self.other_start)


def aligned(reference: Sequence[str], other: Sequence[str]) -> tuple[Stretch, ...]:
    """Lay the words of both side by side with as few edits as can be (Levenshtein).

    Among alignments with equally few edits that which keeps or replaces words is taken before one
    that loses and adds them. Longer texts than EXACT allows are cut where they agree, and aligned
    piece by piece.

    >>> [(one.kind.value, one.words) for one in aligned("a b c".split(), "a x c d".split())]
    [('kept', 1), ('substituted', 1), ('kept', 1), ('inserted', 1)]
    """
    steps: list[tuple[Kind, int, int]] = []
    for one, two in pieces(reference, other, EXACT):
        for kind, at, place in _steps(reference[one], other[two]):
            steps.append((kind, at + one.start, place + two.start))
    return _stretches(steps)


def _steps(one: Sequence[str], other: Sequence[str]) -> list[tuple[Kind, int, int]]:
    """What happened, word by word, with the places before each step."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    columns = _columns(one[start:], other[start:])
    at, place = len(one) - start, len(other) - start
    found: list[tuple[Kind, int, int]] = []
    while at and place:
        kind = Kind.KEPT
        if one[start + at - 1] != other[start + place - 1]:
            kind = _edit(columns[place - 1], 1 << at - 1)
        at -= kind is not Kind.INSERTED
        place -= kind is not Kind.OMITTED
        found.append((kind, start + at, start + place))
    found += [(Kind.OMITTED, start + left, start) for left in reversed(range(at))]
    found += [(Kind.INSERTED, start, start + left) for left in reversed(range(place))]
    found += [(Kind.KEPT, same, same) for same in reversed(range(start))]
    return found[::-1]


Column: TypeAlias = tuple[int, int, int, int]
"""A column of the table of distances, a bit a row: where the distance is one more than in the row
above, where it is one less; where that row has one more than in the column before, or one less."""


def _columns(one: Sequence[str], other: Sequence[str]) -> list[Column]:
    """The table of distances (Myers 1999), by what changes from place to place."""
    if not one or not other:
        return []
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    full = (1 << len(one)) - 1
    up, down = full, 0
    found: list[Column] = []
    for word in other:
        match = places.get(word, 0)
        level = (((match & up) + up) ^ up) | match | down
        rise, fall = down | ~(level | up) & full, up & level
        rise, fall = (rise << 1 | 1) & full, fall << 1 & full
        up, down = fall | ~(level | rise) & full, rise & level
        found.append((up, down, rise, fall))
    return found


def _edit(column: Column, row: int) -> Kind:
    """The last edit of the shortest way to a place whose words differ."""
    up, down, rise, fall = column
    aslant = bool(up & row) - bool(down & row) + bool(rise & row) - bool(fall & row)
    if aslant == 1:
        return Kind.SUBSTITUTED
    return Kind.OMITTED if up & row else Kind.INSERTED


def _stretches(steps: list[tuple[Kind, int, int]]) -> tuple[Stretch, ...]:
    """Join what happened to words in a row."""
    found: list[Stretch] = []
    for kind, run in groupby(steps, key=itemgetter(0)):
        places = list(run)
        (_, at, place), more = places[0], len(places)
        end = at if kind is Kind.INSERTED else at + more
        stop = place if kind is Kind.OMITTED else place + more
        found.append(Stretch(kind, at, end, place, stop))
    return tuple(found)
