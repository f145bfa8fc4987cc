"""What stands behind a number: a multiple of ten, a unit, both or neither."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from ragproof.text.letters import UNCASED, WORD
from ragproof.text.unit_names import SCALES, UNITS

_AFTER = re.compile(
    r"[ \u00a0\u202f-]?(?P<word>°\s?[CF]|[%‰€$£¥₹℃℉]|US\$|(?:per|pour|por) (?:cent|ciento|cento)\b"
    r"|(?:basis|percentage) points?\b|(?:degrees?|Grad|degrés?|grados?|graus?|gradi?) "
    r"(?:Celsius|centigrade|Fahrenheit)\b"
    rf"|{WORD}(?:/[^\W\d_]+|[²³23](?!\d))?)"
)
_UNCASED = re.compile(f"[{UNCASED}]")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_SQUARE = re.compile(
    r"\s(?:carr[ée]s?|cuadrados?|quadrat[io]|quadrados?|مرب\u0651?ع\w*)(?!\w)", re.IGNORECASE
)
_CUBIC = re.compile(r"\s(?:cubes?|c[úu]bicos?|cub[io]|مكع\u0651?ب\w*)(?!\w)", re.IGNORECASE)
_PER_HOUR = re.compile(
    r"\s?[/\\]\s?(?:hour|hr|h|小时|小時|時間|ساعة|घंटा|घंटे)(?!\w)"
    r"|\s(?:per|an|pro|par|por|in|all|في|प्रति)[\s'\u2019](?:hour|Stunde|heure|hora|ora|الساعة|घंटा|घंटे)"
    r"(?!\w)"
)
_PER, _DERIVES = frozenset("/\\"), frozenset("cCqQpiaمفप/\\")
"""What stands behind a length, and behind the blank there, of an area, a volume or a speed."""
_HOUR = 3600
_NAMES = frozenset(one.lower() for one in (*UNITS, *SCALES))
_Scale: TypeAlias = tuple[float, int]
_Unit: TypeAlias = tuple[str, float, int]
"""Base and worth; the last of both is how many characters say it."""


Measure: TypeAlias = tuple[int, float, str | None, float]
"""Where it ends, the multiple of ten, the base of the unit and what the unit is worth in it."""


def measure_at(text: str, end: int, money: str | None = None) -> Measure | None:
    """Read on behind a number that ends there and may have a sign of `money` before it.

    None where it is not a number at all but part of a name, as in `3D` and `7UP`.

    >>> measure_at("5 million years", 1)
    (15, 1000000.0, 'month', 12.0)
    >>> measure_at("5 of them", 1), measure_at("7UP", 1)
    ((1, 1.0, None, 1.0), None)
    """
    unit, scale = (UNITS[money][0] if money else None), 1.0
    for _ in range(2):
        word = _AFTER.match(text, end)
        if word is None:
            break
        said, at = word[1], word.start(1)
        if at == end and said == "x" and text[at + 1 : at + 2].isdecimal():
            break  # 1920x1080
        size, named = _meaning(said, text[end:at], money)
        if size is not None and scale == 1.0:
            scale, end = size[0], at + size[1]
        elif unit is None and named is not None:
            base, worth, length = named
            found = at + length, scale, base, worth
            return _derived(text, found) if base == "m" else found
        elif at == end and scale == 1.0 and not _UNCASED.match(said):
            return None
        else:
            break
    return end, scale, unit, 1.0


def _derived(text: str, length: Measure) -> Measure:
    """An area, a volume or a speed where the words behind a length make it one."""
    end, scale, _, metres = length
    if text[end : end + 1] not in _PER and text[end + 1 : end + 2] not in _DERIVES:
        return length
    for pattern, unit, worth in (
        (_SQUARE, "m²", metres**2),
        (_CUBIC, "m³", metres**3),
        (_PER_HOUR, "m/s", metres / _HOUR),
    ):
        if (found := pattern.match(text, end)) is not None:
            return found.end(), scale, unit, worth
    return length


@lru_cache(maxsize=8192)
def _meaning(said: str, gap: str, money: str | None) -> tuple[_Scale | None, _Unit | None]:
    """What a word behind a number says: a multiple of ten, a unit, mostly neither."""
    low = said.lower()
    if said.isascii() and said.isalpha() and len(said) > 1 and low not in _NAMES:
        return None, None  # most words
    size = _scale(said, attached=not gap, paid=money is not None)
    named = _unit(said, attached=not gap)
    longer = size is not None and named is not None and named[2] > size[1]  # 千克, not 千
    return (None if longer else size), named


def _scale(said: str, *, attached: bool, paid: bool) -> _Scale | None:
    if _CJK.match(said):
        hit = next((one for one in (said[:2], said[:1]) if one in SCALES), None)
        return None if hit is None else (SCALES[hit], len(hit))
    low = said.lower()
    if low in {"m", "b"}:
        return ({"m": 1e6, "b": 1e9}[low], len(said)) if paid else None
    if said in {"k", "K"} and not attached:
        return None
    return (SCALES[low], len(said)) if low in SCALES else None


def _unit(said: str, *, attached: bool) -> _Unit | None:
    if _CJK.match(said):
        hit = next((said[:size] for size in (4, 3, 2, 1) if said[:size] in UNITS), None)
        return None if hit is None else (*UNITS[hit], len(hit))
    name = said.replace("° ", "°").replace(" ", "_") if "°" in said or " " in said else said
    if len(name) <= 1 and name in "aedtBJ" and attached:
        return None
    known_as = UNITS.get(name) or (UNITS.get(name.lower()) if len(name) > 2 else None)
    if known_as is None or (name in {"an", "or", "ora", "ha", "d", "A"} and not attached):
        return None
    return (*known_as, len(said))
