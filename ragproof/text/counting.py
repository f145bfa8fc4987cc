"""Numbers and what they count, in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Write a number and its thing, the last word of which is in the plural but for one.

    >>> counted(1, "case"), counted(1200, "unjudged source"), counted(0, "query")
    ('1 case', '1,200 unjudged sources', '0 queries')
    """
    return f"{number:,} {thing if number == 1 else _several(thing)}"


def _several(thing: str) -> str:
    if thing.endswith("y") and not thing.endswith(("ay", "ey", "oy")):
        return f"{thing[:-1]}ies"
    return f"{thing}es" if thing.endswith(("s", "x", "ch", "sh")) else f"{thing}s"
