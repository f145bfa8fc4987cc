"""Convex combination of two lists' normalised scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ragproof.fusion.lists import T, best_first, scored
from ragproof.fusion.normalising import NORMALISE


def convex(
    dense: Mapping[T, float] | Iterable[tuple[T, float]],
    sparse: Mapping[T, float] | Iterable[tuple[T, float]],
    alpha: float,
    normalise: str = "min-max",
) -> list[tuple[T, float]]:
    """Fuse two lists of ids and scores by their scores, best first.

    score(d) = alpha * dense(d) + (1 - alpha) * sparse(d), both normalised, `min-max` or `z-score`.
    A document that a list lacks is at the bottom of that list's scale: with its lowest normalised
    score, and at 0 where all that it found are equal, so that its only finding counts. Of equal
    scores the one that appeared first comes first. Raises ValueError for an alpha outside 0 to 1,
    an id twice in a list, a score that is not finite.

    Normalised scores are not calibrated (`ragproof.fusion.normalising`): tune alpha on labelled
    queries, and compare with either list alone and with `rrf`.

    >>> convex({"a": 0.98, "b": 0.90}, {"b": 17.4, "c": 3.1}, alpha=0.5)
    [('a', 0.5), ('b', 0.5), ('c', 0.0)]
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be from 0 to 1, got {alpha!r}")
    if normalise not in NORMALISE:
        raise ValueError(f"normalise must be {' or '.join(NORMALISE)}, got {normalise!r}")
    lanes = [NORMALISE[normalise](scored(lane)) for lane in (dense, sparse)]
    lowest = [min([0.0, *lane.values()]) for lane in lanes]
    return best_first(
        {
            one: alpha * lanes[0].get(one, lowest[0]) + (1 - alpha) * lanes[1].get(one, lowest[1])
            for one in dict.fromkeys([*lanes[0], *lanes[1]])
        }
    )
