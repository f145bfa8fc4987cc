"""Which quantities follow from which, and what in a context a quantity follows from."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from ragproof.text.date_forms import Date
from ragproof.text.quantities import in_words, known
from ragproof.text.quantity import Quantity

_GOES_ON = re.compile(r"[\w/°%²³]|[.,:/-]\d|,? \d")
"""What may belong to the quantity before it; the slower way tells."""
_NEAR, _SAME = 1e-4, 1e-9
"""How far apart two may be, relatively, that were converted: fractions, and whole numbers."""


@dataclass(frozen=True)
class Sources:
    """What quantities can follow from in some texts, read no further than those asked for need.

    >>> from ragproof.text.quantities import quantities
    >>> held = Sources(("The term is 24 months.", "It costs forty euros."))
    >>> [held.source(one) for one in quantities("2 years, 40 euros, 7 %")]
    ['24 months', 'forty euros', None]
    """

    texts: tuple[str, ...]
    _found: dict[tuple[Quantity, bool], str | None] = field(default_factory=dict)

    def source(self, one: Quantity, *, rounding: bool = True) -> str | None:
        """What a quantity follows from, as that is written; None where from nothing.

        Words are read where digits do not do.
        """
        asked = one, rounding
        if asked not in self._found:
            self._found[asked] = self._source(one, rounding=rounding)
        return self._found[asked]

    def _source(self, one: Quantity, *, rounding: bool) -> str | None:
        if any(stands_in(one, text) for text in self.texts):
            return one.text
        held = self._digits.first(one, rounding=rounding)
        held = held or self._words.first(one, rounding=rounding)
        if held is not None or not one.parts:
            return held and held.text
        parts = [self.source(part, rounding=rounding) for part in one.parts]
        return ", ".join(part for part in parts if part) if all(parts) else None

    @cached_property
    def _digits(self) -> _Index:
        return _Index.of(self.texts, known)

    @cached_property
    def _words(self) -> _Index:
        return _Index.of(self.texts, in_words)


@dataclass(frozen=True)
class _Index:
    """Quantities by their values, so that only those near enough to one are compared with it."""

    held: list[tuple[int, Quantity]]
    """With the place of their text, in order."""
    dated: list[int]
    """Places in `held`."""
    values: list[float]
    """Of the rest, sorted; `places` has the place of each."""
    places: list[int]

    @classmethod
    def of(cls, texts: Iterable[str], read: Callable[[str], Iterable[Quantity]]) -> _Index:
        """Sort what is read in the texts."""
        held = [(at, one) for at, text in enumerate(texts) for one in read(text)]
        dated: list[int] = []
        sizes: list[tuple[float, int]] = []
        for place, (_, one) in enumerate(held):
            if one.date is None:
                sizes += [(value, place) for value in _sizes(one)]
            else:
                dated.append(place)
        sizes.sort()
        return cls(held, dated, [value for value, _ in sizes], [at for _, at in sizes])

    def first(self, one: Quantity, *, rounding: bool) -> Quantity | None:
        """What it follows from in the first text that has such."""
        if not self.held or not (places := self._near(one)):
            return None
        near = [self.held[at] for at in sorted(places)]
        for _, group in groupby(near, key=lambda held: held[0]):
            found = follows(one, [other for _, other in group], rounding=rounding)
            if found is not None:
                return found
        return None

    def _near(self, one: Quantity) -> Collection[int]:
        """The places of all that it may follow from, and of some others."""
        if one.date is not None:
            return self.dated
        found: set[int] = set()
        for size in _sizes(one):
            far = one.step if one.lean else one.step / 2
            apart = 1.001 * max(_NEAR * abs(size), far) if math.isfinite(size) else 0.0
            start = bisect_left(self.values, size - apart)
            found.update(self.places[start : bisect_right(self.values, size + apart)])
        return found


def _sizes(one: Quantity) -> Sequence[float]:
    """Its values, with the worth of its unit and without; what is no number equals none."""
    sizes = one.values if one.values == one.written else (*one.values, *one.written)
    return sizes if math.isfinite(sum(sizes)) else [one for one in sizes if not math.isnan(one)]


def follows(one: Quantity, held: Iterable[Quantity], *, rounding: bool = True) -> Quantity | None:
    """The first of those held from which this one follows.

    It does where a value is equal in the same base unit; where one of both tells no unit and the
    number is the same; where it is the other rounded to its own last digit, if it has two digits
    or more; and a date does where all that it tells is told.

    >>> from ragproof.text.quantities import quantities
    >>> [two], [months] = quantities("2 years"), quantities("24 months")
    >>> follows(two, [months]).text, follows(two, quantities("2 weeks"))
    ('24 months', None)
    """
    rounded = None
    for other in held:
        if one.date is not None or other.date is not None:
            if _is_dated(one, other):
                return other
        elif one.unit != other.unit and one.unit is not None and other.unit is not None:
            if _is_sterling(one, other) and _equal(one._replace(unit=None), other):
                return other
        elif _equal(one, other):
            return other
        elif rounding and rounded is None and one.step and one.unit == other.unit:
            rounded = other if _rounds(one, other) else None
    return rounded


def stands_in(one: Quantity, text: str) -> bool:
    """Whether a quantity with a unit or a month is written there as it is, which is soon seen.

    >>> from ragproof.text.quantities import quantities
    >>> [one] = quantities("5 km")
    >>> stands_in(one, "It is 5 km."), stands_in(one, "It is 15 km or 5 km2.")
    (True, False)
    """
    ends_in_digits = one.text[-1:].isdigit()
    if one.unit in (None, "clock", "month") and (one.date is None or not ends_in_digits):
        return False
    if one.date is None and ends_in_digits:
        return False
    at = text.find(one.text)
    while at >= 0:
        end = at + len(one.text)
        if _is_apart(text[max(0, at - 2) : at]) and not _GOES_ON.match(text, end):
            return True
        at = text.find(one.text, at + 1)
    return False


def _is_apart(before: str) -> bool:
    """Whether what stands before a number does not belong to it."""
    return not before or (before[-1].isspace() and not before[:-1].isdigit()) or before[-1] in "(["


def _equal(one: Quantity, other: Quantity) -> bool:
    """Of two that have one unit, or not both of them one."""
    is_one_unit = one.unit == other.unit
    mine, theirs = (one.values, other.values) if is_one_unit else (one.written, other.written)
    for a in mine:  # plain loops: every number of an answer meets every one of its context
        for b in theirs:
            if a == b:
                return True
            apart = abs(a - b)
            if apart <= _NEAR * abs(a) and (apart <= _SAME * abs(a) or a % 1 or b % 1):
                return True
    return False


def _rounds(one: Quantity, other: Quantity) -> bool:
    far = (one.step if one.lean else one.step / 2) * (1 + 1e-9)
    for a in one.values:
        for b in other.values:
            if abs(a - b) <= far and one.lean * (b - a) >= 0:
                return True
    return False


def _is_sterling(one: Quantity, other: Quantity) -> bool:
    """Whether one of two is told in £, and the other in pounds of whatever kind."""
    (money, weight) = (one, other) if one.unit == "GBP" else (other, one)
    return money.unit == "GBP" and weight.unit == "g" and "pound" in weight.text


def _is_dated(one: Quantity, other: Quantity) -> bool:
    """Whether a date does; two that are written in one way of two are read alike."""
    if one.date is None or other.date is None:
        return False
    if one.swapped is None or other.swapped is None:
        mine, theirs = (one.date, one.swapped), (other.date, other.swapped)
        return any(_within(a, b) for a in mine if a for b in theirs if b)
    return _within(one.date, other.date)


def _within(one: Date, other: Date) -> bool:
    return all(part in (None, whole) for part, whole in zip(one, other, strict=True))
