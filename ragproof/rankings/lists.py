"""Several runs side by side: of each query the ranked list that each run has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ragproof.core import Json, UsageError
from ragproof.rankings.origin import Origin, named
from ragproof.rankings.rows import Rows, cut
from ragproof.rankings.whole import Scattered, Whole, sorted_together, together

Ranked: TypeAlias = dict[bytes, float]
"""Document to score, the best first: score descending, then id descending, byte by byte."""
Read: TypeAlias = Callable[[], Iterable[Rows]]


@dataclass(frozen=True, kw_only=True)
class FusedRun:
    """One run that several became."""

    way: str
    params: Mapping[str, Json]
    """What its scores depend on."""
    runs: tuple[Path, ...]
    missing: tuple[int, ...]
    """For each run, how many of the queries it lacks: there it had no vote."""
    queries: int
    """Those that any of the runs has."""
    documents: int
    path: Path | None
    """Where it is; None where it was made only to be scored."""


class RunScattered(Exception):
    """The rows of a query do not stand together in a run, which must be held whole."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def side_by_side(
    runs: Sequence[tuple[Read, Origin]],
    scattered: Collection[int] = (),
    *,
    finite: bool = False,
) -> Iterator[tuple[bytes, tuple[Ranked, ...]]]:
    """Yield every query of any run once, with its list in each; empty where a run lacks it.

    Runs in one order of queries are read abreast, so that memory does not grow with them; a query
    waits until every run has told its list or ended. `scattered` holds the numbers of the runs that
    are held whole, because RunScattered was raised for them. Raises UsageError for a document that
    a query has twice and, with `finite`, for a score that is infinite.
    """
    lanes = [
        _lane(at, read, origin, is_scattered=at in scattered, finite=finite)
        for at, (read, origin) in enumerate(runs)
    ]
    count = dict.fromkeys(range(len(runs)), 0)
    """Queries that were read of each run that has not ended."""
    waiting: dict[bytes, dict[int, Ranked]] = {}

    def told(names: Iterable[bytes]) -> Iterator[tuple[bytes, tuple[Ranked, ...]]]:
        for name in names:
            if count.keys() <= waiting[name].keys():
                lists = waiting.pop(name)
                yield name, tuple(lists.get(at, {}) for at in range(len(runs)))

    while count:
        at = min(count, key=count.__getitem__)
        if (found := next(lanes[at], None)) is None:
            del count[at]
            yield from told(list(waiting))
            continue
        count[at] += len(found)
        for name, ranked in found.items():
            waiting.setdefault(name, {})[at] = ranked
        yield from told(found)


def _lane(
    number: int, read: Read, origin: Origin, *, is_scattered: bool, finite: bool
) -> Iterator[dict[bytes, Ranked]]:
    """The lists of some queries after those of others."""
    try:
        for whole in (sorted_together if is_scattered else together)(_known(read, origin, finite)):
            yield dict(_ranked(whole, origin))
    except Scattered:
        if is_scattered:
            raise UsageError(origin.cannot_be_sorted) from None
        raise RunScattered(number) from None


def _known(read: Read, origin: Origin, finite: bool) -> Iterator[Rows]:  # noqa: FBT001
    for rows in read():
        if finite and np.isinf(rows.value).any():
            at = int(np.flatnonzero(np.isinf(rows.value))[0])
            said = f"the score {rows.value[at]} has no place on a scale; it must be finite"
            origin.wrong(int(rows.line[at]), f"{named(rows, at)}: {said}")
        yield rows


def _ranked(whole: Whole, origin: Origin) -> Iterator[tuple[bytes, Ranked]]:
    rows = whole.rows
    ids, scores = cut(rows.text, rows.document), rows.value.tolist()
    bounds = pairwise([*whole.start.tolist(), len(rows)])
    for name, (start, end) in zip(whole.names, bounds, strict=True):
        best = sorted(zip(scores[start:end], ids[start:end], strict=True), reverse=True)
        ranked = {document: score for score, document in best}
        if len(ranked) < end - start:
            _refuse_twice(rows, ids, start, end, origin)
        yield name, ranked


def _refuse_twice(rows: Rows, ids: Sequence[bytes], start: int, end: int, origin: Origin) -> None:
    first: dict[bytes, int] = {}
    for at in range(start, end):
        if (before := first.setdefault(ids[at], at)) < at:
            origin.twice(rows, before, at)
