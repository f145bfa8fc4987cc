"""Rows as they come, put together so that all rows of a query are there at once.

Most run files hold the rows of a query together. Then what goes through is a view of what was read;
only queries that a block's end cuts in two are copied. Others are held whole and sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ragproof.rankings.rows import Ints, Rows, joined

AT_ONCE = 20_000
"""Rows of queries that were cut in two which are put together before they go on."""


class Scattered(Exception):
    """A query came again after others."""


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """All rows of some queries, query by query."""

    rows: Rows
    start: Ints
    """The first row of each query."""
    names: list[bytes]

    @property
    def sizes(self) -> Ints:
        """Rows of each query."""
        return np.diff(self.start, append=len(self.rows))


def together(blocks: Iterable[Rows]) -> Iterator[Whole]:
    """Yield whole queries; raises Scattered where the rows of one do not stand together."""
    seen: set[bytes] = set()
    for whole in _adjacent(blocks):
        before = len(seen)
        seen.update(whole.names)
        if len(seen) < before + len(whole.names):
            raise Scattered
        yield whole


def sorted_together(blocks: Iterable[Rows]) -> Iterator[Whole]:
    """Yield whole queries, though their rows are scattered; holds all rows at once.

    Raises Scattered where there are none: what cannot be read twice gives nothing the second time.
    """
    parts = [one.alone for one in blocks]
    if not parts:
        raise Scattered
    rows = joined(parts)
    start = np.flatnonzero(rows.begins)
    code: dict[bytes, int] = {}
    codes = np.array([code.setdefault(one, len(code)) for one in rows.names(start)])
    of_row = np.repeat(codes, np.diff(start, append=len(rows)))
    order = np.argsort(of_row, kind="stable")
    bounds = np.searchsorted(of_row[order], np.arange(len(code) + 1))
    names = list(code)
    first = 0
    while first < len(names):
        last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + AT_ONCE, "right")) - 1)
        some = rows[order[bounds[first] : bounds[last]]]
        yield Whole(some, bounds[first:last] - bounds[first], names[first:last])
        first = last


def _adjacent(blocks: Iterable[Rows]) -> Iterator[Whole]:
    """Queries whose rows stand together; a query whose rows do not comes more than once."""
    open_, closed = list[Rows](), list[Rows]()
    for rows in blocks:
        start = np.flatnonzero(rows.begins)
        if open_ and rows.names(start[:1]) != open_[0].names(start[:1]):
            closed.append(joined(open_))
            open_ = []
        if open_ and start.size > 1:  # the query that the last block cut ends here
            closed.append(joined([*open_, rows[: start[1]].alone]))
            open_, start = [], start[1:]
        if not open_ and start.size > 1:
            middle = rows[start[0] : start[-1]]
            yield Whole(middle, start[:-1] - start[0], rows.names(start[:-1]))
        open_.append(rows[start[-1] :].alone)
        if sum(map(len, closed)) >= AT_ONCE:
            yield _sealed(closed)
            closed = []
    if open_:
        yield _sealed([*closed, joined(open_)])


def _sealed(closed: list[Rows]) -> Whole:
    """Whole queries, one each."""
    sizes = np.array([len(one) for one in closed])
    names = [one.names(np.zeros(1, dtype=np.int64))[0] for one in closed]
    return Whole(joined(closed), np.cumsum(sizes) - sizes, names)
