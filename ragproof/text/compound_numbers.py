"""Numbers that German and Italian write in one word."""

from __future__ import annotations

from collections.abc import Iterable

_ONES = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_TEENS = ["zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn"]
_TEENS += ["sechzehn", "siebzehn", "achtzehn", "neunzehn"]
_GERMAN: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(_ONES, 1)},
    **{word: float(value) for value, word in enumerate(_TEENS, 10)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, 2)},
    **{
        f"{one}und{ten}": 10.0 * tens + ones
        for tens, ten in enumerate(_TENS, 2)
        for ones, one in enumerate(_ONES, 1)
    },
}
_GERMAN["eins"] = 1.0
_GERMAN |= {word.replace("ß", "ss"): value for word, value in _GERMAN.items()}
_HALVES = {f"{word}einhalb": value + 0.5 for word, value in _GERMAN.items() if value <= 20}

_UNITS = ["uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"]
_SMALL = ["dieci", "undici", "dodici", "tredici", "quattordici", "quindici", "sedici"]
_SMALL += ["diciassette", "diciotto", "diciannove"]
_DECADES = ["venti", "trenta", "quaranta", "cinquanta"]
_DECADES += ["sessanta", "settanta", "ottanta", "novanta"]
_ITALIAN: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(_UNITS, 1)},
    **{word: float(value) for value, word in enumerate(_SMALL, 10)},
    **{word: 10.0 * value for value, word in enumerate(_DECADES, 2)},
    **{
        (ten[:-1] if one[0] in "uo" else ten) + one: 10.0 * tens + ones
        for tens, ten in enumerate(_DECADES, 2)
        for ones, one in enumerate(_UNITS, 1)
    },
}
_ITALIAN |= {f"{word[:-1]}é": value for word, value in _ITALIAN.items() if word.endswith("tre")}
_ITALIAN |= {
    word[:-1]: value for word, value in _ITALIAN.items() if word.endswith("uno") and value > 20
}

_ROW = ("te", "ten", "ter", "tes", "tem")
_LOWEST_ROW = 4
"""First to third are words of their own."""
_YEARS = range(10, 20)
"""Of them years are told in hundreds: neunzehnhundert."""
_THOUSANDS = ("tausend", "mila", "mille")
STEMS = ("hundert", "cent", *_THOUSANDS)
"""One of them is in each of the `large` ones."""


def _german() -> dict[str, float]:
    """All below a thousand, and years in hundreds, with `und` behind the hundreds and without."""
    heads = {"": 1.0, **{word: value for word, value in _GERMAN.items() if value < _YEARS.stop}}
    tails = {"": 0.0, **_GERMAN, **{f"und{word}": value for word, value in _GERMAN.items()}}
    hundreds = {
        f"{head}hundert{tail}": 100 * times + rest
        for head, times in heads.items()
        for tail, rest in tails.items()
    }
    return _GERMAN | hundreds


def _italian() -> dict[str, float]:
    """All below a thousand; cento may lose its last letter: centottanta."""
    heads = {"": 1.0, **{word: value for word, value in _ITALIAN.items() if 1 < value < 10}}
    tails = {
        **{f"o{word}": value for word, value in _ITALIAN.items()},
        **{word: value for word, value in _ITALIAN.items() if word.startswith("o")},
        "o": 0.0,
    }
    hundreds = {
        f"{head}cent{tail}": 100 * times + rest
        for head, times in heads.items()
        for tail, rest in tails.items()
    }
    return _ITALIAN | hundreds


_BELOW = _italian() | _german()
_HUNDREDS: dict[str, float] = {
    word: value for word, value in _BELOW.items() if "hundert" in word or "cent" in word
}
"""Those from a hundred to a thousand, and years in hundreds."""
COMPOUNDS: dict[str, float] = {
    word: value for word, value in {**_ITALIAN, **_GERMAN, **_HALVES}.items() if value > 1
} | {"anderthalb": 1.5}
"""Word in lower case to number, below a hundred, and halves."""
ROW: dict[str, float] = {
    word + ("s" if value >= _YEARS.stop else "") + ending: value
    for word, value in _GERMAN.items()
    for ending in _ROW
    if value >= _LOWEST_ROW
}
"""Numbers of a row: neunzehnten."""


def large(words: Iterable[str]) -> dict[str, float]:
    """Those of these words, in lower case, that are numbers from a hundred to a million.

    >>> large(["dreitausendfünfhundert", "tausendschön", "millenovecentottantanove", "similar"])
    {'dreitausendfünfhundert': 3500.0, 'millenovecentottantanove': 1989.0}
    """
    return {word: value for word in words if (value := _large(word)) is not None}


def _large(word: str) -> float | None:
    if (hundreds := _HUNDREDS.get(word)) is not None:
        return hundreds
    stem = next((stem for stem in _THOUSANDS if stem in word), None)
    return None if stem is None else _thousand(word, stem)


def _thousand(word: str, stem: str) -> float | None:
    head, _, tail = word.partition(stem)
    times = _BELOW.get(head) if head else 1.0
    rest = _BELOW.get(tail.removeprefix("und")) if tail else 0.0
    is_whole = times is not None and times < 1000 and rest is not None and rest < 1000
    return 1000 * (times or 0.0) + (rest or 0.0) if is_whole else None
