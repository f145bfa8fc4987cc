"""Undoing what hides a string in a text: what a reader would see, and what it looks like."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from ragproof.text.confusable import FOLD

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""What is drawn as nothing: zero-width and default-ignorable characters, controls of direction."""
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670]+"
)
"""Accents, strokes and piled-up marks. Vowel signs of Indic scripts are letters and stay."""
_ENTITY = re.compile(r"&(?:#[0-9]{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_TAG = re.compile(r"<(?:!--|[A-Za-z/?!])[^<>]{0,300}+>")
_MARKUP = re.compile(r"\\(?=[!-/:-@\[-`{-~])|(?<=\S)[*~]+|[*~]+(?=\S)")
"""Backslashes before punctuation, stars and tildes of emphasis; a bullet stays."""
_DEFANGED = re.compile(r"[\[({<]\s?(?:\.|dot)\s?[\])}>]|(?<=\w) dot (?=\w)|\\\.", re.IGNORECASE)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07", "'"),
        **dict.fromkeys(
            "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f", '"'
        ),
        **dict.fromkeys("\u300a\u300b\u301d\u301e\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2212\u2043", "-"),
        **dict.fromkeys("\u2028\u0085", "\n"),
        "\u2029": "\n\n",
        "\u2800": " ",
    }
)
_TICKS = re.compile("`+")


def readable(text: str) -> str:
    r"""Give the text as a reader takes it in, on one alphabet of quotes and dashes.

    Entities and percent codes are read, compatibility forms and accents reduced to plain letters,
    invisible characters and the marks of Markdown taken away, defanged dots restored. Tags stay.

    >>> readable("**RAG**PRO\u200bOF\\_X at exfil[.]invalid&#33;")
    'RAGPROOF_X at exfil.invalid!'
    """
    if "&" in text:
        # Twice, since what was escaped once more on its way still shows as the letter in the end.
        for _ in range(2):
            text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    if "%" in text:
        text = _PERCENT.sub(_percent, text)
    text = without_marks(text)
    text = _MARKUP.sub("", _DEFANGED.sub(".", text))
    return _TICKS.sub('"', text)


def without_marks(text: str) -> str:
    r"""Reduce compatibility forms, accents, quotes and dashes; take invisible characters away.

    >>> without_marks("\ufb01ance\u0301 \u201eA\u201c")
    'fiance "A"'
    """
    text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", _MARKS.sub("", text)).translate(_SIGNS)
    return text


def without_tags(text: str) -> str:
    """Take HTML tags and comments out, so that what they part stands together."""
    return _TAG.sub("", text) if "<" in text else text


def folded(text: str) -> str:
    r"""Reduce a readable text to what its letters look like, each at the place it had.

    >>> folded("R\u0410GPR\u041eOF")
    'ragproof'
    """
    found = text.translate(FOLD).lower()
    # Only a capital I with a dot, which `readable` has taken apart, would grow.
    return (
        found
        if len(found) == len(text)
        else "".join(one.lower()[0] for one in text.translate(FOLD))
    )


def _percent(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return found[0]
