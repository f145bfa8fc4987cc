"""How many edits make one text of another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from ragproof.text.pieces import pieces

try:  # some hundred times as fast; the figures are the same
    from rapidfuzz.distance import Levenshtein
except ImportError:  # pragma: no cover  the extra `text` is installed where this is tested
    Levenshtein = None  # type: ignore[assignment]

Tokens: TypeAlias = Sequence[Hashable]
"""A text's characters, or its words."""
EXACT = 10**10
"""Up to this product of lengths (100,000 characters a side) the count is exact."""


def edits(reference: Tokens, other: Tokens) -> int:
    """Count insertions, deletions and substitutions of one token (Levenshtein).

    Where the product of the lengths is above EXACT, both are cut where they surely agree and the
    pieces are compared: this can only count too many, and hardly ever does.

    >>> edits("moons", "m00n")
    3
    """
    reference, other = without_shared_ends(reference, other)
    if len(reference) * len(other) <= EXACT:
        return distance(reference, other)
    return sum(
        distance(reference[one], other[two]) for one, two in pieces(reference, other, EXACT // 100)
    )


def is_exact(reference: Tokens, other: Tokens) -> bool:
    """Whether `edits` surely is the least number."""
    reference, other = without_shared_ends(reference, other)
    return len(reference) * len(other) <= EXACT


def likeness(one: str, other: str, least: float = 0.0) -> float:
    """1 less the edits per character of the longer text; 0 where it is below `least`.

    >>> likeness("abcd", "abxd")
    0.75
    """
    longest = max(len(one), len(other))
    if not longest:
        return 1.0
    if 1 - abs(len(one) - len(other)) / longest < least:
        return 0.0
    if Levenshtein is not None and least and longest**2 <= EXACT:  # it may give up early
        most = int((1 - least) * longest) + 1
        found = 1 - Levenshtein.distance(one, other, score_cutoff=most) / longest
    else:
        found = 1 - edits(one, other) / longest
    return found if found >= least else 0.0


def without_shared_ends(one: Tokens, other: Tokens) -> tuple[Tokens, Tokens]:
    """Take off what both begin and what both end with: no edit is made there.

    >>> without_shared_ends("abXcd", "abYYcd")
    ('X', 'YY')
    """
    start = _shared(one, other, 1)
    one, other = one[start:], other[start:]
    end = _shared(one, other, -1)
    return one[: len(one) - end], other[: len(other) - end]


def distance(one: Tokens, other: Tokens) -> int:
    """Levenshtein's distance, whatever it takes."""
    if Levenshtein is None:
        return plain_distance(one, other)
    # The guess keeps the search narrow as long as it holds; it does not limit what is found.
    return int(Levenshtein.distance(one, other, score_hint=max(len(one), len(other)) // 16 + 16))


def plain_distance(one: Tokens, other: Tokens) -> int:
    """The same in plain Python: a column of the table is two numbers, a bit a row (Myers 1999)."""
    if not one:
        return len(other)
    places: dict[Hashable, int] = {}
    for at, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << at
    full, last = (1 << len(one)) - 1, 1 << len(one) - 1
    up, down, found = full, 0, len(one)
    for token in other:
        match = places.get(token, 0)
        level = (((match & up) + up) ^ up) | match | down
        rise, fall = down | ~(level | up) & full, up & level
        found += bool(rise & last) - bool(fall & last)
        rise, fall = (rise << 1 | 1) & full, fall << 1 & full
        up, down = fall | ~(level | rise) & full, rise & level
    return found


def _shared(one: Tokens, other: Tokens, step: int) -> int:
    """How many tokens both begin with (step 1) or end with (step -1)."""
    most = min(len(one), len(other))
    low, high = 0, most
    while low < high:  # comparing stretches is much faster than comparing tokens
        middle = (low + high + 1) // 2
        if step == 1:
            same = one[low:middle] == other[low:middle]
        else:
            same = (
                one[len(one) - middle : len(one) - low]
                == other[len(other) - middle : len(other) - low]
            )
        low, high = (middle, high) if same else (low, middle - 1)
    return low
