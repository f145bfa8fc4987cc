"""What every way to fuse asks of its lists, and how it orders what comes of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def distinct(items: Sequence[T]) -> Sequence[T]:
    """The list, if nothing is in it twice; else raise ValueError.

    One text is no list: its letters would be fused.
    """
    if isinstance(items, str | bytes):
        raise ValueError(f"a ranked list must be a list of ids, got the text {items!r}")  # noqa: TRY004
    if len(items) > len(set(items)):
        seen: set[T] = set()
        twice = next(one for one in items if one in seen or seen.add(one))  # type: ignore[func-returns-value]
        raise ValueError(f"a ranked list must hold each id once, {twice!r} is there again")
    return items


def weights_for(weights: Sequence[float] | None, lists: int) -> Sequence[float]:
    """A weight for each list; 1 each where none are given."""
    if weights is None:
        return [1.0] * lists
    if len(weights) != lists:
        raise ValueError(f"{lists} lists need {lists} weights, got {len(weights)}")
    for one in weights:
        if not (isfinite(one) and one >= 0):
            raise ValueError(f"a weight must be a number of at least 0, got {one!r}")
    return weights


def best_first(scores: Mapping[T, float]) -> list[tuple[T, float]]:
    """By score descending; of equals the one that came first."""
    return sorted(scores.items(), key=lambda one: -one[1])


def scored(lane: Mapping[T, float] | Iterable[tuple[T, float]]) -> dict[T, float]:
    """The list as a mapping; raise ValueError for an id twice or a score that is not finite."""
    pairs = list(lane.items()) if isinstance(lane, Mapping) else list(lane)
    distinct([one for one, _ in pairs])
    for one, score in pairs:
        if not isfinite(score):
            raise ValueError(f"the score of {one!r} must be a finite number, got {score!r}")
    return dict(pairs)
