"""What of the exact nearest an approximate search found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.core.record import Flags, Floats
from ragproof.index.exact import Distance, Exact, scores_at, slack
from ragproof.index.filters import NO_FILTER, Filters
from ragproof.index.vectors import Places, Vectors


@dataclass(frozen=True)
class Truth:
    """The exact nearest of each query, and all that it takes to hold a search to them."""

    vectors: Vectors
    queries: Vectors
    distance: Distance
    exact: Exact
    filters: Filters = NO_FILTER

    def top(self, k: int) -> Truth:
        """The same for the first k."""
        return Truth(self.vectors, self.queries, self.distance, self.exact.top(k), self.filters)

    @property
    def k(self) -> int:
        """How many of the nearest are looked at."""
        return int(self.exact.places.shape[1])

    @property
    def wanted(self) -> Places:
        """How many there are to find: k, or all that are eligible where they are fewer."""
        return np.minimum(self.k, self.exact.eligible)

    def hits(self, places: Places) -> Places:
        """How many of the nearest a search found; one equally near as the k-th counts.

        `places` has k columns or fewer; -1 counts for nothing, and so does a row that comes again.
        """
        near = scores_at(self.vectors, self.queries, self.distance, places)
        wanted = self.wanted
        last = np.take_along_axis(self.exact.scores, np.maximum(wanted - 1, 0)[:, None], 1)[:, 0]
        least = last - slack(self.vectors, self.queries, self.distance, last, self.exact.longest)
        fine = self.filters.permits(places) & first_of_its_kind(places)
        found: Places = (fine & (near >= least[:, None])).sum(axis=1)
        return np.minimum(found, wanted)

    def recall(self, places: Places) -> Floats:
        """Found / there, for each query; NaN for a query to which nothing is eligible."""
        wanted = self.wanted.astype(np.float64)
        found: Floats = np.divide(
            self.hits(places), wanted, out=np.full(wanted.shape, np.nan), where=wanted > 0
        )
        return found


def first_of_its_kind(places: Places) -> Flags:
    """Whether a place has not come before in its row."""
    order = np.argsort(places, axis=1, kind="stable")
    ranked = np.take_along_axis(places, order, 1)
    again = np.zeros(places.shape, dtype=bool)
    again[:, 1:] = ranked[:, 1:] == ranked[:, :-1]
    found = np.empty_like(again)
    np.put_along_axis(found, order, ~again, 1)
    return found


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search gave one query, in terms of rows."""

    places: tuple[int, ...]
    """Up to k different rows, best first; -1 for an id that no vector has."""
    returned: int
    """Ids that were given, before any was left out."""
    repeated: int = 0
    unknown: tuple[str, ...] = ()
    """Ids that no vector has."""
    error: str | None = None
    """Why there is nothing, where the search failed."""
    absent: bool = False
    """Whether the results say nothing of this query."""


ABSENT = Found(places=(), returned=0, absent=True)


def found_among(ids: Sequence[str], row_of: Mapping[str, int], k: int) -> Found:
    """Read a list of ids: the first k different ones count.

    >>> found_among(["b", "b", "x"], {"a": 0, "b": 1}, 2)
    Found(places=(1, -1), returned=3, repeated=1, unknown=('x',), error=None, absent=False)
    """
    distinct = tuple(dict.fromkeys(ids))[:k]
    return Found(
        places=tuple(row_of.get(one, -1) for one in distinct),
        returned=len(ids),
        repeated=len(ids) - len(set(ids)),
        unknown=tuple(one for one in distinct if one not in row_of),
    )


def placed(found: Sequence[Found], k: int) -> Places:
    """The rows of all queries in one array."""
    places = np.full((len(found), k), -1, dtype=np.intp)
    for at, one in enumerate(found):
        places[at, : len(one.places)] = one.places
    return places
