"""Where the sentences of a document begin and end, in scripts with and without spaces."""

from __future__ import annotations

import re

from ragproof.text.clauses import ABBREVIATIONS

_BREAK = re.compile(
    "[.!?\u2026\u061f\u06d4\u0964\u0965]+[\"'\u2019\u201d\u00bb)\\]]*(?=\\s)"  # then white space
    "|[\u3002\uff01\uff1f\uff61]+[\"'\u2019\u201d\u300d\u300f\uff09)]*"  # and without it
    r"|\n[ \t]*\n"  # a blank line
    r"|\n(?=[ \t]*(?:[-*+\u2022|#]|\d{1,3}[.)][ \t]))"  # a list item, a row, a heading
    r"|(?<=\n)#{1,6} [^\n]*\n|\A#{1,6} [^\n]*\n"  # the heading's own line
)
_WORD = re.compile(r"(\w[\w.]*)\Z")
_MOST = 40
"""Characters before a full stop in which an abbreviation is looked for."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, white space between them and what has no letter left out.

    A full stop ends none after an abbreviation, an initial or a list number, nor before a
    lower-case letter.

    >>> text = "Dr. Ode spoke. 3.5 km! 終わり。次。"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Ode spoke.', '3.5 km!', '終わり。', '次。']
    """
    ends = [found.end() for found in _BREAK.finditer(text) if _ends(text, found)]
    spans = (_trimmed(text, *span) for span in zip([0, *ends], [*ends, len(text)], strict=True))
    return [(a, b) for a, b in spans if any(map(str.isalnum, text[a:b]))]


def _ends(text: str, found: re.Match[str]) -> bool:
    """Whether what was found is no full stop within a sentence."""
    if found[0][0] != "." or found[0].startswith(".."):
        return True
    rest = text[found.end() : found.end() + _MOST].lstrip()
    if rest[:1].islower():
        return False
    word = _WORD.search(text[max(0, found.start() - _MOST) : found.start()])
    if word is None:
        return True
    said = word[1].lower()
    line = text[text.rfind("\n", 0, word.start(1)) + 1 : found.start()]
    is_number = line.strip().isdigit()  # `1. First` at the beginning of a line
    is_initial = len(said) == 1 and said.isalpha() and said != "i"
    return not (is_number or is_initial or said in ABBREVIATIONS)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
