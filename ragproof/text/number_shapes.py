"""Shapes that digits stand in: powers of ten, fractions without a zero, telephone numbers."""

# ruff: noqa: RUF002  # signs of other scripts are what this is about

from __future__ import annotations

import re

_EXPONENT = re.compile(r"[eE]([-+\u2212]?0?\d{1,2})(?![.,]?\w)")
_RAISED = "\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2}"
_OF_TEN = rf"(?:(?:\^|\*\*)[{{(]?([-+\u2212]?\d{{1,2}})[}})]?|({_RAISED}))(?!\d)"
_TIMES_TEN = re.compile(rf"\s?[\u00d7\u22c5\u00b7*x]\s?10{_OF_TEN}")
_TEN = re.compile(_OF_TEN)
_BEGINS = frozenset(
    "eE^* \u00d7\u22c5\u00b7x\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)
_TIMES = frozenset("*x\u00d7\u22c5\u00b7")
_LOWERED = str.maketrans(
    "\u207b\u2212\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "--0123456789"
)
_PHONE = re.compile(r"(?:\d{1,3}[ .-]\(?)?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}(?![.,-]?\d)")
_CALLED = 10
"""Digits of a telephone number without that of its country."""


def power_at(text: str, end: int, digits: str) -> tuple[float, int] | None:
    """What the number that ends there is to be multiplied by, and where its exponent ends.

    >>> power_at("1.5e-3", 3, "1.5"), power_at("6.02 × 10^2", 4, "6.02"), power_at("10⁶", 2, "10")
    ((0.001, 6), (100.0, 11), (100000.0, 3))
    >>> power_at("5 x 10 cm", 1, "5") is None
    True
    """
    behind = text[end : end + 1]
    if behind not in _BEGINS or (behind == " " and text[end + 1 : end + 2] not in _TIMES):
        return None
    if found := _EXPONENT.match(text, end) or _TIMES_TEN.match(text, end):
        return 10.0 ** _exponent(found), found.end()
    if digits == "10" and (found := _TEN.match(text, end)):
        return 10.0 ** (_exponent(found) - 1), found.end()
    return None


def _exponent(found: re.Match[str]) -> int:
    told = next(one for one in found.groups() if one is not None)
    return int(told.translate(_LOWERED))


def phone_at(text: str, start: int) -> tuple[float, int] | None:
    """The telephone number that begins there, without its country, and where it ends.

    >>> phone_at("555) 010-0199", 0), phone_at("1 555 010 0199", 0), phone_at("1 555 010", 0)
    ((5550100199.0, 13), (5550100199.0, 14), None)
    """
    found = _PHONE.match(text, start)
    if found is None:
        return None
    digits = "".join(filter(str.isdecimal, found[0]))
    return float(digits[-_CALLED:]), found.end()


def lacks_its_zero(text: str, start: int) -> bool:
    """Whether the digits that begin there are a fraction: `.05`.

    >>> lacks_its_zero("p < .05", 5), lacks_its_zero("No.5", 3), lacks_its_zero("1.5", 2)
    (True, False, False)
    """
    return text[start - 1 : start] == "." and text[max(0, start - 2) : start - 1] in _APART


_APART = frozenset(["", *" <>=(~\u2248$\u2264\u2265\u00b1-\u2212\n\t|"])
