"""The tokens by which short answers are compared: SQuAD's rules, for every script."""

from __future__ import annotations

import re
import unicodedata
from itertools import filterfalse

ARTICLES = frozenset({"a", "an", "the"})
_UNSPACED = (
    "\u0e00-\u0fff"  # Thai, Lao, Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u31c0-\u31ef"  # Han: radicals, marks, numerals
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"  # Kana
    "\u3100-\u312f\u31a0-\u31bf"  # Bopomofo
)
"""Scripts that do not write spaces between words."""
_IGNORABLE = re.compile(
    "[\u034f\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Not seen or, like the Arabic tatweel, not meant; all others of the kind are in category Cf."""


def answer_tokens(text: str) -> list[str]:
    """Split an answer into what its wording says, without what only its typography says.

    Width, ligatures and case are levelled (NFKC, case folding), digits of all scripts are ASCII,
    punctuation and symbols (categories P and S) are taken out and join what they stood between,
    and the English articles are dropped: on ASCII text, what the evaluation script of SQuAD does.
    Vowel signs, accents and other marks stay. A token is a word; in scripts without spaces
    between words it is a character with its marks. Where nothing would be left, articles are
    kept, and then punctuation: the answer "A" is no empty answer.

    >>> answer_tokens("The Eiffel-Tower (Paris), 330 m!")
    ['eiffeltower', 'paris', '330', 'm']
    >>> answer_tokens("東京タワー、333m")
    ['東', '京', 'タ', 'ワ', 'ー', '333m']
    >>> answer_tokens("A."), answer_tokens("?!")
    (['a'], ['?!'])
    """
    kept = all_tokens(text)
    return [*filterfalse(ARTICLES.__contains__, kept)] or kept


def all_tokens(text: str) -> list[str]:
    """The same with the articles, one of which may be the name of a thing.

    >>> all_tokens("Plan A, please!")
    ['plan', 'a', 'please']
    """
    return _split(text.translate(_FOLDED)) or _split(_with_signs(text))


class _Folds(dict[int, "int | str | None"]):
    """What becomes of each code point; looked up when it is first met, None to take it out."""

    def __missing__(self, code: int) -> int | str | None:
        folded = _folded(chr(code))
        self[code] = ord(folded) if len(folded) == 1 else folded or None
        return self[code]


def _folded(char: str) -> str:
    if _is_ignorable(char):
        return ""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
    if _is_sign(char) and (not any(map(str.isalnum, plain)) or _is_raised(char)):
        return ""  # `℃` is letters as well as a sign; `™` is set beside a word, not part of it
    return "".join(_digit(one) for one in plain if not (_is_sign(one) or _is_ignorable(one)))


def _with_signs(text: str) -> str:
    seen = (char for char in text if not _is_ignorable(char))
    return unicodedata.normalize("NFKC", "".join(seen)).casefold()


def _is_ignorable(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or _IGNORABLE.match(char) is not None


def _is_sign(char: str) -> bool:
    """Whether it is punctuation, a symbol or, like that of a keycap, a frame around a character."""
    category = unicodedata.category(char)
    return category[0] in "PS" or category == "Me"


def _is_raised(char: str) -> bool:
    return unicodedata.decomposition(char).startswith("<super>")


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char, char))


def _marks() -> str:
    """The vowel signs and tone marks of the scripts without spaces, as they follow a letter."""
    blocks = ((0x0E00, 0x1100), (0x1780, 0x1800), (0x302A, 0x309B), (0xA9E0, 0xAA80))
    points = (chr(code) for block in blocks for code in range(*block))
    return "".join(one for one in points if unicodedata.category(one).startswith("M"))


_FOLDED = _Folds()
_TOKEN = re.compile(f"[{_UNSPACED}][{_marks()}]*|[^\\s{_UNSPACED}]+")


def _split(text: str) -> list[str]:
    if text.isascii():
        return text.split()
    return _TOKEN.findall(unicodedata.normalize("NFC", text))
