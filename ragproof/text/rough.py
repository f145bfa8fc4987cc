"""Words that make a number a rough one: `about 300`, `more than 8 million`, `nearly half`."""

from __future__ import annotations

import re

from ragproof.text.quantity import Quantity

_ABOUT = (
    "about around roughly approximately approx approx. circa ca ca. some ~ ≈ etwa rund ungefähr "
    "circa zirka environ autour_de alrededor_de aproximadamente unos unas cerca_de 大约 约 約 左右 "
    " حوالي نحو लगभग करीब"
)
_ABOVE = (
    "over more_than above at_least upwards_of exceeding über mehr_als gut mindestens plus_de "
    "más_de mais_de mas_de più_di 超过 超過 逾 أكثر_من से_अधिक"
)
_BELOW = (
    "nearly almost under less_than below up_to close_to just_under fast knapp beinahe weniger_als "
    "presque près_de moins_de casi menos_de quase quasi meno_di 近 将近 接近 不到 أقل_من ما_يقرب_من"
)


def _before(words: str) -> re.Pattern[str]:
    told = "|".join(re.escape(one).replace("_", r"\s") for one in words.split())
    return re.compile(rf"(?<!\w)(?:{told})\s?(?:(?:an?|one|the|eine?)\s)?\Z", re.IGNORECASE)


_ENDS = [one.rpartition("_")[2] for one in f"{_ABOUT} {_ABOVE} {_BELOW}".split()]
_LAST_WORDS = frozenset([*_ENDS, *map(str.capitalize, _ENDS)])
_LAST_SIGNS = frozenset(one[-1] for one in _ENDS if not one.isascii()) | {"~"}
"""What such words end in: most numbers have none before them."""
_LEANS = ((0, _before(_ABOUT)), (1, _before(_ABOVE)), (-1, _before(_BELOW)))
_FAR = 20
"""Characters before a number that are looked at."""
_MOST = 0.1
"""How far, relatively, a number may be from one that is told roughly; `about` is half as far."""

_SHARE_ABOUT, _SHARE_ABOVE = 10.0, 15.0
"""The same of a share in words: `about half`, `more than half`."""


def roughly(one: Quantity, text: str, start: int) -> Quantity:
    """The quantity that begins there, as rough as what stands before it says.

    It is as rough as its last digit that is not 0, and no more than a tenth.

    >>> roughly(Quantity("300 km", (3e5,), "m", written=(300.0,)), "about 300 km", 6).step
    30000.0
    """
    if not (one.values and one.written and one.values[-1]) or one.unit in ("clock", "phone"):
        return one
    before = text[max(0, start - _FAR) : start]
    if before.rstrip()[-1:] not in _LAST_SIGNS and _LAST_WORDS.isdisjoint(before.split()[-2:]):
        return one
    lean = next((lean for lean, words in _LEANS if words.search(before)), None)
    if lean is None:
        return one
    if len(one.values) < len(one.written):  # a share, in words or as a fraction
        return one._replace(step=_SHARE_ABOVE if lean else _SHARE_ABOUT, lean=lean)
    value, written = max(one.values), max(one.written)  # nobody says over 1.000 of one
    size = abs(value)
    counted = _last_digit(abs(written)) * size / abs(written)
    step = max(one.step, min(counted, _MOST * size))
    return one._replace(values=(value,), written=(written,), step=step, lean=lean)


def _last_digit(number: float) -> float:
    """What the last digit counts that is not 0.

    >>> _last_digit(300.0), _last_digit(1.25e6), _last_digit(4.5)
    (100.0, 10000.0, 0.1)
    """
    digits, _, power = f"{number:.12e}".partition("e")
    places = len(digits.rstrip("0").rstrip(".").replace(".", "")) - 1
    return float(10.0 ** (int(power) - places))
