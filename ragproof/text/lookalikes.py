"""Words in which a letter of another script passes for a Latin one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache

from ragproof.text.confusable import FOLD

_WORDS = re.compile(r"[^\W\d_]+")


def lookalikes(text: str, *, latin_only: bool = False) -> Counter[str]:
    r"""Count words that mix Latin letters with others that look like Latin ones.

    With `latin_only` the text is meant to be Latin, and one such letter in a word is enough.

    >>> lookalikes("p\u0430ypal \u043c\u043e\u0440\u0435")  # a Cyrillic a; a Russian word
    Counter({'pаypal': 1})
    """  # noqa: RUF002  that is the point
    if text.isascii():
        return Counter()
    return Counter(
        word for word in _WORDS.findall(text) if _passes_for_latin(word, latin_only=latin_only)
    )


def _passes_for_latin(word: str, *, latin_only: bool) -> bool:
    if word.isascii():
        return False
    foreign = [one for one in word if ord(one) in FOLD and not _is_latin(one)]
    return bool(foreign) and (latin_only or any(_is_latin(one) for one in word))


@cache
def _is_latin(letter: str) -> bool:
    name = unicodedata.name(letter, "")
    return name.startswith(("LATIN", "FULLWIDTH LATIN", "FEMININE", "MASCULINE"))
