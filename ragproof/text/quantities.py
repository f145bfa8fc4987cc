"""Numbers, amounts, shares, dates and times of day in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragproof.text.date_forms import Date, date_at, time_at
from ragproof.text.letters import MARKS, UNCASED
from ragproof.text.measures import measure_at
from ragproof.text.numerals import number_words, values_of

_DIGIT = re.compile("[0-9\u00bc-\u00be\u2150-\u215e]")
_RUN = re.compile(r"\d+")
_NUMBER = re.compile(
    rf"(?<![^\W_{UNCASED}])(?<![^\W\d_{UNCASED}][-.])(?<!\d[.,])"
    r"(?:\d+(?![,.'\u2019\u00a0\u202f ]?\d)"  # most numbers: the rest need not be tried
    r"|\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)*)"
)
_IN_WORD = re.compile(
    r"(?<=[^\W\d_]-)(?:[12]\d{3}(?=s?(?!\w))|\d{1,2}(?=(?:st|nd|rd|th)(?!\w)))"
    r"|(?:(?<=\b[cp]\.)|(?<=\b(?:ca|no|nr|pp)\.))\d+(?:[.,]\d+)?",
    re.IGNORECASE,
)
"""Numbers beside a letter that are no part of a name: `mid-1990`, `mid-17th`, `c.750`, `no.5`."""
_POWER = re.compile(r"[eE]([-+\u2212]?)(0?\d{1,2})(?![.,]?\w)")
"""The exponent of `1.5e-3`."""
_MONEY = re.compile(r"(?:US\$|[$€£¥₹])\s?\Z")
_MONEY_SIGNS = frozenset("$€£¥₹")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|ère|e|º|ª)(?!\w)")
_ORDINAL_BEGINS = frozenset("snrteèºª")
_MARKER = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\^?\d{1,3})*\]|\u3010\d{1,3}[^\u3011\n]*\u3011"
)
_LISTED = re.compile(r"^[ \t]*\(?\d{1,3}[.)](?=[ \t])", re.MULTILINE)
_TO = re.compile(
    r"\s?(?:-|\u2010|\u2013|\u2014|~|to|and|or|bis|und|oder|à|et|ou|a|al|y|o|e|到|至|إلى|से)\s?"
)
_DASHES = frozenset("-\u2010\u2013")
_BOTH = frozenset({"and", "or", "und", "oder", "et", "ou", "y", "o", "e"})
"""They join two numbers, each in full: `2 and 5 million`."""
_MONTH_ALONE = re.compile("(?:0?[1-9]|1[0-2])\\s?[\u6708\uc6d4]")
_DECADE = re.compile("\\s?\u5e74\u4ee3|(?P<short>ern?|s)\\b")
_LATEST = 1900
"""The century of a decade that is told in two digits."""
_CENTURY = re.compile("\\s?\u4e16\u7eaa\\s?([1-9]0)\\s?\u5e74\u4ee3")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_BEFORE_TIME = frozenset(":aApP")
_BLANK = frozenset(" \u00a0\u202f")
_BEFORE_TIME_BLANK = frozenset("aApPuU")
_MARKS = frozenset(MARKS)
_SPAN = re.compile(r"\d[ \u00a0]\Z")
"""Of `1185 -1226`, which is no minus."""
_MINUS = frozenset({"-", "\u2212"})
_POWER_BEGINS = frozenset("eE")
_LESS = re.compile(r"(?<![\w%])(?:minus|moins|menos|meno)\s\Z", re.IGNORECASE)
_LESS_ENDS = frozenset("sSoO\u017f")
_PART = re.compile(r"[ \u00a0]?([\u00bc-\u00be\u2150-\u215e])|[ \u00a0]([1-9])/([2-9])(?![\d/])")
"""The part of one in `3½` and `3 1/2`."""
_FAR = 8
"""Characters between the ends of a range."""
_SIGNED = re.compile(r"\D")
_TAIL = re.compile(r"[.,](\d+)\Z")
_MONTHS = 12
_COUNTED = 2
"""Digits that a number needs for another to be taken for what it was rounded from."""


class Quantity(NamedTuple):
    """One of them, in base units."""

    text: str
    """As it is written."""
    values: tuple[float, ...] = ()
    """Several where the way it is written leaves a doubt."""
    unit: str | None = None
    """The base of its unit, `clock` for a time of day; None where none is told."""
    step: float = 0.0
    """What its last digit counts; 0 where it is not to be taken for rounded."""
    written: tuple[float, ...] = ()
    """The values without the unit's worth."""
    date: Date | None = None
    swapped: Date | None = None
    """The date as it is where the day comes first, of one that may be read in two ways."""
    scale: float = 1.0
    """The multiple of ten that is written in a word: a million."""


