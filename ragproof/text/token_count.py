"""How many tokens a text has, by rules that need no model: an estimate that says what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

COUNTS: Mapping[str, Callable[[str], int]] = {
    "characters": lambda text: -(-len(text) // 4),
    "words": lambda text: len(text.split()),
}
"""By name: 4 characters a token, rounded up; or a token a word between white space."""


def counting(name: str) -> Callable[[str], int]:
    """Give the count of that name. Raises ValueError for another.

    Example:
        >>> counting("characters")("seven letters"), counting("words")("seven letters")
        (4, 2)
    """
    if name not in COUNTS:
        raise ValueError(f"tokens must be {' or '.join(COUNTS)}, got {name!r}")
    return COUNTS[name]
