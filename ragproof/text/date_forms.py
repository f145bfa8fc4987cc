"""Dates and times of day as they are written in several languages."""

from __future__ import annotations

import re
from typing import TypeAlias

from ragproof.text.letters import WORD
from ragproof.text.unit_names import CAPITAL_ONLY, MONTHS

Date: TypeAlias = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they are told."""
_TIME = re.compile(
    r"(?P<h>\d{1,2})(?::(?P<m>[0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?!\d))?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?|\s(?P<uhr>Uhr)\b)?",
    re.IGNORECASE,
)
_WITH_H = re.compile(r"(?P<h>\d{1,2})\s?h\s?(?P<m>[0-5]\d)(?!\d|\s?min|\s?m\b)")
_DOTTED = re.compile(r"(?P<h>\d{1,2})\.(?P<m>[0-5]\d)(?=\s?Uhr\b)(?P<uhr>\s?Uhr)")
_IN_SIGNS = re.compile("(?P<h>\\d{1,2})\\s?[点點时時](?!间|間)(?:(?P<m>\\d{1,2})分|(?P<half>半))?")
_PART_OF_DAY = re.compile(
    "(?:上午|早上|早晨|凌晨|午前|(?P<late>下午|晚上|傍晚|中午|午後|夜里))\\s?\\Z"
)
_BIG_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_BIG_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
_SIGNED = re.compile(
    "(?:(\\d{4})\\s?[\u5e74\ub144]\\s?)?(\\d{1,2})\\s?[\u6708\uc6d4](?:\\s?(\\d{1,2})\\s?[\u65e5\uc77c])?"
)
_WORD_AFTER = re.compile(
    r"(?:st|nd|rd|th|er|º|ª|\.)?,?\s+(?:of\s+|de\s+|d'|من\s+)?"
    rf"(?:[\u0620-\u06ff]+(?: [\u0620-\u06ff]+)?/)?(?P<name>{WORD})\.?"
    r"(?:,?\s+(?:del?\s+|of\s+|من\s+)?(?:عام\s+|سنة\s+)?(?P<year>\d{4})(?!\d))?"
)
_WORD_BEFORE = re.compile(r"(?P<name>[^\W\d_]{3,10})\.?,?\s+(?:the\s+|of\s+|del?\s+)?\Z")
_YEAR_AFTER = re.compile(r"(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})(?![\d.,]*\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)")
_JOINING = frozenset({"-", "/"})
_SIGNS = frozenset("\u5e74\ub144\u6708\uc6d4")
_FAR = 18
_LINKS = frozenset({"of", "de"})
_ENDS = frozenset(name[-3:] for name in MONTHS) | {"the", "del"}


def time_at(text: str, start: int) -> tuple[float, int] | None:
    """Minutes since midnight and the end of the time of day that begins there.

    >>> time_at("2:30 pm", 0), time_at("14:30", 0), time_at("14", 0)
    ((870.0, 7), (870.0, 5), None)
    """
    for pattern in (_WITH_H, _DOTTED):
        if (plain := pattern.match(text, start)) and int(plain["h"]) <= 24:
            return 60.0 * int(plain["h"]) + int(plain["m"]), plain.end()
    if (signed := _IN_SIGNS.match(text, start)) is not None:
        return _told_in_signs(text, start, signed)
    found = _TIME.match(text, start)
    if found is None or not (found["m"] or found["half"] or found["uhr"]):
        return None
    hour, minute = int(found["h"]), int(found["m"] or 0)
    if hour > 24 or (found["half"] and not 1 <= hour <= 12):
        return None
    if found["half"]:
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    return float(60 * hour + minute), found.end()


def _told_in_signs(text: str, start: int, found: re.Match[str]) -> tuple[float, int] | None:
    """Of 下午3点半; without the part of the day and minutes it may be so many points."""
    part = _PART_OF_DAY.search(text, max(0, start - 3), start)
    hour = int(found["h"])
    if hour > 24 or not (part or found["m"] or found["half"]):
        return None
    if part and part["late"] and hour < 12:
        hour += 12
    minutes = 30 if found["half"] else int(found["m"] or 0)
    return 60.0 * hour + minutes, found.end()


def date_at(text: str, start: int, end: int) -> tuple[Date, int, int] | None:
    """The date to which the number at that place belongs, with where it begins and ends.

    >>> date_at("5 March 2024", 0, 1), date_at("March 5, 2024", 6, 7), date_at("2024-03-05", 0, 4)
    (((2024, 3, 5), 0, 12), ((2024, 3, 5), 0, 13), ((2024, 3, 5), 0, 10))
    >>> date_at("1.5.2024", 0, 8), date_at("in 2024", 3, 7)
    (((2024, 5, 1), 0, 8), None)
    """
    is_signed = not text.isascii() and not _SIGNS.isdisjoint(text[end : end + 2])
    is_dotted = end - start > 4 and text.count(".", start, end) > 1
    if text[end : end + 1] in _JOINING or is_signed or is_dotted:
        return _in_digits(text, start) or _in_words(text, start, end)
    return _in_words(text, start, end)


def _in_digits(text: str, start: int) -> tuple[Date, int, int] | None:
    if found := _BIG_FIRST.match(text, start):
        date = int(found[1]), int(found[3]), int(found[4])
    elif found := _BIG_LAST.match(text, start):
        first, second = int(found[1]), int(found[3])
        month_first = second > 12 or (found[2] == "/" and first <= 12)
        date = int(found[4]), *((first, second) if month_first else (second, first))
    elif found := _SIGNED.match(text, start):
        year, day = found[1], found[3]
        if year is None and day is None:
            return None
        if not 1 <= int(found[2]) <= 12:
            return None
        return (
            int(year) if year else None,
            int(found[2]),
            int(day) if day else None,
        ), *found.span()
    else:
        return None
    return (date, *found.span()) if 1 <= date[1] <= 12 and 1 <= date[2] <= 31 else None


def _in_words(text: str, start: int, end: int) -> tuple[Date, int, int] | None:
    size, digits = end - start, text[start:end]
    if size > 4 or size == 3 or not digits.isdigit():
        return None
    before = _word_before(text, start)
    if before is None and size == 4:
        return None
    month = _month(before["name"]) if before else None
    begin = start - len(before[0]) if before else start
    number = int(digits)
    if size == 4:
        return ((number, month, None), begin, end) if month and number >= 1000 else None
    if not 1 <= number <= 31:
        return None
    after = _WORD_AFTER.match(text, end)
    if after and (behind := _month(after["name"])):
        year = int(after["year"]) if after["year"] else None
        return (year, behind, number), start, after.end()
    if month is None:
        return None
    if year_after := _YEAR_AFTER.match(text, end):
        return (int(year_after["year"]), month, number), begin, year_after.end()
    ordinal = _ORDINAL.match(text, end)
    return (None, month, number), begin, ordinal.end() if ordinal else end


def _word_before(text: str, start: int) -> re.Match[str] | None:
    """What may be a month there; its last letters say at once where that cannot be."""
    end = text[max(0, start - 4) : start]
    if not (end[-1:] == " " and end[-2:-1].isalpha()):
        end = text[max(0, start - _FAR) : start].rstrip().rstrip(".,")[-3:] + " "
    end = end[:-1].lower()
    if end in _ENDS or end[-2:] in _LINKS:
        return _WORD_BEFORE.search(text[max(0, start - _FAR) : start])
    return None


def _month(name: str) -> int | None:
    low = name.lower()
    return None if low in CAPITAL_ONLY and name == low else MONTHS.get(low)
