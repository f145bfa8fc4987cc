"""Unusual ways to write a citation marker, put into brackets, and brackets that are none."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_QUOTED_ID = re.compile(r"(?<=\[)[`*_]{1,2}([^\[\]`\n]{1,200}?)[`*_]{1,2}(?=\])")
_RAISED_NOTE = re.compile(r"\[\^(\d{1,3})\^\]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_CODE_LINE = re.compile(r"^(?: {4}|\t)[^\n]*[=;{}()][^\n]*$", re.MULTILINE)
_MATHS = re.compile(r"\$[^$\n]{0,200}[\\^_][^$\n]{0,200}\$|\\\(.{1,200}?\\\)|\\\[.{1,200}?\\\]")
_BOX = re.compile(r"^[ \t]*[-*+] \[[ xX]\]", re.MULTILINE)
_LIST = r"\d{1,3}(?:(?:\s?[,;]\s?|\s)\d{1,3})+|\d{1,3}\s?[-\u2013]\s?\d{1,3}"
_INTERVAL = re.compile(
    r"(?:(?:\b(?:intervals?|range|regex|pattern|arrays?|lists?|vectors?|tuples?|values|matrix|"
    r"returns?|yields?|prints?|outputs?|sorts? to|sorted|Intervall|Bereich|Liste|Vektor|intervalle|"
    r"intervalo|lista|区间|数组|列表|CI|KI|becomes?|into|\b[a-z] in)\s?"
    r"(?:(?:is|are|was|were|of|ist|est|es|是)\s?)?|\w\(|[\"']:\s?)\[|\[\[)"
    rf"(?:{_LIST})\]",
    re.IGNORECASE,
)
_NESTED = re.compile(rf"\[(?:{_LIST})\](?=\])")
_ASSIGNED = re.compile(r"[=\u2208]\s?\[[^\[\]\n]{1,200}\]")
_INDEX = re.compile(
    r"(?<![\w.])(?:[A-Za-z]|\w*_\w*|[a-z]+[A-Z]\w*)(?:\[\d{1,3}\])+"  # a[1], my_list[1]
    r"|(?<![\w.])\w+(?:\[\d{1,3}\])+(?=\s?(?:[-+*/]?=|\.\w)|\(\d)"  # rows[1] = 5
)
_NUMBERS = re.compile(r"\[\d{1,3}[\s,;\u2013-]")
_SET = re.compile(r"\[(?<=[=\u2208]\[)|\[(?<=[=\u2208] \[)")
_JOINED = re.compile(r"\[(?<=\w\[)\d")
_BRACKETED = ((_NUMBERS, _INTERVAL), (_NUMBERS, _NESTED), (_SET, _ASSIGNED), (_JOINED, _INDEX))
"""Brackets that are no markers, and what is soon seen where they are."""
_TAGGED = re.compile(
    r"<(?P<tag>sup|cite|ref|source|citation)>\s*\[?(?P<inside>[^<>\[\]\n]{1,80})\]?\s*</(?P=tag)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"<(?:cite|ref|source|citation|doc|co)\s[^<>\n]{0,60}?(?:id|ref|source|name)s?=[\"']"
    r"(?P<inside>[^\"'<>\n]{1,100})[\"'][^<>\n]{0,60}>"
)
_ROUND = re.compile(
    r"(?:[(（](?:(?:see|cf\.?|from|vgl\.?|siehe|voir|ver|参见|见)[ :]\s?)?"
    r"(?P<inside>[^()（）\n]{2,200})[)）]"
    r"|\{(?P<curly>[^{}\n]{2,200})\})",
    re.IGNORECASE,
)
_LINKED = re.compile(r"\[[^\[\]\n]{1,200}\]\((?P<inside>[^()\s]{1,500})\)")
_SOURCES = (
    r"(?:sources?|references?|citations?|quellen?|références?|fuentes?|referencias?|fonti?|出典|"
    r"参考文献|来源|المصادر|المصدر|स्रोत)"
)
_LINE = re.compile(
    rf"^[ \t>*_(-]*{_SOURCES}[*_]*\s?[:：][*_]*[ \t]*(?P<inside>[^\n\[\]]{{2,400}}?)[)*_.]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADED = re.compile(
    rf"^[ \t#>*_]*{_SOURCES}[ \t:*_：]*\n+"
    r"(?P<list>(?:[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+[^\n]+\n?)+)",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM = re.compile(r"^[ \t]*(?:[-*•+])[ \t]+(?P<inside>[^\n\[\]]{1,400}?)[ \t.]*$", re.MULTILINE)
_PARTS = re.compile("[,;、，；]|\\s(?:and|und|y|et|e|&)\\s")
_AROUND = " \t.\"'`*_"
_LOCATOR = re.compile(
    r"(?:pp?|pages?|s|seiten?|sec|sections?|lines?|chapters?|¶|§)\.?\s?[\w.]+(?:\s?[-\u2013]\s?\d+)?",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+")


def plainly(text: str, known: Mapping[str, str]) -> str:
    """The text with markers in brackets, without code and without brackets that are no markers.

    Every place stays what it is. Ids in round brackets, in tags, in the line that names the
    sources and behind a link count where they are among those `known`, in lower case.

    >>> plainly("Paid (kb-1), a[1] = 2, in [1, 3], [0-9] <cite>kb-1</cite>.", {"kb-1": "kb-1"})
    'Paid [kb-1], a 1  = 2, in [1, 3], [0-9] [      kb-1     ].'
    """
    text = text.replace("\uff3b", "[").replace("\uff3d", "]")
    if "[^" in text:
        text = _RAISED_NOTE.sub(lambda found: f"[ {found[1]} ]", text)
    if "[`" in text or "[*" in text or "[_" in text:
        text = _QUOTED_ID.sub(lambda found: found[1].center(len(found[0])), text)
    if "`" in text:
        text = _CODE.sub(_blank, text)
    for pattern, sign in ((_CODE_LINE, "    "), (_CODE_LINE, "\t"), (_BOX, "- ["), (_BOX, "* [")):
        text = pattern.sub(_blank, text) if sign in text else text
    if "$" in text or "\\" in text:
        text = _MATHS.sub(_blank, text)
    for there, pattern in _BRACKETED:
        text = pattern.sub(_without_brackets, text) if there.search(text) else text
    if "<" in text:
        text = _TAGGED.sub(_tagged(known), text)
        text = _ATTRIBUTE.sub(_if_known(known), text)
    return _with_known(text, known) if known else text


def _with_known(text: str, known: Mapping[str, str]) -> str:
    if "\n" in text:
        text = _HEADED.sub(lambda one: _listed(one, known), text)
    for pattern, signs in ((_LINE, ":："), (_ROUND, "(（{"), (_LINKED, "(")):
        if any(sign in text for sign in signs):
            text = pattern.sub(_if_known(known), text)
    return text


def _tagged(known: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    def written(found: re.Match[str]) -> str:
        inside = found["inside"].strip()
        is_note = inside.isdecimal() and stands_as_note(found.string, found.start())
        return _bracketed(found) if is_note or _are_known(inside, known) else found[0]

    return written


def stands_as_note(text: str, start: int) -> bool:
    """Whether a raised number there is a note and no exponent: behind a stop or a long word.

    >>> [stands_as_note(one, len(one)) for one in ("Paid.", "is paid", "5 km", "x")]
    [True, True, False, False]
    """
    before = text[max(0, start - 6) : start].rstrip()[-4:]
    return before[-1:] in _STOPS or (len(before) == 4 and before.isalpha())


_STOPS = frozenset(".,;:!?)]\"”’'。，！？»")


def _if_known(known: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    def written(found: re.Match[str]) -> str:
        inside = next(one for one in found.groups() if one is not None)
        return _bracketed(found) if _are_known(inside, known) else found[0]

    return written


def _are_known(inside: str, known: Mapping[str, str]) -> bool:
    """Whether ids are told there, places in them aside, and nothing else."""
    if inside.strip(_AROUND).casefold() in known:
        return _is_telling(inside.strip(_AROUND))
    parts = [part for one in _PARTS.split(inside) if (part := one.strip(_AROUND))]
    ids = [one for one in parts if not _LOCATOR.fullmatch(one)]
    return bool(ids) and all(one.casefold() in known and _is_telling(one) for one in ids)


def _is_telling(name: str) -> bool:
    """Whether it can hardly be anything but an id: no number, no letter, no plain word."""
    return len(name) > 1 and not name.isdecimal() and not _WORD.fullmatch(name)


def _bracketed(found: re.Match[str]) -> str:
    inside = next(
        one for name, one in found.groupdict().items() if one is not None and name != "tag"
    )
    return f"[{inside.strip(_AROUND).center(len(found[0]) - 2)}]"


def _listed(found: re.Match[str], known: Mapping[str, str]) -> str:
    """A list of sources, its ids as markers."""
    listed = _ITEM.sub(_if_known(known), found["list"])
    return found[0][: found.start("list") - found.start()] + listed


def _without_brackets(found: re.Match[str]) -> str:
    return found[0].replace("[", " ").replace("]", " ")


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
