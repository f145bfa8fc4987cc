"""Cut two long texts where they surely agree, so that they can be compared piece by piece."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

Tokens: TypeAlias = Sequence[Hashable]
Place: TypeAlias = tuple[slice, slice]
WINDOWS = (32, 8)
"""Lengths of the stretches that are looked for in both, in turn."""


def pieces(one: Tokens, other: Tokens, limit: int) -> Iterator[Place]:
    """Yield stretches of both that belong together, in order; together they are all of both.

    The product of their lengths is about `limit` at most, but where one of them is a single token.
    The sum of the edits of the pieces is never less than the edits of the whole.
    """
    yield from _cut(one, other, (slice(0, len(one)), slice(0, len(other))), limit, 0)


def _cut(one: Tokens, other: Tokens, place: Place, limit: int, turn: int) -> Iterator[Place]:
    mine, theirs = place
    lengths = mine.stop - mine.start, theirs.stop - theirs.start
    if lengths[0] * lengths[1] <= limit or min(lengths) <= 1:
        yield place
    elif turn == len(WINDOWS):
        yield from _evenly(place, limit)
    else:
        for part in _between(place, _anchors(one, other, place, WINDOWS[turn]), limit):
            yield from _cut(one, other, part, limit, turn + 1)


def _anchors(one: Tokens, other: Tokens, place: Place, window: int) -> list[tuple[int, int]]:
    """Places of stretches that stand once in each, as many as keep one order.

    Of the first text only every so many are looked at: there are enough, and memory is spared.
    """
    mine, theirs = place
    seen = _once(one, range(mine.start, mine.stop - window + 1, window), window)
    places: dict[Hashable, int] = {}
    for at in range(theirs.start, theirs.stop - window + 1):
        part = _hashable(other[at : at + window])
        if part in seen:
            places[part] = -1 if part in places else at
    return _rising([(at, places[part]) for part, at in seen.items() if places.get(part, -1) >= 0])


def _once(text: Tokens, starts: range, window: int) -> dict[Hashable, int]:
    """Each stretch that stands at only one of these places, in order."""
    seen: dict[Hashable, int] = {}
    for at in starts:
        part = _hashable(text[at : at + window])
        seen[part] = -1 if part in seen else at
    return {part: at for part, at in seen.items() if at >= 0}


def _hashable(part: Tokens) -> Hashable:
    return part if isinstance(part, str) else tuple(part)


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection in which the second numbers rise, too."""
    ends: list[int] = []
    chain: list[int] = []
    before: list[int] = []
    for at, (_, second) in enumerate(pairs):
        place = bisect_left(ends, second)
        before.append(chain[place - 1] if place else -1)
        ends[place : place + 1] = [second]
        chain[place : place + 1] = [at]
    found: list[tuple[int, int]] = []
    at = chain[-1] if chain else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _between(place: Place, anchors: list[tuple[int, int]], limit: int) -> Iterator[Place]:
    """Cut at as few anchors as keep the pieces small."""
    mine, theirs = place
    start, begin = last, end = mine.start, theirs.start
    for at, also in (*anchors, (mine.stop, theirs.stop)):
        if (at - start) * (also - begin) > limit and (last, end) != (start, begin):
            yield slice(start, last), slice(begin, end)
            start, begin = last, end
        last, end = at, also
    yield slice(start, mine.stop), slice(begin, theirs.stop)


def _evenly(place: Place, limit: int) -> Iterator[Place]:
    """Pieces of equal share, where nothing tells what belongs together."""
    mine, theirs = place
    lengths = mine.stop - mine.start, theirs.stop - theirs.start
    parts = int((lengths[0] * lengths[1] / limit) ** 0.5) + 1
    parts = min(parts, max(lengths))
    cuts = [
        (mine.start + lengths[0] * at // parts, theirs.start + lengths[1] * at // parts)
        for at in range(1, parts)
    ]
    starts = [(mine.start, theirs.start), *cuts]
    for (start, begin), (end, stop) in zip(starts, [*cuts, (mine.stop, theirs.stop)], strict=True):
        yield slice(start, end), slice(begin, stop)
