"""Cut an answer into sentences as a reader sees them: markup, quotes and list signs taken out."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import html
import re
from itertools import pairwise

from ragproof.text.folding import composed

_FENCE = re.compile(r"```[^\n`]*")
_OBJECT = re.compile(r'\s*\{\s*"\w{1,40}"\s*:\s*"?([^{}"\n]*)"?\s*\}\s*\Z')
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,500}\)")
_CITED = re.compile(r"\s?\[\^?\d{1,3}(?:, ?\d{1,3}){0,9}\]")
_MARKUP = re.compile("[*_~`#|]+|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]+")
_BULLET = re.compile(
    r"^[ \t]{0,8}(?:[-+>\u2022\u00b7\u25aa\u2013]|\(?\d{1,2}[.)])[ \t]+", re.MULTILINE
)
_LABEL = re.compile(
    r"^[^\w\n]{0,8}(?:(?:final |short )?(?:answer|response|result|output)|antwort|r[ée]ponse|"
    r"respuesta|resposta|risposta|答案|回答|答|ответ|الإجابة|الاجابة|الجواب|उत्तर|जवाब)"
    r" ?[:：]\s*(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|(?<=\s)\"[^\"\n]{1,300}\Z"
    "|[\u201c\u201d\u201e][^\u201c\u201d\u201e\n]{1,300}[\u201c\u201d]|\u00ab[^\u00ab\u00bb\n]{1,300}\u00bb"
    "|\u300c[^\u300c\u300d\n]{1,300}\u300d|\u300e[^\u300e\u300f\n]{1,300}\u300f"
    r"|(?<!\w)['\u2018](?:[^'\u2018\u2019\n]|\w['\u2019]\w){2,300}?['\u2019](?!\w)"
)
_ANSWER_IS = re.compile(
    r"\b((?:answer|response) (?:is|would be|should be|must be)|Antwort (?:ist|lautet)|"
    r"réponse est|respuesta es|resposta é|risposta è)(:? )"
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00ab\u00bb\n]{1,100})[\"\u201c\u201d\u00bb]",
    re.IGNORECASE,
)
"""A quote that is the answer itself: `the answer is "I don't know"`."""
_WHOLE = re.compile(
    r"\s*(?:\"([^\"]*)\"|\u201c([^\u201c\u201d]*)\u201d|\u00ab([^\u00ab\u00bb]*)\u00bb|'([^'\n]{0,20}(?:\w'\w)?[^'\n]*)')[\s.]*\Z"
)
_ASIDE = re.compile(r"[ \t]?\([^()\n]{1,300}\)|[ \t]?（[^（）\n]{1,300}）")
_BY_THE_WAY = re.compile(
    r"(?<=\w), (?:however|though|unfortunately|sadly|in fact|of course|for (?:example|instance)),"
    r"(?= [a-z])"
)
"""Words set between commas within a clause: `It does not, however, say`."""
_STOPPED = re.compile(r"\b(\w{1,6}|\w\.\w)\.(?=\s*\S)")
_SHORTENED = (
    "dr mr mrs ms prof st vs etc inc ltd corp jr sr art sec fig vol approx sra sig bzw ca bspw "
    "e.g i.e cf al nr abs ggf usw p.ej dra ver gen col lt sgt rev hon gov sen rep eq ref ex par "
    "z.b d.h u.a т.е т.д др стр см им"
)
ABBREVIATIONS = frozenset(_SHORTENED.split())
_DOT = "\u2024"
"""Stands for the full stop of an abbreviation; as long as one."""
_BREAK = re.compile(
    "[.!?\u2026\u061f\u0964][\"')\\]]{0,3}\\s+|[\u3002\uff01\uff1f!?]|[;\uff1b\u061b\n\u2014]| - "
)
_MOST = 20_000
"""Letters that are read; an answer that has said nothing by then is none."""


def sentences(text: str) -> list[str]:
    """Cut readable text; what is left has letters or digits. Quotes become the word `quote`.

    >>> sentences(readable("**Sorry!** I know nothing of “x. y”."))
    ['Sorry!', 'I know nothing of quote.']
    """
    plain = _STOPPED.sub(_kept, _without_asides(_QUOTED.sub("quote", text)))
    ends = [found.end() for found in _BREAK.finditer(plain)]
    parts = (plain[start:end].strip() for start, end in pairwise([0, *ends, len(plain)]))
    return [part.replace(_DOT, ".") for part in parts if any(map(str.isalnum, part))]


def _kept(stopped: re.Match[str]) -> str:
    """The full stop of an abbreviation or an initial ends no sentence."""
    word = stopped[1].lower()
    if word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i"):
        return stopped[1].replace(".", _DOT) + _DOT
    return stopped[0]


def readable(text: str) -> str:
    """The text without markup, entities, list signs, citations and the label `Answer:`."""
    if "&" in text:
        text = html.unescape(text)
    text = composed(text[:_MOST])
    if "`" in text:
        text = _FENCE.sub("\n", text)
    if "{" in text and (found := _OBJECT.match(text)):
        text = found[1]
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "[" in text:
        text = _CITED.sub("", _LINK.sub(r"\1", text))
    text = _MARKUP.sub("", _BULLET.sub("", text))
    if ":" in text:
        text = _LABEL.sub("", text)
    text = _BY_THE_WAY.sub("", text) if ", " in text else text
    text = _ANSWER_IS.sub(r"\1\2\3", text)
    if whole := _WHOLE.match(text):
        text = next(group for group in whole.groups() if group is not None)
    return text


def _without_asides(plain: str) -> str:
    """What stands in brackets is said by the way, unless all does."""
    bare = _ASIDE.sub("", plain)
    return bare if any(map(str.isalnum, bare)) else plain
