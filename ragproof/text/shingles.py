"""Stretches of k characters that a text is made of, and how many two texts share."""

from __future__ import annotations

from collections.abc import Set as AbstractSet


def shingles(text: str, k: int = 5) -> frozenset[str]:
    """Every stretch of k characters of the lower-cased text; a shorter text has none.

    >>> sorted(shingles("Mars!!", 5))
    ['ars!!', 'mars!']
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    text = text.lower()
    return frozenset(text[at : at + k] for at in range(len(text) - k + 1))


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> float | None:
    """What both have, of what either has; None where neither has anything.

    >>> jaccard({"a", "b"}, {"b", "c"})
    0.3333333333333333
    """
    either = len(one | other)
    return len(one & other) / either if either else None
