"""What two quantities that stand side by side tell together: ranges, fractions, `2 h 30 min`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ragproof.text.quantity import Quantity

_TO = re.compile(
    r"\s?(?:-|\u2010|\u2013|\u2014|~|to|and|or|bis|und|oder|à|et|ou|a|al|y|o|e|到|至|إلى|से)\s?"
)
_DASHES = frozenset("-\u2010\u2013")
_BOTH = frozenset({"and", "or", "und", "oder", "et", "ou", "y", "o", "e"})
"""They join two numbers, each in full: `2 and 5 million`."""
_OF = re.compile(r"/|\s(?:out of|in|in every|von|sur|su|de cada|em cada)\s(?:the\s)?")
_SIDE = re.compile(r",?\s?(?:(?:and|und|et|y|e)\s)?")
_FAR = 12
"""Characters between two that are looked at together."""
_LARGEST = 100
"""Of how many a share is told, but for powers of ten."""
_SIZED = frozenset({"second", "month", "m", "g"})
"""What is told in two units at once."""


Spot: TypeAlias = tuple[int, int, Quantity]
"""Where a quantity begins and ends, and what it is."""


def paired(text: str, spots: Iterable[Spot], *, answer: bool) -> Iterator[Quantity]:
    """The quantities, with what neighbours tell of each other.

    What two make together takes their place in an `answer`, where it has them as its parts; else
    it comes besides.
    """
    begin, past, last = 0, 0, None
    for start, end, one in spots:
        if last is None or start - past > _FAR:
            if last is not None:
                yield last
            begin, past, last = start, end, one
            continue
        joint = text[past:start]
        if (whole := _whole(last, one, joint)) is not None:
            if answer:
                written = text[begin:end].strip()
                past, last = end, whole._replace(text=written, parts=(last, one))
                continue
            yield last
            yield whole
            begin, past, last = start, end, one
            continue
        if _TO.fullmatch(joint):
            last, one = _ranged(last, one, joint)
        yield last
        begin, past, last = start, end, one
    if last is not None:
        yield last


def _whole(one: Quantity, other: Quantity, joint: str) -> Quantity | None:
    """The share or the size that both make; None where they make none."""
    if not (len(one.written) and len(other.written)) or one.parts or other.parts:
        return None
    if one.unit is None and one.scale == other.scale == 1.0 and _OF.fullmatch(joint):
        return _share(one, other, is_fraction=joint == "/")
    if one.unit in _SIZED and one.unit == other.unit and _SIDE.fullmatch(joint):
        return _sum(one, other)
    return None


def _share(one: Quantity, other: Quantity, *, is_fraction: bool) -> Quantity | None:
    """Of `2/3`, `4.5 out of 5`, `1 in 10` and `3/4 inch`."""
    few, all_ = one.written[0], other.written[0]
    is_told = all_.is_integer() and (all_ <= _LARGEST or str(int(all_)).strip("0") == "1")
    if not (0 < few < all_ and all_ > 1 and is_told):
        return None
    part = few / all_
    if other.unit is None:
        share = 100 * part
        return Quantity(one.text, (share,), "%", written=(share, part, few))
    if not is_fraction or other.unit == "%":
        return None
    size = part * other.values[0] / all_
    return Quantity(one.text, (size,), other.unit, written=(part,))


def _sum(one: Quantity, other: Quantity) -> Quantity | None:
    """Of `2 h 30 min` and `5 ft 11 in`: the second is less than one of the first's unit."""
    if not (one.written[0] and other.written[0] and one.written[0].is_integer()):
        return None
    worth = one.values[0] / one.written[0]
    if not 0 < other.values[0] < worth:
        return None
    size = one.values[0] + other.values[0]
    return Quantity(one.text, (size,), one.unit, written=(size / worth,))


def _ranged(one: Quantity, other: Quantity, joint: str) -> tuple[Quantity, Quantity]:
    """What the ends of a range tell of each other: `10-20 mg`, `3 to 5 million`, `1998-99`."""
    if not one.values or not other.values:
        return one, other
    if joint in _DASHES and _goes_on(one, other):
        years = (other.values[0], one.values[0] // 100 * 100 + other.values[0])
        return one, other._replace(values=years, written=years, step=0.0)
    bare = other.written[0] / other.scale
    if other.scale != one.scale == 1.0 and joint.strip() not in _BOTH and one.written[0] < bare:
        values = (*one.values, *[value * other.scale for value in one.values])
        one = one._replace(values=values, written=values, step=0.0)
    is_bare = one.unit is None and (one.scale == 1.0 or other.scale != 1.0)
    if is_bare and other.unit not in (None, "clock", "phone"):
        worth = other.values[0] / other.written[0] if other.written[0] else 1.0
        given = tuple([value * worth for value in one.values])
        if other.unit == "°C" and worth != 1.0:
            given = tuple([(value - 32) / 1.8 for value in one.values])
            worth = 1.0
        one = one._replace(values=given, unit=other.unit, step=one.step * worth)
    return one, other


def _goes_on(one: Quantity, other: Quantity) -> bool:
    """Whether the second of two years is told by its last two digits."""
    first, second = one.text, other.text
    told = first.isdecimal() and second.isdecimal() and len(first) == 4 and len(second) == 2
    return told and second > first[2:]