def quantities(text: str, *, answer: bool = False) -> tuple[Quantity, ...]:
    """Find what is written in digits, each as often as it occurs.

    Of an `answer` the numbers of its list and its citation markers are left out, and numbers in
    words are there. Digits that are part of a name, as in `GPT-4` or `H2O`, are none. Accents that
    stand apart from their letters are put together before: `Hälfte` is one word either way.

    >>> [(one.text, one.values, one.unit) for one in quantities("24 months, $1.5 million, 7 %")]
    [('24 months', (24.0,), 'month'), ('$1.5 million', (1500000.0,), 'USD'), ('7 %', (7.0,), '%')]
    """
    text = unicodedata.normalize("NFC", text)
    return _of_answer(text) if answer else tuple(_in_digits(text))


@lru_cache(maxsize=16)
def _of_answer(text: str) -> tuple[Quantity, ...]:
    text = _MARKER.sub(_blank, text)
    if "\n" in text or _LISTED.match(text) is not None:
        text = _LISTED.sub(_blank, text)
    words = (one for one in _in_words(text) if one.values != (0.0,))
    return (*_in_digits(text), *words)


def known(text: str) -> tuple[Quantity, ...]:
    """What a passage has in digits, the years of its dates as numbers too."""
    found = quantities(text)
    years = [one.date[0] for one in found if one.date is not None and one.date[0] is not None]
    return (*found, *(_bare(str(year), float(year)) for year in years))


def in_words(text: str) -> tuple[Quantity, ...]:
    """What a text has in words."""
    return tuple(_in_words(unicodedata.normalize("NFC", text)))


def _in_words(text: str) -> Iterator[Quantity]:
    for start, end, values, share in number_words(text):
        if share:
            yield Quantity(text[start:end], values[:1], "%", written=values)
        else:
            measured, _ = _measured(text, start, end, values, None, 0.0)
            if measured is not None:
                yield measured


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _bare(text: str, value: float) -> Quantity:
    return Quantity(text, (value,), written=(value,))


def _in_digits(text: str) -> Iterator[Quantity]:
    plain = text if text.isascii() else text.translate(_DIGITS)
    last: tuple[Quantity, int] | None = None
    past = 0
    while (digit := _DIGIT.search(plain, past)) is not None:
        start = digit.start()
        found = _NUMBER.match(plain, start) or _IN_WORD.match(plain, start)
        if found is None and plain[start].isdecimal():
            past = _past(plain, start)
            continue
        end = found.end() if found else start + 1
        one, past = _read(plain, start, end) if found else _part_alone(plain, start)
        if one is None:
            continue
        if last is not None:
            before, until = last
            if start - until <= _FAR and _TO.fullmatch(plain, until, start):
                before, one = _ranged(before, one, plain[until:start])
            yield before
        last = one, past
    if last is not None:
        yield last[0]


def _past(text: str, start: int) -> int:
    """Behind the digits there."""
    run = _RUN.match(text, start)
    return run.end() if run else start + 1


def _read(text: str, start: int, end: int) -> tuple[Quantity | None, int]:
    if _may_be_time(text, end) and (time := time_at(text, start)) is not None:
        minutes, end = time
        return Quantity(text[start:end], (minutes,), "clock", written=(minutes,)), end
    if (dated := date_at(text, start, end)) is not None:
        date, begin, end = dated
        written = text[begin:end].strip(" ,")
        return Quantity(written, date=date, swapped=_swapped(date, written)), end
    digits = text[start:end]
    if digits.count(".") > 1 and _GROUPED.fullmatch(digits) is None:
        return None, end  # a version, an address
    if digits.isdecimal() and (decade := _decade(text, start, end)) is not None:
        return decade
    return _amount(text, start, end)


def _amount(text: str, start: int, end: int) -> tuple[Quantity | None, int]:
    """The number that stands there, with sign, currency, exponent, part of one and unit."""
    digits = text[start:end]
    begin, money = start, None
    if not _MONEY_SIGNS.isdisjoint(text[max(0, start - 2) : start]):
        paid = _MONEY.search(text[max(0, start - 4) : start])
        if paid is not None:
            begin, money = start - len(paid[0]), paid[0].strip()
    values = values_of(digits, text)
    if (powered := _powered(text, begin, end, values, money)) is not None:
        return powered
    if digits.isdecimal() and (part := _PART.match(text, end)) is not None:
        more = unicodedata.numeric(part[1]) if part[1] else int(part[2]) / int(part[3])
        if more < 1:
            values, end = (values[0] + more,), part.end()
    step = _step(digits, values)
    if (less := _minus(text, begin)) is not None:
        begin, values = less, tuple(-one for one in values)
    return _measured(text, begin, end, values, money, step)


def _powered(
    text: str, begin: int, end: int, values: tuple[float, ...], money: str | None
) -> tuple[Quantity, int] | tuple[None, int] | None:
    """The number with its exponent, as programs write it; None where it has none."""
    if text[end : end + 1] not in _POWER_BEGINS:
        return None
    if (power := _POWER.match(text, end)) is None:
        return None
    factor = 10.0 ** (-int(power[2]) if power[1] in _MINUS else int(power[2]))
    if (less := _minus(text, begin)) is not None:
        begin, factor = less, -factor
    told = tuple(one * factor for one in values)
    return _measured(text, begin, power.end(), told, money, 0.0)


