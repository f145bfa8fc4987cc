"""Numbers in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ragproof.text import number_names as names
from ragproof.text.compound_numbers import COMPOUNDS, ROW, STEMS, large
from ragproof.text.language import languages
from ragproof.text.letters import MARKS
from ragproof.text.measures import measure_at
from ragproof.text.unit_names import SCALES

_SHARES = {**names.HALVES, **names.PARTS, **names.SEVERAL}
_PLAIN = {**COMPOUNDS, **names.NUMBERS}
_ROWS = {**names.ORDINALS, **ROW}
_WORDS = frozenset({*_PLAIN, *names.MULTIPLES, *_ROWS, *names.DECADES, *names.HALF_OF, *_SHARES})
_JOINTS = frozenset({" ", "-", "\u2011", " and ", " et ", "-et-", " y ", " e ", f" {names.AND} "})
_ONE_BEFORE = re.compile(r"\b(?:an?|one|une?|uno?|uma?|eine?[mnrs]?)[ -]\Z")
AND_A_HALF = re.compile(
    r" (?:and a half|et demie?|y medi[oa]|e mei[oa]|e mezz[oa])(?!\w)", re.IGNORECASE
)
_HALVED = re.compile(r"\b(?P<one>an?|une?|una|uma?) [^\W\d_]+(?=" + AND_A_HALF.pattern + ")", re.I)
_OF_A = re.compile(r" of an?(?= )")
_ARTICLE = re.compile(r"[ -]an?(?=[ -])")
_ONE_OF = re.compile(r"\s(?:out of|in|in every|von|sur|su|de cada|em cada)\s(?P<many>[^\W\d_]+)")
_MILLION = 1e6
_FAR = 12
"""Characters before a number that are looked at."""
_SCALE_AFTER = re.compile(r"[ -](?P<word>[^\W\d_]+)")
_VAGUE = re.compile(
    r"\b(?:several|few|many|some|mehrere|einige|viele|plusieurs|quelques|varios|algunos|alcuni) \Z"
)
_PER = re.compile(r"\b(?:pour|por|per)\s\Z")
_NEXT = re.compile(r"\s+([^\W\d_]+)")
_MARKS = frozenset(MARKS)
_SIGNS = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789\u00a0\u2011\u2013\u2014\u201c\u201d\u2019\u2026"
)
_SIGNS += "\u060c\u061b\u061f\u0964"  # of Arabic and Hindi
_APART = str.maketrans(dict.fromkeys(_SIGNS, " "))
_YEARS = range(10, 21)
"""The first half of a year that is told in two: nineteen eighty-nine."""


class Spoken(NamedTuple):
    """One of them."""

    start: int
    end: int
    values: tuple[float, ...]
    is_share: bool = False
    """In percent; behind it is what else its words may say: three quarters are 75 %, 0.75, and
    three of something."""


def number_words(text: str, *, source: bool = False) -> Iterator[Spoken]:
    """Find the numbers in words.

    They are English, French, Spanish, Portuguese, Hindi and Arabic words, and those that German and
    Italian write in one.
    `one` and its like are left out: they are pronouns and articles more often than numbers. Of a
    `source`, from which something may follow, more is read: numbers of a row (`nineteenth`), and
    words that are numbers in one language and other words in another.

    >>> [one.values for one in number_words("Twenty-four, three quarters of them.")]
    [(24.0,), (75.0, 0.75, 3.0)]
    >>> [one.values for one in number_words("two hundred and five thousand; einundzwanzig Tage")]
    [(205000.0,), (21.0,)]
    >>> [one.values for one in number_words("quatre-vingt-dix-sept ou treinta y cinco")]
    [(97.0,), (35.0,)]
    """
    run, known = _Run(), _known_words(text)
    if not known:
        return
    for start, end, word in known:
        if run.words and text[run.end : start] in _JOINTS and run.takes(word):
            run.end = end
            continue
        yield from _told(text, run, source=source)
        run = _Run(start, end)
        if not _is_of_another(text, start, word):
            run.takes(word)
    yield from _told(text, run, source=source)


def _is_of_another(text: str, start: int, word: str) -> bool:
    """Whether it belongs to a number before it: of `1.2 million`, `7-Eleven`, `two and a half`."""
    before = text[max(0, start - 7) : start]
    if word == "half":
        return before.endswith(" and a ")
    is_near = before[-1:] == "-" or word in names.MULTIPLES
    return is_near and (before[-2:].strip(" -")[-1:].isdigit() or before.endswith("a half "))


@dataclass(slots=True)
class _Run:
    """Words that make one number, as far as they are read."""

    start: int = 0
    end: int = 0
    words: list[str] = field(default_factory=list)
    total: float = 0.0
    part: float = 0.0
    """Below the multiples of `total`."""
    least: float = float("inf")
    """The last multiple."""
    share: float | None = None
    is_row: bool = False

    def takes(self, word: str) -> bool:
        """Add a word; False where it does not continue the number, which stays as it was then."""
        if self.share is not None or self.is_row or not self._taken(word):
            return False
        self.words.append(word)
        return True

    def _taken(self, word: str) -> bool:
        if self.words and word in names.SEVERAL:
            is_few = 1 < self.part < 10 and not self.total
            self.share = names.SEVERAL[word] if is_few else None
            return is_few
        if word in names.MULTIPLES:
            return self._multiplied(word, names.MULTIPLES[word])
        if word in _PLAIN:
            return self._added(word, _PLAIN[word])
        if word in _ROWS and (self.words or word not in _SHARES):
            self.is_row = self._added(word, _ROWS[word])
            return self.is_row
        if not self.words and word in _SHARES:
            self.share = _SHARES[word]
            return True
        if self.words:
            return False
        self.part = large([word]).get(word, 0.0)
        return bool(self.part) or word in names.DECADES or word in names.HALF_OF

    def _multiplied(self, word: str, size: float) -> bool:
        if word in names.CENTS and self.words and self.words[-1] in names.ENGLISH_ALONE:
            return False  # fifty cents
        if size < 1000:
            if self.part >= 100:
                return False
            self.part = (self.part or 1.0) * size
        elif size < self.least:
            self.total, self.part = self.total + (self.part or 1.0) * size, 0.0
            self.least = size
        elif not self.part:  # a thousand million
            self.total, self.least = self.total * size, size
        else:
            return False
        return True

    def _added(self, word: str, value: float) -> bool:
        if not self.part:
            if value >= self.least or (self.words and not value):
                return False
            self.part = value
        elif word in names.SCORES and self.words[-1] == "quatre":
            self.part += 76.0
        elif self._is_year(word, value):
            self.part = self.part * 100 + value
        elif self._has_room(word, value):
            self.part += value
        else:
            return False
        return True

    def _is_year(self, word: str, value: float) -> bool:
        known = word in names.ENGLISH and self.words[-1] in names.ENGLISH
        return known and len(self.words) == 1 and self.part in _YEARS and 10 <= value < 100

    def _has_room(self, word: str, value: float) -> bool:
        below = self.part % 100
        if word in names.TEENS:
            return 0 < below < 10 or (not below and self.part >= 100)
        if word in names.ARABIC_TENS:
            return 0 <= below < 10
        if word in names.FRENCH_TEENS and below in (60, 80):
            return True
        is_ten = not below % 10 and (below > 10 or self.words[-1] == "dix")
        room = 1000 if not self.part % 1000 else 100 if not below else 10 if is_ten else 0
        return 0 < value < room

    @property
    def value(self) -> float:
        """What they say together."""
        return self.total + self.part


def _told(text: str, run: _Run, *, source: bool) -> Iterator[Spoken]:
    if not run.words or (run.is_row and not (source and run.words[0] not in names.UNCOUNTED)):
        return
    first = run.words[0]
    if all(word in names.MULTIPLES for word in run.words) and _VAGUE.search(_before(text, run)):
        return
    if first in names.HALF_OF:
        yield from _half_of(text, run.start, run.end)
    elif first in names.DECADES:
        yield Spoken(run.start, run.end, names.DECADES[first])
    elif run.share is not None:
        yield from _share(text, run, source=source)
    elif len(run.words) > 1 or _counts_alone(text, run, source=source):
        yield _and_a_half(text, run)


def _half_of(text: str, start: int, end: int) -> Iterator[Spoken]:
    """Of half an hour and its like; nothing where no unit follows."""
    if _is_measured(text, end):
        yield Spoken(start, end, (0.5,))


def _is_measured(text: str, end: int) -> bool:
    """Whether a unit or a multiple of ten follows."""
    measured = measure_at(text, end)
    return measured is not None and (measured[2] is not None or measured[1] != 1.0)


def _share(text: str, run: _Run, *, source: bool) -> Iterator[Spoken]:
    word, several = run.words[-1], run.part
    if not several and (of := _OF_A.match(text, run.end)) and _is_measured(text, of.end()):
        yield Spoken(run.start, of.end(), ((run.share or 0.0) / 100,))  # a quarter of an hour
        return
    if word == "half":
        article = _ARTICLE.match(text, run.end)
        halved = [*_half_of(text, run.start, article.end() if article else run.end)]
        if halved:
            yield from halved
            return
    share = (run.share or 0.0) * (several or 1.0)
    values = (share, share / 100, *([several] if several else []))
    if several or word in names.HALVES or _ONE_BEFORE.search(_before(text, run)):
        yield Spoken(run.start, run.end, values, is_share=True)
    elif source and word in names.ORDINALS:  # the third
        yield Spoken(run.start, run.end, (names.ORDINALS[word],))


def _counts_alone(text: str, run: _Run, *, source: bool) -> bool:
    """Whether the one word that there is counts."""
    word = run.words[0]
    if word in names.TEENS:
        return False
    if word in names.ONES:
        after, of = _SCALE_AFTER.match(text, run.end), _ONE_OF.match(text, run.end)
        is_million = after is not None and SCALES.get(after["word"].lower(), 0) >= _MILLION
        return is_million or (of is not None and of["many"].lower() in _PLAIN)
    if word in names.CENTS and _PER.search(_before(text, run)):
        return False
    if word == "acht" and (after := _NEXT.match(text, run.end)) and after[1] in {"auf", "geben"}:
        return False
    owners = names.OWNED.get(word)
    return owners is None or (source and word not in {"dos", "cent"}) or _is_in(text, owners)


def _before(text: str, run: _Run) -> str:
    return text[max(0, run.start - _FAR) : run.start].lower()


def _is_in(text: str, owners: tuple[str, ...]) -> bool:
    told = languages(text)
    return bool(told) and set(told) <= set(owners)


def _and_a_half(text: str, run: _Run) -> Spoken:
    """The number, with the half behind it: two and a half million."""
    half = AND_A_HALF.match(text, run.end)
    if half is None:
        return Spoken(run.start, run.end, (run.value,))
    return Spoken(run.start, half.end(), (run.value + 0.5,))


def _known_words(text: str) -> list[tuple[int, int, str]]:
    """Where the words of numbers are. Most texts have few, which are soon found one by one."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    words = low.translate(_APART).split()
    told = _WORDS.intersection(words)
    for stem in STEMS:
        if stem in low:
            told |= large(word for word in words if stem in word).keys()
    return sorted([(*place, word) for word in told for place in _places(low, word)])


def ones_and_a_half(text: str) -> Iterator[Spoken]:
    """The `an` of `an hour and a half`."""
    if " and a half" in text or " et demi" in text or " y medi" in text or " e me" in text:
        for found in _HALVED.finditer(text):
            if measure_at(text, found.end("one")) != (found.end("one"), 1.0, None, 1.0):
                yield Spoken(*found.span("one"), (1.0,))


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
