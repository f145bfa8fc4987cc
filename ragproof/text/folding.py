"""Fold away what does not tell words apart, letter by letter, so that places stay what they are."""

from __future__ import annotations

import re
import unicodedata

_LATIN = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_SAME = {
    "\u0451": "\u0435",  # Cyrillic io, e
    **dict.fromkeys("\u0622\u0623\u0625\u0671", "\u0627"),  # the alefs
    "\u0649": "\u064a",  # alef maksura, yeh
    "\u0629": "\u0647",  # teh marbuta, heh
    **dict.fromkeys("\u2018\u2019\u02bc\u00b4`\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\u2010\u2011\u2212", "-"),
    **dict.fromkeys("\u2013\u2014\u2015", "\u2014"),
    "\u0401": "\u0435",
    "\u0130": "i",  # the one letter whose lower case is two
}
_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_MARKS = re.compile("[\u0300-\u036f\u0640\u064b-\u065f\u0670\u093c\ufe0e\ufe0f]")


def _bare(letter: str) -> str:
    """The letter without its accent, if it is one plain letter then."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", letter))
    return bare.lower() if len(bare) == 1 else letter.lower()


_TABLE = str.maketrans({chr(one): _bare(chr(one)) for one in _LATIN} | _SAME)


def composed(text: str) -> str:
    r"""Take out compatibility forms, vowel points and what is invisible.

    >>> composed("no\u200bt \ufb01ne")
    'not fine'
    """
    if text.isascii():
        return text
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


def folded(text: str) -> str:
    """Lower the case and drop accents, curly quotes and long dashes; no place changes.

    >>> folded("Aucune Idée")
    'aucune idee'
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    return text.translate(_TABLE).lower()
