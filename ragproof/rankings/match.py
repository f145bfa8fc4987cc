"""A run held against judgments: which judged documents it has, and at which ranks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ragproof.core.arrays import Floats
from ragproof.rankings.found import Found
from ragproof.rankings.judgments import Judgments, alike, document_prints, refuse_twice
from ragproof.rankings.origin import Origin
from ragproof.rankings.places import Scores, places
from ragproof.rankings.rows import Ints
from ragproof.rankings.whole import Whole


@dataclass(frozen=True, eq=False)
class Matched:
    """What a run has of the judged documents."""

    found: Found
    unjudged_queries: int
    """Queries of the run for which nothing was judged: they count nowhere."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The judged documents of some queries, query by query in order of rank."""

    query: Ints
    rank: Ints
    grade: Ints


def match(
    parts: Iterable[Whole], judged: Judgments, origin: Origin, *, float32: bool = False
) -> Matched:
    """Go through a run; raises UsageError for a document that a query has twice."""
    returned = np.zeros(len(judged.code), dtype=np.int64)
    kept, strangers = [], 0
    for whole in parts:
        codes = np.array([judged.code.get(name, -1) for name in whole.names])
        known = codes >= 0
        returned[codes[known]] = whole.sizes[known]
        strangers += int(np.count_nonzero(~known))
        kept.append(_part(whole, codes, judged, origin, float32=float32))
    found = Found(
        query=_joined([one.query for one in kept]),
        rank=_joined([one.rank for one in kept]),
        grade=_joined([one.grade for one in kept]),
        returned=returned,
        judged_query=judged.query,
        judged_grade=judged.grade,
    )
    return Matched(found, strangers)


def _part(whole: Whole, codes: Ints, judged: Judgments, origin: Origin, *, float32: bool) -> _Part:
    rows, sizes = whole.rows, whole.sizes
    known = codes >= 0
    apart = np.where(known, codes, -1 - np.arange(codes.size))  # strangers are not each other
    prints = document_prints(rows, apart, sizes)
    if (suspects := alike(prints)).size:
        refuse_twice(rows, np.repeat(apart, sizes), suspects, origin)
    query = np.repeat(np.where(known, codes, len(judged.code)), sizes)
    here, judgment = judged.find(query, prints, rows)
    scores = _single(rows.value) if float32 else rows.value
    place = places(whole, here, scores)
    order = np.argsort(place)
    begin = whole.start[np.searchsorted(whole.start, here, side="right") - 1]
    found = judgment[order]
    return _Part(judged.query[found], (place - begin)[order], judged.grade[found])


def _single(scores: Floats) -> Scores:
    """As trec_eval 9 holds them: what is beyond single precision is infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])
