"""What an answer works out before the reader's eyes: its sums, differences and changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from itertools import permutations

from ragproof.text.quantities import quantities
from ragproof.text.quantity import Quantity

_BREAK = re.compile("(?<=[.!?]) |(?<=[\u3002\uff01\uff1f])|\n")
"""Roughly where sentences end."""
_DIGITS = re.compile(r"\d+")
_FEWEST, _MOST = 2, 12
"""Quantities of a sentence; of more any figure could be made."""
_YEARS = range(1000, 2201)
_DAY = 86_400.0
_NEAR = 1e-6


def worked_out(
    one: Quantity, answer: str, source: Callable[[Quantity], str | None]
) -> tuple[str, str] | None:
    """The two quantities from which one follows that itself is not in the context.

    Both stand in a sentence of the answer with it, and follow from a `source`. It is their sum or
    difference, for a percentage their change or the share of the smaller one, for a time what lies
    between two years, dates or times of day.

    >>> [*_, made] = quantities("It rose from $10 million to $12 million, by 20 %.")
    >>> worked_out(made, "It rose from $10 million to $12 million, by 20 %.", lambda one: one.text)
    ('$10 million', '$12 million')
    """
    for sentence in _sentences(answer):
        if one.text not in sentence:
            continue
        held = quantities(sentence, answer=True)
        if len(held) > _MOST:
            continue
        near = [
            (a, b) for a, b in permutations(held, 2) if one not in (a, b) and _follows(one, a, b)
        ]
        for a, b in near:
            if source(a) is not None and source(b) is not None:
                return a.text, b.text
    return None


@lru_cache(maxsize=4)
def _sentences(answer: str) -> tuple[str, ...]:
    """Those with two figures in digits or more."""
    return tuple(one for one in _BREAK.split(answer) if len(_DIGITS.findall(one)) >= _FEWEST)


def _follows(one: Quantity, a: Quantity, b: Quantity) -> bool:
    if not one.values:
        return False
    far = max(one.step / 2, _NEAR * abs(one.values[0])) * (1 + _NEAR)
    if one.unit == "%":
        far = max(far, _last_place(one.text) / 2)
    return any(abs(one.values[0] - told) <= far for told in _made(one, a, b))


def _made(one: Quantity, a: Quantity, b: Quantity) -> Iterator[float]:
    """What can be made of two, in the unit of the one."""
    if a.date and b.date:
        if one.unit == "second" and None not in (*a.date, *b.date):
            yield _days(b) - _days(a)
        return
    if not (a.values and b.values):
        return
    x, y = a.values[0], b.values[0]
    if a.unit == b.unit == (one.unit or a.unit):
        yield x + y
        yield y - x
    elif a.unit == b.unit is None and one.unit == "month" and int(x) in _YEARS and int(y) in _YEARS:
        yield 12 * (y - x)
    elif a.unit == b.unit == "clock" and one.unit == "second":
        yield 60 * (y - x)
    if one.unit == "%" and a.unit == b.unit != "%" and x > 0 and y > 0:
        yield 100 * abs(y - x) / x
        if x < y:
            yield 100 * x / y


def _days(one: Quantity) -> float:
    year, month, day = one.date or (None, None, None)
    try:
        return date(year or 1, month or 1, day or 1).toordinal() * _DAY
    except ValueError:  # 31 February
        return float("nan")


def _last_place(text: str) -> float:
    """What the last digit counts: 1 of `20 %`, 0.1 of `3.5 %`."""
    digits = "".join(one for one in text.replace(",", ".") if one.isdecimal() or one == ".")
    return float(10.0 ** -len(digits.partition(".")[2]))
