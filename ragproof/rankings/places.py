"""Where documents stand in their lists: score descending, then id descending, byte by byte.

Only the documents that were asked for get a place, and only ties that hold one of them are put in
order: most of a run is never sorted.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core.arrays import Flags
from ragproof.rankings.rows import Bytes, Fields, Ints, words
from ragproof.rankings.whole import Whole

Scores: TypeAlias = NDArray[np.floating[Any]]


def places(whole: Whole, wanted: Ints, scores: Scores) -> Ints:
    """The place of each wanted row, were all rows in order by query, then score, then id."""
    new = np.zeros(scores.size, dtype=np.bool_)
    new[whole.start] = True
    order = _order(scores, new, whole)
    place = wanted
    if order is not None:
        scores = scores[order]
        place = _inverse(order)[wanted]
    first = new
    first[1:] |= scores[1:] != scores[:-1]
    return place + _among_equals(whole, place, first, order)


def _order(scores: Scores, new: Flags, whole: Whole) -> Ints | None:
    """The rows by query and score; None where they stand so already."""
    rises = scores[1:] > scores[:-1]
    rises &= ~new[1:]
    if not rises.any():
        return None
    query = np.repeat(np.arange(whole.start.size), whole.sizes)
    return np.lexsort((-scores, query))


def _inverse(order: Ints) -> Ints:
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place


def _among_equals(whole: Whole, place: Ints, first: Flags, order: Ints | None) -> Ints:
    """How far each place moves when those of equal score are put in order of their ids.

    `first` says of each place whether its score is not that of the place before.
    """
    moves = np.zeros(place.size, dtype=np.int64)
    last = np.append(first[1:], True)
    tied = np.flatnonzero(~(first[place] & last[place]))
    if not tied.size:
        return moves
    begins = np.flatnonzero(first)
    run_of = np.searchsorted(begins, place[tied], side="right") - 1
    runs = np.flatnonzero(np.bincount(run_of))
    sizes = np.diff(begins, append=first.size)[runs]
    offsets = np.cumsum(sizes) - sizes
    within = np.arange(int(sizes.sum())) - np.repeat(offsets, sizes)
    places = np.repeat(begins[runs], sizes) + within
    rows = places if order is None else order[places]
    by_id = _descending(whole.rows.text, whole.rows.document[rows], np.repeat(runs, sizes))
    now = np.empty_like(by_id)
    now[by_id] = within
    at = offsets[np.searchsorted(runs, run_of)] + place[tied] - begins[run_of]
    moves[tied] = now[at] - within[at]
    return moves


def _descending(text: Bytes, fields: Fields, run: Ints) -> Ints:
    """The order by run, and within it by id, the greatest first."""
    keys = [np.negative(fields.length)]
    for rows, word in words(text, fields):
        key = np.full(fields.length.size, np.iinfo(np.uint64).max, dtype=np.uint64)
        key[slice(None) if rows is None else rows] = ~word.byteswap()
        keys.insert(1, key)
    return np.lexsort([*keys, run])
