"""Numbers in digits, with their separators."""

from __future__ import annotations

import re
from functools import lru_cache

from ragproof.text.language import languages

_COMMA = frozenset({"de", "fr", "es", "pt", "it", "ru"})
"""Languages of those that can be told whose decimal sign is a comma."""
_EITHER = frozenset({"ar"})
"""Those that are written with both."""
_TELLING = 5
"""Words that a text must have to tell its language: `mi` is a mile as well as Spanish."""
_SPACE = re.compile("[ \u00a0\u202f'\u2019]")


def values_of(written: str, text: str) -> tuple[float, ...]:
    """Every number that these digits may be, in the language of the text where they leave a doubt.

    One separator before three digits is a doubt: it may group them, or begin a fraction.

    >>> values_of("1,234.5", ""), values_of("1.000", "The dose is 1.000 mg of it.")
    ((1234.5,), (1.0,))
    >>> values_of("1.000", "Es sind 1.000 Euro und nicht mehr."), values_of("1.000", "")
    ((1000.0,), (1.0, 1000.0))
    """
    if written.isdecimal():
        return (float(written),)
    digits = _SPACE.sub("", written)
    signs = [one for one in digits if one in ".,"]
    if not signs:
        return (float(digits),)
    last = signs[-1]
    if len(set(signs)) == 2:
        return (_with_decimal(digits, last if signs.count(last) == 1 else None),)
    if len(signs) > 1:
        return (_with_decimal(digits, None),)
    head, tail = digits.split(last)
    if len(tail) != 3 or len(head) > 3 or not head.strip("0"):
        return (_with_decimal(digits, last),)
    found = []
    decimal = _decimal_signs(text)
    if last in decimal:
        found.append(_with_decimal(digits, last))
    if last not in decimal or len(decimal) > 1:
        found.append(_with_decimal(digits, None))
    return tuple(found)


def _with_decimal(digits: str, sign: str | None) -> float:
    plain = "".join("." if one == sign else one for one in digits if one == sign or one not in ".,")
    return float(plain)


@lru_cache(maxsize=16)
def _decimal_signs(text: str) -> str:
    """What begins a fraction in the language of the text; both where that cannot be told."""
    told = languages(text) if len(text.split()) >= _TELLING else ()
    if not told or not _EITHER.isdisjoint(told):
        return ".,"
    comma = {one in _COMMA for one in told}
    return ".," if len(comma) > 1 else "," if comma.pop() else "."
