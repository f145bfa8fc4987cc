"""Code points that nothing is drawn for: Unicode's property Default_Ignorable_Code_Point."""

from __future__ import annotations

import re
from collections import Counter

IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""The list of Unicode 16, DerivedCoreProperties."""


def invisible(text: str) -> Counter[str]:
    r"""Count them by code point.

    >>> invisible("soft\u00adware\u200b\u200b")
    Counter({'U+200B': 2, 'U+00AD': 1})
    """
    if text.isascii():
        return Counter()
    return Counter(f"U+{ord(one):04X}" for one in IGNORABLE.findall(text))
