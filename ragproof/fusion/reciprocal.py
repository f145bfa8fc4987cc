"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isfinite

from ragproof.fusion.lists import T, best_first, distinct, weights_for


def rrf(
    lists: Sequence[Sequence[T]], k: float = 60, *, weights: Sequence[float] | None = None
) -> list[tuple[T, float]]:
    """Fuse ranked lists of ids by their places alone, best first.

    score(d) = sum over the lists that hold d of weight / (k + rank), rank from 1. A list without d
    gives it no vote. Of equal scores the one that appeared first comes first: in the first list,
    then in the second, and so on. Raises ValueError for k <= 0, for an id that a list holds twice
    and for weights that are negative, not one a list or more than a score can be. Cormack, Clarke,
    Buettcher, SIGIR 2009.

    >>> dense, sparse = ["a", "b", "c"], ["b", "d"]
    >>> [(one, round(score, 5)) for one, score in rrf([dense, sparse])]
    [('b', 0.03252), ('a', 0.01639), ('d', 0.01613), ('c', 0.01587)]
    >>> rrf([dense, sparse], weights=[1, 0])[0][0]
    'a'
    """
    if not k > 0:
        raise ValueError(f"k must be greater than 0, got {k!r}")
    shares = weights_for(weights, len(lists))
    if not isfinite(sum(one / (k + 1) for one in shares)):
        raise ValueError(f"the weights {list(shares)} add up to a score that no double holds")
    votes: dict[T, list[float]] = {}
    for items, weight in zip(lists, shares, strict=True):
        for rank, one in enumerate(distinct(items), 1):
            votes.setdefault(one, []).append(weight / (k + rank))
    return best_first({one: fsum(given) for one, given in votes.items()})
