"""Numbers, amounts, shares, dates and times of day in a text, and which follow from which."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ragproof.text.date_forms import Date, date_at, time_at
from ragproof.text.numerals import number_words, values_of
from ragproof.text.unit_names import SCALES, UNITS

_DIGIT = re.compile(r"[\d\u00bc-\u00be\u2150-\u215e]")
_RUN = re.compile(r"\d+")
_NUMBER = re.compile(
    r"(?<![^\W_\u3040-\u30ff\u3400-\u9fff])(?<![^\W\d_][-.])(?<!\d[.,])"
    r"(?:\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)*)"
)
_YEAR_IN_WORD = re.compile(r"(?<=[^\W\d_]-)[12]\d{3}(?=s?(?!\w))")
_MONEY = re.compile(r"(?:US\$|[$€£¥₹])\s?\Z")
_AFTER = re.compile(
    r"[ \u00a0\u202f-]?(?P<word>°\s?[CF]|[%‰€$£¥₹℃℉]|US\$|(?:per|pour|por) (?:cent|ciento|cento)\b"
    r"|[^\W\d_]+(?:/[^\W\d_]+|[²³23](?!\d))?)"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|ère|e|º|ª|s)(?!\w)")
_MARKER = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\^?\d{1,3})*\]|\u3010\d{1,3}[^\u3011\n]*\u3011"
)
_LISTED = re.compile(r"^[ \t]*\(?\d{1,3}[.)](?=[ \t])", re.MULTILINE)
_TO = re.compile(r"\s?(?:-|\u2010|\u2013|\u2014|~|to|and|or|bis|und|oder|à|et|ou|a|al|y|o|e)\s?")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_BEFORE_TIME = frozenset(": \u00a0\u202faApP")
_MINUS = frozenset({"-", "\u2212"})
_LESS = re.compile(r"(?<![\w%])(?:minus|moins|menos|meno)\s\Z", re.IGNORECASE)
_PART = re.compile(r"[ \u00a0]?([\u00bc-\u00be\u2150-\u215e])|[ \u00a0]([1-9])/([2-9])(?![\d/])")
"""The part of one in `3½` and `3 1/2`."""
_GOES_ON = re.compile(r"[\w/°%²³]|[.,:/-]\d|,? \d")
"""What may belong to the quantity before it; the slower way tells."""
_FAR = 8
"""Characters between the ends of a range."""
_NEAR, _SAME = 1e-4, 1e-9
"""How far apart two may be, relatively, that were converted: fractions, and whole numbers."""
_SIGNED = re.compile(r"\D")
_TAIL = re.compile(r"[.,](\d+)\Z")
_MONTHS = 12
_COUNTED = 2
"""Digits that a number needs for another to be taken for what it was rounded from."""


@dataclass(frozen=True, slots=True)
class Quantity:
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


@lru_cache(maxsize=256)
def quantities(text: str, *, answer: bool = False) -> tuple[Quantity, ...]:
    """Find what is written in digits, each as often as it occurs.

    Of an `answer` the numbers of its list and its citation markers are left out, and numbers in
    words are there. Digits that are part of a name, as in `GPT-4` or `H2O`, are none.

    >>> [(one.text, one.values, one.unit) for one in quantities("24 months, $1.5 million, 7 %")]
    [('24 months', (24.0,), 'month'), ('$1.5 million', (1500000.0,), 'USD'), ('7 %', (7.0,), '%')]
    """
    if answer:
        text = _LISTED.sub(_blank, _MARKER.sub(_blank, text))
    found = list(_in_digits(text))
    if answer:
        found += [one for one in in_words(text) if one.values != (0.0,)]
    return tuple(found)


@lru_cache(maxsize=256)
def known(text: str) -> tuple[Quantity, ...]:
    """What a passage has in digits, the years of its dates as numbers too."""
    found = quantities(text)
    years = [one.date[0] for one in found if one.date is not None and one.date[0] is not None]
    return (*found, *(_bare(str(year), float(year)) for year in years))


@lru_cache(maxsize=256)
def in_words(text: str) -> tuple[Quantity, ...]:
    """What a text has in words."""
    found = []
    for start, end, value, share in number_words(text):
        if share:
            found.append(Quantity(text[start:end], (value,), "%", written=(value,)))
        else:
            measured, _ = _measured(text, start, end, (value,), None, 0.0)
            found += [measured] if measured else []
    return tuple(found)


def follows(one: Quantity, held: Iterable[Quantity], *, rounding: bool = True) -> Quantity | None:
    """The first of those held from which this one follows.

    It does where a value is equal in the same base unit; where one of both tells no unit and the
    number is the same; where it is the other rounded to its own last digit, if it has two digits
    or more; and a date does where all that it tells is told.

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
            if _is_sterling(one, other) and _equal(replace(one, unit=None), other):
                return other
        elif _equal(one, other):
            return other
        elif rounding and rounded is None and one.step and one.unit == other.unit:
            rounded = other if _rounds(one, other) else None
    return rounded


