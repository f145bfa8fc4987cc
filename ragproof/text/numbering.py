"""Numbers of an answer that only number: its lists, steps and sources."""

from __future__ import annotations

import re

_LISTED = re.compile(r"^[ \t>*_#]*\(?\d{1,3}[.)](?=[ \t*])", re.MULTILINE)
_INLINE = re.compile(  # what it begins with comes first: so it is soon found
    r"[(\d](?<![\w.,$].)(?:(?<=\()\d{1,2}|(?<=\d)\d?)[.)](?=\s+\S)"
)
_FEWEST = 2
"""Numbers in a row that make a list within a line."""
_MARKED = re.compile(r"\d[.)][\s*]")
"""What numbered lists have in them."""
_FEW_DIGITS = re.compile(r" [\#\d]\d{0,2}(?:(?:, | and | & |-)\d{1,2}(?!/))*(?![\d%/]|[.,]\d)")
_WORDS = (
    "passage document doc source context excerpt chunk snippet reference step option quelle "
    "dokument schritt étape documento fuente paso fonte passo"
)
_LABELS = frozenset(_WORDS.split())
"""What is told by its number: `document 3`."""
_LONGEST = 12
_COUNTED = re.compile(r"[^.!?:\n\d]{3,80}:(?=\s|\*|$)")
_ADDRESS = re.compile(r"\bhttps?://\S+")
_ROUND_THE_CLOCK = re.compile(r"\b24/7(?!\d|/)")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6} [^\n]*|\*\*[^*\n]{1,80}\*\*:?)[ \t]*$", re.MULTILINE)
_MOST_COUNTED = 10


def without_numbering(text: str) -> str:
    r"""Blank them; every place stays what it is.

    >>> without_numbering("1. Open it.\n2. See document 3: 5 mg, 24/7.")
    '   Open it.\n   See document  : 5 mg,     .'
    >>> without_numbering("It is: 1. red 2. old; 7. it costs 3.")
    'It is:    red    old; 7. it costs 3.'
    """
    if "://" in text:
        text = _ADDRESS.sub(_blank, text)
    if "24/7" in text:
        text = _ROUND_THE_CLOCK.sub(_blank, text)
    text = _FEW_DIGITS.sub(_without_label, text)
    if _MARKED.search(text) is None:
        return text
    row: list[re.Match[str]] = []
    for found in _INLINE.finditer(text):
        number = int(found[0].strip("()."))
        if number != len(row) + 1 and row:
            text = _without(text, row)
            row = []
        if number == len(row) + 1:
            row.append(found)
    return _LISTED.sub(_blank, _without(text, row), count=0 if "\n" in text else 1)


def _without_label(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() + 1 - _LONGEST) : found.start()]
    word = before.rpartition(" ")[2].lower()
    return _blank(found) if word in _LABELS or word.removesuffix("s") in _LABELS else found[0]


def _without(text: str, row: list[re.Match[str]]) -> str:
    if len(row) < _FEWEST:
        return text
    for found in row:
        text = text[: found.start()] + _blank(found) + text[found.end() :]
    return text


def without_headings(text: str) -> str:
    """Blank the lines that are headings in Markdown, unless all are; every place stays."""
    if "#" not in text and "**" not in text:
        return text
    plain = _HEADING.sub(_blank, text)
    return plain if plain.strip() else text


def counts_its_list(text: str, end: int, value: float) -> bool:
    """Whether the number that ends there says how many things the answer lists behind a colon.

    >>> counts_its_list("There are two plans: A and B.", 13, 2.0), counts_its_list("2 mg.", 1, 2.0)
    (True, False)
    """
    return 1 < value <= _MOST_COUNTED and _COUNTED.match(text, end) is not None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
