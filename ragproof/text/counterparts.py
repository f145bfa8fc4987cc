"""Texts that are the same but for a few edits: which of one list is which of another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.text.edits import likeness

Texts: TypeAlias = Mapping[int, str]
"""Place in the list to the text, of those that still look for a counterpart."""
STEPS = (0.95, 0.9)
"""Pairs so alike are looked for first. In documents that were read at all few are left then."""
GRAMS = (8, 4)
"""So many characters in a row are looked up; texts that need not share any are compared."""
NOWHERE: list[int] = []
BINS = 64
"""Characters are counted in so many bins."""
ROUNDING = 1e-9


def matched(expected: Sequence[str], got: Sequence[str], least: float) -> list[int | None]:
    """For each expected text the place of the one that is it, each taken once.

    Equal texts find each other first, in order; then the most alike, as long as they are at least
    so alike; among equals those whose places are nearest. Texts are alike by 1 less the edits per
    character of the longer one.

    >>> matched(["footnote", "caption"], ["captoin", "other", "footnote"], 0.7)
    [2, 0]
    """
    found = _equal(expected, got)
    taken = {at for at in found if at is not None}
    mine = {at: one for at, one in enumerate(expected) if found[at] is None}
    theirs = {at: one for at, one in enumerate(got) if at not in taken}
    for step in (*(one for one in STEPS if one > least), least):
        if not mine or not theirs:
            break
        pairs = [
            (-alike, abs(at - place), at, place)
            for at, places in possible(mine, theirs, step)
            for place in places
            if (alike := likeness(mine[at], theirs[place], step)) >= step
        ]
        for _, _, at, place in sorted(pairs):
            if at in mine and place in theirs:
                found[at] = place
                del mine[at], theirs[place]
    return found


def _equal(expected: Sequence[str], got: Sequence[str]) -> list[int | None]:
    places: dict[str, deque[int]] = defaultdict(deque)
    for at, one in enumerate(got):
        places[one].append(at)
    return [places[one].popleft() if places[one] else None for one in expected]


def possible(mine: Texts, theirs: Texts, least: float) -> Iterator[tuple[int, Sequence[int]]]:
    """For each of mine, in order, those of theirs that can be so alike, and some that are not.

    With k edits between two texts, of k + 1 pieces of one at least one stands in the other as it
    is. Of each piece the stretch is looked up that the fewest have.
    """
    grams: dict[int, Mapping[str, list[int]]] = {}
    loose: list[int] = []
    for at, text in mine.items():
        edits = int((1 - least) * len(text) / least + ROUNDING)
        size = next((gram for gram in GRAMS if len(text) // (edits + 1) >= gram), None)
        if size is None:
            loose.append(at)
            continue
        if size not in grams:
            grams[size] = _grams(theirs, size)
        yield at, sorted(_sharing(text, edits + 1, size, grams[size]))
    yield from _of_like_letters({at: mine[at] for at in loose}, theirs, least)


def _grams(texts: Texts, size: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, text in texts.items():
        for gram in {text[at : at + size] for at in range(len(text) - size + 1)}:
            found[gram].append(place)
    return dict(found)


def _sharing(text: str, pieces: int, size: int, grams: Mapping[str, list[int]]) -> set[int]:
    found: set[int] = set()
    ends = [len(text) * at // pieces for at in range(pieces + 1)]
    for start, end in pairwise(ends):
        windows = (text[at : at + size] for at in range(start, end - size + 1))
        fewest: list[int] = min((grams.get(one, NOWHERE) for one in windows), key=len)
        found.update(fewest)
    return found


def _of_like_letters(
    mine: Texts, theirs: Texts, least: float
) -> Iterator[tuple[int, Sequence[int]]]:
    """Those whose lengths and letters differ by no more than the edits allowed.

    An edit changes the counts of letters by 2 together at most, and those of bins by no more.
    """
    if not mine:
        return
    order = sorted(theirs, key=lambda place: len(theirs[place]))
    places, lengths = np.array(order), [len(theirs[place]) for place in order]
    counts = np.stack([_letters(theirs[place]) for place in order])
    for at, text in mine.items():
        first = bisect_left(lengths, len(text) * least - ROUNDING)
        last = bisect_right(lengths, len(text) / least + ROUNDING)
        if first == last:
            continue
        longer = np.maximum(np.array(lengths[first:last]), len(text))
        apart = np.abs(np.array(lengths[first:last]) - len(text))
        differing = np.abs(counts[first:last] - _letters(text)).sum(axis=1)
        can_be = (differing + apart) / 2 <= (1 - least) * longer + ROUNDING
        yield at, sorted(places[first:last][can_be].tolist())


def _letters(text: str) -> NDArray[np.int32]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) % BINS
    return np.bincount(codes, minlength=BINS).astype(np.int32)