def _decade(text: str, start: int, end: int) -> tuple[Quantity | None, int] | None:
    """What the digits say where a decade or a month alone stands there; None where neither does.

    A decade in two digits may be of the last century, as is the nineties' of most texts. A month
    without a day says as little as the word for it, so it is no quantity.
    """
    behind = text[end : end + 2]
    if "\u6708" in behind or "\uc6d4" in behind:
        month = _MONTH_ALONE.match(text, start)
        return None if month is None else (None, month.end())
    digits = text[start:end]
    if (century := _CENTURY.match(text, end)) is not None:
        year = 100.0 * (int(digits) - 1) + int(century[1])
        return _bare(text[start : century.end()], year), century.end()
    decade = _DECADE.match(text, end) if digits[-1] == "0" else None
    if decade is None or (decade["short"] and not _is_decade(digits)):
        return None
    year = float(digits)
    years = (year, _LATEST + year) if len(digits) == 2 else (year,)
    return Quantity(text[start : decade.end()], years, written=years), decade.end()


def _is_decade(digits: str) -> bool:
    """Whether `80s` and `1980s` are told, not so many seconds."""
    return len(digits) == 2 or (len(digits) == 4 and digits < "2101")


def _may_be_time(text: str, end: int) -> bool:
    """Whether what follows the number is worth a look: most numbers are none."""
    behind = text[end : end + 1]
    return behind in _BEFORE_TIME or (
        behind in _BLANK and text[end + 1 : end + 2] in _BEFORE_TIME_BLANK
    )


def _minus(text: str, begin: int) -> int | None:
    """Where the minus of the number that begins there does; None where there is none."""
    before = text[begin - 2 : begin - 1]
    if text[begin - 1 : begin] in _MINUS and not (before.isalnum() or before in _MARKS):
        return None if _SPAN.search(text, max(0, begin - 6), begin - 1) else begin - 1
    if text[begin - 2 : begin - 1] not in _LESS_ENDS:
        return None
    less = _LESS.search(text, max(0, begin - 7), begin)
    return None if less is None else less.start()


def _part_alone(text: str, at: int) -> tuple[Quantity | None, int]:
    """What a sign such as ½ says: of a unit if there is one, else a share as `half` is."""
    value = unicodedata.numeric(text[at])
    measured, end = _measured(text, at, at + 1, (value,), None, 0.0)
    if measured is not None and measured.unit is not None:
        return measured, end
    share = 100 * value
    return Quantity(text[at], (share,), "%", written=(share, value)), at + 1


def _swapped(date: Date, written: str) -> Date | None:
    """As 5/6/2024 is in most of the world, 6/5/2024 elsewhere."""
    year, month, day = date
    is_slashed = "/" in written[1:3] and month != day and day is not None and day <= _MONTHS
    return (year, day, month) if is_slashed else None


def _measured(
    text: str, begin: int, end: int, values: tuple[float, ...], money: str | None, step: float
) -> tuple[Quantity, int] | tuple[None, int]:
    """Take in the multiple of ten and the unit that stand behind the number."""
    ordinal = _ORDINAL.match(text, end) if text[end : end + 1] in _ORDINAL_BEGINS else None
    if ordinal is not None and text[begin:end][-1:].isdigit() and len(values) == 1:
        end = ordinal.end()
        return Quantity(text[begin:end], values, written=values), end
    measure = measure_at(text, end, money)
    if measure is None:
        return None, end
    end, scale, unit, worth = measure
    written = values if scale == 1.0 else tuple([one * scale for one in values])
    given, base = written, unit
    if unit == "°F":
        given, base = tuple([(one - 32) / 1.8 for one in written]), "°C"
    elif worth != 1.0:
        given = tuple([one * worth for one in written])
    step *= scale * worth
    return Quantity(text[begin:end].strip(), given, base, step, written, scale=scale), end


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
    if one.unit is None and other.unit not in (None, "clock"):
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


def _step(digits: str, values: tuple[float, ...]) -> float:
    """What the last digit counts, of a number with a few digits and one reading only."""
    bare = (digits if digits.isdigit() else _SIGNED.sub("", digits)).lstrip("0")
    if len(bare) < _COUNTED or len(values) > 1:
        return 0.0
    tail = _TAIL.search(digits)
    if tail is None or (values[0].is_integer() and len(tail[1]) == 3):
        return 1.0
    return float(10.0 ** -len(tail[1]))


class _Digits(dict[int, "int | str"]):
    """Digits of all scripts and wide signs in ASCII; every place stays what it is."""

    def __missing__(self, code: int) -> int | str:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        wide = unicodedata.normalize("NFKC", char) if 0xFF01 <= code <= 0xFF5E else char
        self[code] = str(digit) if digit is not None else wide
        return self[code]


_DIGITS = _Digits({0x66B: ".", 0x66C: ",", 0x66A: "%", 0x60C: ","})
