"""The judged documents that a run has: all that any measure looks at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ragproof.core.arrays import Flags, Floats
from ragproof.rankings.rows import Ints


@dataclass(frozen=True, eq=False)
class Found:
    """Judged documents of a run, query by query in order of rank; and what there was to find."""

    query: Ints
    """Shape (found,): number of the query."""
    rank: Ints
    """Shape (found,): from 0."""
    grade: Ints
    """Shape (found,): a negative one says that the document was not judged after all."""
    returned: Ints
    """Shape (queries,): documents in the query's list; 0 where the run lacks it."""
    judged_query: Ints
    """Shape (judgments,)."""
    judged_grade: Ints
    _relevant: dict[int, Relevant] = field(default_factory=dict)

    @property
    def queries(self) -> int:
        """Queries that have judgments."""
        return int(self.returned.size)

    def count(self, which: Flags) -> Ints:
        """Per query, how many of the found documents are meant."""
        return np.bincount(self.query[which], minlength=self.queries)

    def summed(self, query: Ints, weights: Floats) -> Floats:
        """Sum these weights by the queries that they belong to."""
        return np.bincount(query, weights, minlength=self.queries).astype(np.float64)

    def relevant(self, level: int) -> Relevant:
        """The relevant documents: those of at least this grade."""
        if level not in self._relevant:
            which, there = self.grade >= level, self.judged_grade >= level
            query = self.query[which]
            total = np.bincount(self.judged_query[there], minlength=self.queries)
            self._relevant[level] = Relevant(query, self.rank[which], numbered(query), total)
        return self._relevant[level]


@dataclass(frozen=True, eq=False)
class Relevant:
    """The relevant documents among those that were found."""

    query: Ints
    rank: Ints
    order: Ints
    """1 for a query's first relevant document, 2 for its second, ..."""
    total: Ints
    """Shape (queries,): relevant documents that there are, found or not."""

    def per_query(self, which: Flags | None = None, weights: Floats | None = None) -> Floats:
        """Count these documents per query, or sum their weights."""
        query = self.query if which is None else self.query[which]
        if weights is not None and which is not None:
            weights = weights[which]
        return np.bincount(query, weights, minlength=self.total.size).astype(np.float64)


def numbered(query: Ints) -> Ints:
    """Count from 1 within each stretch of equal numbers.

    >>> numbered(np.array([4, 4, 2, 7, 7, 7])).tolist()
    [1, 2, 1, 1, 2, 3]
    """
    first = np.flatnonzero(np.diff(query, prepend=-1))
    return np.arange(1, query.size + 1) - np.repeat(first, np.diff(first, append=query.size))
