"""Numbers, amounts, shares, dates and times of day in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ragproof.text.date_forms import Date, date_at, time_at
from ragproof.text.han_numerals import in_digits
from ragproof.text.letters import MARKS, UNCASED
from ragproof.text.measures import measure_at
from ragproof.text.number_shapes import lacks_its_zero, phone_at, power_at
from ragproof.text.number_words import AND_A_HALF, number_words, ones_and_a_half
from ragproof.text.numbering import counts_its_list, without_numbering
from ragproof.text.numerals import values_of
from ragproof.text.quantity import Quantity
from ragproof.text.quantity_pairs import Spot, paired
from ragproof.text.rough import roughly

_DIGIT = re.compile("[0-9\u00bc-\u00be\u2150-\u215e]")
_DIGIT_ASCII = re.compile("[0-9]")
_RUN = re.compile(r"\d+")
_NUMBER = re.compile(
    rf"(?<![^\W_{UNCASED}])(?<![^\W\d_{UNCASED}][-.])(?<!\d[.,])"
    r"(?:\d+(?![,.'\u2019\u00a0\u202f ]?\d)"  # most numbers: the rest need not be tried
    r"|\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)*)"
)
_IN_WORD = re.compile(
    r"(?<=[^\W\d_]-)(?:[12]\d{3}(?=s?(?!\w))|\d{1,2}(?=(?:st|nd|rd|th)(?!\w)))"
    r"|(?<=\dx)\d+(?![\w.])"
    r"|(?:(?<=\b[cp]\.)|(?<=\b(?:ca|no|nr|pp)\.))\d+(?:[.,]\d+)?",
    re.IGNORECASE,
)
"""Numbers beside a letter that are no part of a name: `mid-1990`, `mid-17th`, `x1080`,
`c.750`, `no.5`."""
_MONEY = re.compile(r"(?:US\$|[$€£¥₹])\s?\Z")
_CODES = frozenset({"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR"})
_MONEY_SIGNS = frozenset("$€£¥₹")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|ère|e|º|ª)(?!\w)")
_ORDINAL_BEGINS = frozenset("snrteèºª")
_MARKER = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\^?\d{1,3})*\]|\u3010\d{1,3}[^\u3011\n]*\u3011"
)
_IN_PHONE, _PHONE_GOES_ON = frozenset(" .-)"), frozenset("0123456789( ")
_JOINED = frozenset("-(")
_IN_NAME = re.compile(r"-[A-Z][a-z]{2}|\([a-z]\)")
"""Behind the digits of `7-Eleven` and `401(k)`; units are told from it."""
_MONTH_ALONE = re.compile("(?:0?[1-9]|1[0-2])\\s?[\u6708\uc6d4]")
_DECADE = re.compile("\\s?\u5e74\u4ee3|(?P<short>ern?|s)\\b")
_SHORT_BEGINS = frozenset("es")
_LATEST = 1900
"""The century of a decade that is told in two digits."""
_CENTURY = re.compile("\\s?\u4e16\u7eaa\\s?([1-9]0)\\s?\u5e74\u4ee3")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_LASTING = re.compile(r"\s?(?:h|hrs?|hours?|Std\.?|Stunden|heures|horas|小时|小時|時間)(?!\w)")
"""It makes 1:30 so many hours and no time of day."""
_TIME_SIGNS = frozenset(":点點时時")
_BLANK = frozenset(" \u00a0\u202f")
_TIME_LETTERS = dict.fromkeys("aApP", frozenset(".mM")) | dict.fromkeys("uU", frozenset("hH"))
_TIME_LETTERS["h"] = frozenset(one for one in map(chr, range(0x3001)) if one.isspace())
_TIME_LETTERS["h"] |= frozenset("0123456789")
"""What makes it a time of day, with what may follow: `2 pm`, `14 Uhr`, `14 h 30`."""
_BEFORE_TIME = _TIME_SIGNS | (_TIME_LETTERS.keys() - {"u", "U"})
_MARKS = frozenset(MARKS)
_SPAN = re.compile(r"\d[ \u00a0]\Z")
"""Of `1185 -1226`, which is no minus."""
_MINUS = frozenset({"-", "\u2212"})
_LESS = re.compile(r"(?<![\w%])(?<!plus or )(?:minus|moins|menos|meno)\s\Z", re.IGNORECASE)
_LESS_ENDS = frozenset("sSoO\u017f")
_PART = re.compile(r"[ \u00a0]?([\u00bc-\u00be\u2150-\u215e])|[ \u00a0]([1-9])/([2-9])(?![\d/])")
"""The part of one in `3½` and `3 1/2`."""
_SHARE_STEP = 1.0
"""A third is 33 % as well."""
_SIGNED = re.compile(r"\D")
_TAIL = re.compile(r"[.,](\d+)\Z")
_MONTHS = 12
_COUNTED = 2
"""Digits that a number needs for another to be taken for what it was rounded from."""


def quantities(text: str, *, answer: bool = False) -> tuple[Quantity, ...]:
    """Find what is written in digits, each as often as it occurs.

    Of an `answer` the numbers of its list and its citation markers are left out, and numbers in
    words are there. Digits that are part of a name, as in `GPT-4` or `H2O`, are none. Accents that
    stand apart from their letters are put together before: `Hälfte` is one word either way.

    >>> [(one.text, one.values, one.unit) for one in quantities("24 months, $1.5 million, 7 %")]
    [('24 months', (24.0,), 'month'), ('$1.5 million', (1500000.0,), 'USD'), ('7 %', (7.0,), '%')]
    """
    text = _normal(text, answer=answer)
    return _of_answer(text) if answer else tuple(_in_digits(text))


@lru_cache(maxsize=16)
def _of_answer(text: str) -> tuple[Quantity, ...]:
    if "[" in text or "\u3010" in text:
        text = _MARKER.sub(_blank, text)
    text = without_numbering(text)
    return (*_in_digits(text, answer=True), *_in_words(text, answer=True))


def known(text: str) -> tuple[Quantity, ...]:
    """What a passage has in digits, the years of its dates as numbers too."""
    found = quantities(text)
    years = [one.date[0] for one in found if one.date is not None and one.date[0] is not None]
    return (*found, *(_bare(str(year), float(year)) for year in years))


def in_words(text: str) -> tuple[Quantity, ...]:
    """What a text has in words."""
    return tuple(_in_words(_normal(text)))


def _normal(text: str, *, answer: bool = False) -> str:
    return in_digits(unicodedata.normalize("NFC", text), rows=not answer)


def _in_words(text: str, *, answer: bool = False) -> Iterator[Quantity]:
    spots = _spots_in_words(text, answer=answer)
    return paired(text, _rough(text, spots) if answer else spots, answer=answer)


def _spots_in_words(text: str, *, answer: bool) -> Iterator[Spot]:
    told = sorted([*number_words(text, source=not answer), *ones_and_a_half(text)])
    for start, end, values, is_share in told:
        if is_share:
            share = Quantity(text[start:end], values[:1], "%", _SHARE_STEP, values)
            yield start, end, share
        elif not (answer and values == (0.0,)):
            if (less := _minus(text, start)) is not None:
                start, values = less, tuple([-one for one in values])
            measured, end = _measured(text, start, end, values, None, 0.0)
            if measured is not None:
                yield start, end, measured


def _rough(text: str, spots: Iterable[Spot]) -> Iterator[Spot]:
    """Those of an answer, as rough as they are told, but for the number of things that it lists."""
    for start, end, one in spots:
        is_bare = one.unit is None and one.date is None and len(one.values) == 1
        if not (is_bare and counts_its_list(text, end, one.values[0])):
            yield start, end, roughly(one, text, start)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _bare(text: str, value: float) -> Quantity:
    return Quantity(text, (value,), written=(value,))


def _in_digits(text: str, *, answer: bool = False) -> Iterator[Quantity]:
    plain = text if text.isascii() else text.translate(_DIGITS)
    spots = _spots_in_digits(plain)
    return paired(plain, _rough(plain, spots) if answer else spots, answer=answer)


def _spots_in_digits(plain: str) -> Iterator[Spot]:
    digits, past = (_DIGIT_ASCII if plain.isascii() else _DIGIT), 0
    while (digit := digits.search(plain, past)) is not None:
        start = digit.start()
        found = _NUMBER.match(plain, start) or _IN_WORD.match(plain, start)
        if found is None and plain[start].isdecimal():
            past = _past(plain, start)
            continue
        end = found.end() if found else start + 1
        one, past = _read(plain, start, end) if found else _part_alone(plain, start)
        if one is not None:
            yield start, past, one


def _past(text: str, start: int) -> int:
    """Behind the digits there."""
    run = _RUN.match(text, start)
    return run.end() if run else start + 1


def _read(text: str, start: int, end: int) -> tuple[Quantity | None, int]:
    behind, follows = text[end : end + 1], text[end + 1 : end + 2]
    starts_time = behind in _BEFORE_TIME or (behind in _BLANK and follows in _TIME_LETTERS)
    if starts_time and _may_be_time(text, end) and (time := time_at(text, start)) is not None:
        minutes, end = time
        if (lasting := _LASTING.match(text, end)) is not None:
            return Quantity(
                text[start : lasting.end()], (60 * minutes,), "second", written=(minutes / 60,)
            ), lasting.end()
        return Quantity(text[start:end], (minutes,), "clock", written=_hours(minutes)), end
    if (dated := date_at(text, start, end)) is not None:
        date, begin, end = dated
        written = text[begin:end].strip(" ,").removesuffix(".")
        return Quantity(written, date=date, swapped=_swapped(date, written)), end
    is_joined = follows in _PHONE_GOES_ON and behind in _IN_PHONE
    if is_joined and (phone := phone_at(text, start)) is not None:
        number, end = phone
        return Quantity(text[start:end], (number,), "phone", written=(number,)), end
    if (
        behind in _JOINED
        and _IN_NAME.match(text, end)
        and measure_at(text, end) == (end, 1.0, None, 1.0)
    ):
        return None, end
    digits = text[start:end]
    if digits.count(".") > 1 and _GROUPED.fullmatch(digits) is None:
        return None, end  # a version, an address
    if digits.isdecimal() and (decade := _decade(text, start, end)) is not None:
        return decade
    return _amount(text, start, end)


def _hours(minutes: float) -> tuple[float, ...]:
    """How a time of day is told without its sign: 9 for 9 am, 3 and 15 for 3 pm."""
    hour, rest = divmod(minutes, 60)
    return (minutes,) if rest else (hour, hour - 12) if hour > 12 else (hour,)


def _amount(text: str, start: int, end: int) -> tuple[Quantity | None, int]:
    """The number that stands there, with sign, currency, exponent, part of one and unit."""
    digits, before = text[start:end], text[max(0, start - 4) : start]
    is_whole = digits.isdecimal()
    values = (float(digits),) if is_whole else values_of(digits, text)
    step = float(len(digits.lstrip("0")) >= _COUNTED) if is_whole else _step(digits, values)
    begin, money = start, None
    if not _MONEY_SIGNS.isdisjoint(before[-2:]):
        paid = _MONEY.search(before)
        if paid is not None:
            begin, money = start - len(paid[0]), paid[0].strip()
    elif before[:-1] in _CODES and before[-1] in _BLANK:
        begin, money = start - 4, before[:-1]
    if is_whole and before[-1:] == "." and lacks_its_zero(text, start):
        begin, step = start - 1, 10.0 ** -len(digits)
        values = (values[0] * step,)
    if (power := power_at(text, end, digits)) is not None:
        factor, end = power
        values, step = tuple([one * factor for one in values]), 0.0
    elif is_whole and (part := _PART.match(text, end)) is not None:
        more = unicodedata.numeric(part[1]) if part[1] else int(part[2]) / int(part[3])
        if more < 1:
            values, end = (values[0] + more,), part.end()
    if (less := _minus(text, begin)) is not None:
        begin, values = less, tuple([-one for one in values])
    return _measured(text, begin, end, values, money, step)


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
    if text.isascii() and (digits[-1] != "0" or behind[:1] not in _SHORT_BEGINS):
        return None
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
    """Whether what follows such a sign is worth a look: most words are none of these."""
    at = end + 1 if text[end] in _BLANK else end
    return text[at] in _TIME_SIGNS or text[at + 1 : at + 2] in _TIME_LETTERS[text[at]]


def _minus(text: str, begin: int) -> int | None:
    """Where the minus of the number that begins there does; None where there is none."""
    before = text[begin - 2 : begin - 1]
    if text[begin - 1 : begin] in _MINUS and not (
        before == "/" or before.isalnum() or before in _MARKS
    ):
        return None if _SPAN.search(text, max(0, begin - 6), begin - 1) else begin - 1
    if text[begin - 2 : begin - 1] not in _LESS_ENDS:
        return None
    less = _LESS.search(text, max(0, begin - 15), begin)
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
    sign = text[end : end + 1]
    ordinal = _ORDINAL.match(text, end) if sign in _ORDINAL_BEGINS else None
    if ordinal is not None and text[begin:end][-1:].isdigit() and len(values) == 1:
        end = ordinal.end()
        return Quantity(text[begin:end], values, written=values), end
    behind = end + 1 if sign == ")" and text[begin - 1 : begin] == "(" else end
    measure = measure_at(text, behind, money)  # sixty (60) months
    if measure is None:
        return None, end
    past, scale, unit, worth = measure
    if past != behind:
        end = past
    if (
        unit is not None
        and text[end : end + 1] == " "
        and (half := AND_A_HALF.match(text, end)) is not None
    ):
        end, values = half.end(), tuple([one + 0.5 for one in values])
    written = values if scale == 1.0 else tuple([one * scale for one in values])
    given, base = written, unit
    if unit == "°F":
        given, base = tuple([(one - 32) / 1.8 for one in written]), "°C"
    elif worth != 1.0:
        given = tuple([one * worth for one in written])
    step *= scale * worth
    said = text[begin:end].strip().replace(")", "")
    return Quantity(said, given, base, step, written, None, None, scale), end


def _step(digits: str, values: tuple[float, ...]) -> float:
    """What the last digit counts, of a number with a few digits and one reading only."""
    if len(_SIGNED.sub("", digits).lstrip("0")) < _COUNTED or len(values) > 1:
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
