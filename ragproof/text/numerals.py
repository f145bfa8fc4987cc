"""Numbers as they are written: digits with their separators, and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ragproof.text.language import languages
from ragproof.text.letters import MARKS

_COMMA = frozenset({"de", "fr", "es", "pt", "it", "ru"})
"""Languages of those that can be told whose decimal sign is a comma."""
_EITHER = frozenset({"ar"})
"""Those that are written with both."""
_TELLING = 5
"""Words that a text must have to tell its language: `mi` is a mile as well as Spanish."""
_SPACE = re.compile("[ \u00a0\u202f'\u2019]")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SIMPLE: dict[str, float] = {word: float(value) for value, word in enumerate(_ONES.split())}
_TENFOLD: dict[str, float] = {word: 10.0 * n for n, word in enumerate(_TENS.split(), 2)}
_FACTORS: dict[str, float] = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_OTHERS: dict[str, float] = {
    word: float(value)
    for words in (
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "un deux trois quatre cinq six sept huit neuf dix onze douze",
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "uno due tre quattro cinque sei sette otto nove dieci undici dodici",
        "um dois três quatro cinco seis sete oito nove dez onze doze",
    )
    for value, word in enumerate(words.split(), 1)
    if value > 1 and word not in {"once", "sei", "six", "acht", "due", "sept", "elf"}
} | {"acht": 8}
_HINDI = (
    "दो तीन चार पांच पाँच छह छः सात आठ नौ दस ग्यारह बारह",
    "2 3 4 5 5 6 6 7 8 9 10 11 12",
)
_ARABIC = (
    "ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع ثمانية ثماني تسعة تسع عشرة عشر",
    "3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10",
)
for _words, _values in (_HINDI, _ARABIC):
    _OTHERS |= dict(zip(_words.split(), map(float, _values.split()), strict=True))
_TEENS = frozenset({"عشر", "عشرة"})
"""In Arabic ten behind a number makes it one of the teens; alone it may be of `nineteenth`."""
_PARTS: dict[str, float] = {
    "half": 50,
    "hälfte": 50,
    "moitié": 50,
    "mitad": 50,
    "metà": 50,
    "metade": 50,
    "quarter": 25,
    "viertel": 25,
    "third": 100 / 3,
    "drittel": 100 / 3,
    "fifth": 20,
    "tenth": 10,
}
"""A share in words, in percent."""
_SEVERAL: dict[str, float] = {
    "halves": 50,
    "quarters": 25,
    "viertel": 25,
    "thirds": 100 / 3,
    "drittel": 100 / 3,
    "fifths": 20,
    "tenths": 10,
}
"""One of several such: three quarters."""
_PARTS |= _SEVERAL
_KNOWN = {**_SIMPLE, **_TENFOLD, **_FACTORS, **_OTHERS, **_PARTS}
_WORDS = frozenset(_KNOWN)
_ALL_SIMPLE = _SIMPLE | _OTHERS
_ALONE = frozenset({"one"})
"""No number by itself."""
_MARKS = frozenset(MARKS)
_SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789\u00a0\u2013\u2014\u201c\u201d\u2019\u2026"
_SIGNS += "\u060c\u061b\u061f\u0964"  # of Arabic and Hindi
_APART = str.maketrans(dict.fromkeys(_SIGNS, " "))


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


def number_words(text: str) -> Iterator[tuple[int, int, tuple[float, ...], bool]]:
    """Start, end and value of each number in words, and whether it is a share, in percent.

    Behind the value of a share is what else its words may say: three quarters are 75 %, 0.75, and
    three of something.

    English in full, of German, French, Spanish, Italian, Portuguese and Hindi the numbers to
    twelve, of Arabic those from three to nineteen.
    `one` and its like are left out: they are pronouns and articles more often than numbers.

    >>> [(said, share) for *_, said, share in number_words("Twenty-four, three quarters of them.")]
    [((24.0,), False), ((75.0, 0.75, 3.0), True)]
    >>> [said for *_, said, _ in number_words("two hundred and five thousand; drei Tage")]
    [(205000.0,), (3.0,)]
    """
    run: list[tuple[int, int, str]] = []
    for start, end, word in _known_words(text):
        joint = text[run[-1][1] : start] if run else ""
        if run and _continues(run[-1][2], word) and joint in {" ", "-", " and "}:
            run.append((start, end, word))
            continue
        yield from _told(run)
        is_multiple = (
            word in _FACTORS and text[max(0, start - 2) : start].strip(" -")[-1:].isdigit()
        )
        run = [] if is_multiple else [(start, end, word)]  # of `1.2 million`
    yield from _told(run)


def _known_words(text: str) -> list[tuple[int, int, str]]:
    """Where the words of numbers are. Most texts have few, which are soon found one by one."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    there = _WORDS.intersection(low.translate(_APART).split())
    if there <= _ALONE:
        return []
    return sorted((*place, word) for word in there | _ALONE for place in _places(low, word))


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Where a word stands by itself."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_is_of_word(text[at - 1 : at]) or _is_of_word(text[end : end + 1])):
            yield at, end
        at = text.find(word, end)


def _is_of_word(char: str) -> bool:
    return char.isalpha() or char in _MARKS


def _continues(before: str, word: str) -> bool:
    if word in _TEENS:
        return 2 < _ALL_SIMPLE.get(before, 0) < 10
    if word in _SEVERAL:
        return 1 < _ALL_SIMPLE.get(before, 0) < 10
    if before in _PARTS or word in _PARTS or before in _OTHERS or word in _OTHERS:
        return False
    if word in _FACTORS:
        return True
    return before in _FACTORS or (before in _TENFOLD and 0 < _SIMPLE.get(word, 1) < 10)


def _told(run: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, tuple[float, ...], bool]]:
    if not run or (len(run) == 1 and (run[0][2] == "one" or run[0][2] in _TEENS)):
        return
    start, end = run[0][0], run[-1][1]
    if (share := _PARTS.get(run[-1][2])) is not None:
        several = [_KNOWN[word] for *_, word in run[:-1]]
        share *= several[0] if several else 1
        yield start, end, (share, share / 100, *several), True
        return
    whole, part = 0.0, 0.0
    for *_, word in run:
        value = 1.0 if word == "one" else _KNOWN[word]
        if word not in _FACTORS:
            part += value
        elif word in {"dozen", "hundred"}:
            part = (part or 1.0) * value
        else:
            whole, part = whole + (part or 1.0) * value, 0.0
    yield start, end, (whole + part,), False