def stands_in(one: Quantity, text: str) -> bool:
    """Whether a quantity with a unit or a month is written there as it is, which is soon seen.

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
    half = one.step / 2 * (1 + 1e-9)
    for a in one.values:
        for b in other.values:
            if abs(a - b) <= half:
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
        found = _NUMBER.match(plain, start) or _YEAR_IN_WORD.match(plain, start)
        if found is None and plain[start].isdecimal():
            past = _past(plain, start)
            continue
        end = found.end() if found else start + 1
        one, past = _read(plain, start, end) if found else _part_alone(plain, start)
        if one is None:
            continue
        if last is not None:
            is_range = start - last[1] <= _FAR and _TO.fullmatch(plain, last[1], start)
            yield _ranged(last[0], one) if is_range else last[0]
        last = one, past
    if last is not None:
        yield last[0]


def _past(text: str, start: int) -> int:
    """Behind the digits there."""
    run = _RUN.match(text, start)
    return run.end() if run else start + 1


def _read(text: str, start: int, end: int) -> tuple[Quantity | None, int]:
    if text[end : end + 1] in _BEFORE_TIME and (time := time_at(text, start)) is not None:
        minutes, end = time
        return Quantity(text[start:end], (minutes,), "clock", written=(minutes,)), end
    if (dated := date_at(text, start, end)) is not None:
        date, begin, end = dated
        written = text[begin:end].strip(" ,")
        return Quantity(written, date=date, swapped=_swapped(date, written)), end
    digits = text[start:end]
    if digits.count(".") > 1 and _GROUPED.fullmatch(digits) is None:
        return None, end  # a version, an address
    begin, money = start, None
    if start and (paid := _MONEY.search(text[max(0, start - 4) : start])) is not None:
        begin, money = start - len(paid[0]), paid[0].strip()
    values = values_of(digits, text)
    if digits.isdecimal() and (part := _PART.match(text, end)) is not None:
        more = unicodedata.numeric(part[1]) if part[1] else int(part[2]) / int(part[3])
        if more < 1:
            values, end = (values[0] + more,), part.end()
    if text[begin - 1 : begin] in _MINUS and not text[: begin - 1][-1:].isalnum():
        begin, values = begin - 1, tuple(-one for one in values)
    elif (less := _LESS.search(text, max(0, begin - 7), begin)) is not None:
        begin, values = less.start(), tuple(-one for one in values)
    return _measured(text, begin, end, values, money, _step(digits, values))


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
    unit, worth, scale = (UNITS[money][0] if money else None), 1.0, 1.0
    ordinal = _ORDINAL.match(text, end)
    if ordinal is not None and text[begin:end][-1:].isdigit() and len(values) == 1:
        is_seconds = ordinal[0] == "s" and not _is_decade(values[0])
        if not is_seconds:
            end = ordinal.end()
            return Quantity(text[begin:end], values, written=values), end
    for _ in range(2):
        word = _AFTER.match(text, end)
        if word is None:
            break
        size = _scale(word, money)
        if size is not None and scale == 1.0:
            end, scale = size[1], size[0]
        elif unit is None and (named := _unit(word)) is not None:
            (unit, worth), end = named[0], named[1]
            break
        elif word.start("word") == end and not _CJK.match(word["word"]) and scale == 1.0:
            return None, word.end()  # 3D, 7UP: a name
        else:
            break
    written = tuple(one * scale for one in values)
    given = tuple(_based(one, unit, worth) for one in written)
    base = "°C" if unit == "°F" else unit
    return Quantity(text[begin:end].strip(), given, base, step * scale * worth, written), end


def _based(value: float, unit: str | None, worth: float) -> float:
    return (value - 32) / 1.8 if unit == "°F" else value * worth


def _is_decade(value: float) -> bool:
    return (1000 <= value <= 2100 or value < 100) and value % 10 == 0


def _scale(word: re.Match[str], money: str | None) -> tuple[float, int] | None:
    said, at = word["word"], word.start("word")
    if _CJK.match(said):
        hit = next((one for one in (said[:2], said[:1]) if one in SCALES), None)
        return None if hit is None else (SCALES[hit], at + len(hit))
    if said.lower() in {"m", "b"}:
        return ({"m": 1e6, "b": 1e9}[said.lower()], word.end()) if money else None
    if said in {"k", "K"} and word.start() != at:
        return None
    return (SCALES[said.lower()], word.end()) if said.lower() in SCALES else None


def _unit(word: re.Match[str]) -> tuple[tuple[str, float], int] | None:
    said, at = word["word"], word.start("word")
    if "°" in said or " " in said:
        said = said.replace("° ", "°").replace(" ", "_")
    if _CJK.match(said):
        hit = next((said[:size] for size in (4, 3, 2, 1) if said[:size] in UNITS), None)
        return None if hit is None else (UNITS[hit], at + len(hit))
    if len(said) <= 1 and said.isalpha() and said in "aedtBJ" and word.start() == at:
        return None
    known_as = UNITS.get(said) or (UNITS.get(said.lower()) if len(said) > 2 else None)
    if known_as is None or (said in {"an", "or", "ora", "ha", "d", "A"} and word.start() != at):
        return None
    return known_as, word.end()


def _ranged(one: Quantity, other: Quantity) -> Quantity:
    """The first of `10-20 mg` is of mg too."""
    if one.unit is not None or not one.values or not other.values or other.unit in (None, "clock"):
        return one
    worth = other.values[0] / other.written[0] if other.written[0] else 1.0
    if other.unit == "°C" and worth != 1.0:
        return replace(one, values=tuple((x - 32) / 1.8 for x in one.values), unit="°C")
    return replace(
        one, values=tuple(x * worth for x in one.values), unit=other.unit, step=one.step * worth
    )


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


_DIGITS = _Digits({0x66B: ".", 0x66C: ",", 0x66A: "%"})
