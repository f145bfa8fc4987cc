"""Citation markers in a plain answer, told from whatever else stands in brackets."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_LABEL = (
    r"(?:source|src|doc|document|passage|chunk|ref|reference|context|result|citation|cit|"
    r"quelle|dokument|fuente|fonte|documento|источник|出典|来源|文献)s?"
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_LINK = re.compile(r"\[[^\[\]\n]{1,200}\](?:\([^()\s]{1,500}\))")
_DEFINED = re.compile(
    r"^[ \t]*(?:\[\^(?P<note>[\w.-]{1,40})\]:|\[(?P<number>\d{1,3})\]:?)[ \t]+(?P<rest>[^\n]+)$",
    re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t#*_]*(?:sources?|references?|citations?|footnotes?|quellen|références|fuentes|"
    r"referencias|fonti|出典|参考文献|来源)[ \t:*_：]*$",
    re.MULTILINE | re.IGNORECASE,
)
_MARKER = re.compile(
    r"(?P<note>\[\^[\w.-]{1,40}\])"
    r"|\u3010(?P<lens>[^\u3010\u3011\n]{1,80})\u3011"
    r"|\[(?P<inside>[^\[\]\n]{1,200})\]"
    rf"|[(（]\s?(?:see |from |vgl\. )?{_LABEL}\s?(?:[:：]|#|no\. ?|nr\. ?)\s?"
    r"(?P<told>[^()（）\n]{1,200})[)）]"
    rf"|\((?P<labelled>{_LABEL}[ _-]?\d{{1,3}}"
    rf"(?:\s?(?:,|;|and|&)\s?(?:{_LABEL}[ _-]?)?\d{{1,3}})*)\)",
    re.IGNORECASE,
)
_OPENING = re.compile("[\\[\u3010(\uff08]")
"""What every marker begins with, and few other places in a text."""
_NUMBERS = re.compile(r"\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})?")
_RANGE = re.compile(r"(\d{1,3})\s?[-\u2013]\s?(\d{1,3})")
_NUMBERED = re.compile(rf"{_LABEL}[ _#:.-]{{0,2}}(\d{{1,3}})", re.IGNORECASE)
_LABELLED = re.compile(rf"{_LABEL}\s?[:：#]\s?(?=\S)", re.IGNORECASE)
_LISTING = re.compile("[,;\u3001\uff0c\uff1b]")
_AND = re.compile(r"\s(?:and|und|y|et|e)\s|\s?&\s?")
_AROUND = " \t.\"'`*_"
_PAGE = re.compile(
    r"(?:pp?|pages?|s|seiten?|sec|section|lines?|¶|§)\.?\s?\d+(?:\s?[-\u2013]\s?\d+)?", re.I
)
_STOPS = frozenset(".!?")
"""A marker behind one of them is parted from it, as sentences are."""
_MOST = 50
"""Numbers in one range of markers; `[1-900]` is none."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One of them."""

    start: int
    end: int
    ids: tuple[str, ...]
    """What it names: chunk ids where they can be told, else as it is written."""


def markers(text: str, ids: Sequence[str] = (), others: Sequence[str] = ()) -> tuple[Marker, ...]:
    """Find the markers of an answer whose context has these ids, in their order.

    Markers are numbers in brackets (`[1]`, `[1, 3]`, `[2-4]`, `[1][2]`), ids in brackets that are
    among `ids`, labels with a number (`[doc 2]`), what is told to be a source (`(source: a7)`),
    footnotes, and what stands between lenses. A number is an id where `ids` has it, else a
    place in `ids`, counted from 1; a footnote or a list of sources at the end says what its
    numbers stand for. `others` are ids too, but have no place.
    Words in brackets, links, code, years and lists with a zero are none.

    >>> said = "It is red [2], old (source: a) [sic] and big [7]."
    >>> [one.ids for one in markers(said, ["a", "b"])]
    [('b',), ('a',), ('7',)]
    """
    if _OPENING.search(text) is None:
        return ()
    names, body = _names(text, ids, others)
    found = []
    past = 0
    while (opening := _OPENING.search(body, past)) is not None:
        one = _MARKER.match(body, opening.start())
        past = opening.end() if one is None else one.end()
        if one is not None and (named := tuple(dict.fromkeys(_named(one, names)))):
            found.append(Marker(*one.span(), named))
    return tuple(found)


def cited(text: str, ids: Sequence[str] = (), others: Sequence[str] = ()) -> tuple[str, ...]:
    """All that the markers of an answer name, each once, in order."""
    return tuple(dict.fromkeys(named for one in markers(text, ids, others) for named in one.ids))


def without_markers(text: str, ids: Sequence[str] = ()) -> str:
    """The answer without its markers and the blanks before them.

    >>> without_markers("It is red [1], and old [sic].")
    'It is red, and old [sic].'
    """
    return _without(text, markers(text, ids)) if ids else _plain(text)


@lru_cache(maxsize=16)
def _plain(text: str) -> str:
    return _without(text, markers(text))


def _without(text: str, found: Iterable[Marker]) -> str:
    parts, past = [], 0
    for one in found:
        parts.append(text[past : one.start].rstrip(" \u00a0") if one.start else "")
        past = one.end
    return "".join([*parts, text[past:]])


def bracketed(text: str, ids: Sequence[str] = ()) -> str:
    r"""The answer with each id of a marker in brackets, without notes and the list of sources.

    >>> bracketed("It is red (source: b), and old.[^1]\n\n[^1]: a", ["a", "b"]).strip()
    'It is red [b], and old. [a]'
    """
    if _OPENING.search(text) is None:
        return text
    names, _ = _names(text, ids, ())
    headings = [one.span() for one in _HEADING.finditer(text)] if names.defined else []
    blanks = [(start, end, "") for start, end in (*names.defined, *headings)]
    marks = [
        (one.start, one.end, "".join(f"[{name}]" for name in one.ids)) for one in markers(text, ids)
    ]
    said, past = "", 0
    for start, end, instead in sorted(blanks + marks):
        if start >= past:
            said += text[past:start]
            said += f" {instead}" if said[-1:] in _STOPS else instead
            past = end
    return said + text[past:]


@dataclass(frozen=True, slots=True)
class _Names:
    """What there is to be named."""

    ids: Sequence[str]
    known: Mapping[str, str]
    """Ids in lower case, to how they are written."""
    notes: Mapping[str, tuple[str, ...]]
    """What footnotes and the list of sources say, by their number or name."""
    defined: Sequence[tuple[int, int]]
    """Where those stand."""

    def resolved(self, name: str) -> str:
        """The id that is meant: the id itself, else the one at that place, else as written."""
        name = name.strip()
        if (hit := self.known.get(name.casefold())) is not None:
            return hit
        number = _NUMBERED.fullmatch(name)
        digits = number[1] if number else name
        if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= len(self.ids):
            return self.ids[int(digits) - 1]
        return name

    def noted(self, name: str) -> tuple[str, ...]:
        """What the note of that name says, else what the name itself means."""
        return self.notes.get(name) or (self.resolved(name),)


def _names(text: str, ids: Sequence[str], others: Sequence[str]) -> tuple[_Names, str]:
    """What can be named, and the text without notes, list of sources, code and links."""
    known = {one.casefold(): one for one in (*others, *reversed(ids))}
    body = _CODE.sub(_blank, text) if "`" in text else text
    lines = [*_DEFINED.finditer(body)]
    headings = _HEADING.finditer(body) if lines else ()
    listed = max((one.end() for one in headings), default=len(body))
    notes: dict[str, tuple[str, ...]] = {}
    defined: list[tuple[int, int]] = []
    for one in lines:
        is_note = one["note"] or one[0].lstrip().startswith(f"[{one['number']}]:")
        if not is_note and one.start() < listed:
            continue  # a line that begins with its citation
        told = tuple(
            hit for part in _parts(one["rest"], known) if (hit := known.get(part.casefold()))
        )
        told = told or _within(one["rest"], (*ids, *others))
        notes[one["note"] or one["number"]] = told or (
            (one["rest"].strip(),) if one["note"] else ()
        )
        body = body[: one.start()] + " " * len(one[0]) + body[one.end() :]
        defined.append(one.span())
    return _Names(ids, known, notes, defined), _LINK.sub(_link, body) if "](" in body else body


def _within(rest: str, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids that a line of a list of sources names among other words."""
    words = set(re.split(r"[\s,;()\[\]\"]+", rest))
    return tuple(one for one in dict.fromkeys(ids) if one in words)


def _named(one: re.Match[str], names: _Names) -> Iterator[str]:
    if one["note"]:
        yield from names.noted(one["note"][2:-1])
    elif one["told"]:
        parts = [part for part in _parts(one["told"], names.known) if not _PAGE.fullmatch(part)]
        yield from map(names.resolved, parts)
    elif one["labelled"]:
        yield from map(names.resolved, re.findall(r"\d{1,3}", one["labelled"]))
    elif one["lens"]:
        told, _, file = one["lens"].partition("\u2020")
        known = names.known.get(file.strip().casefold())
        yield from (known,) if known is not None else _in_brackets(told, names)
    else:
        yield from _in_brackets(one["inside"], names)


def _in_brackets(inside: str, names: _Names) -> Iterator[str]:
    """What stands in brackets, if all of it can be a citation."""
    if (whole := names.known.get(inside.strip().casefold())) is not None:
        yield whole
        return
    named: list[str] = []
    told = _LABELLED.match(inside)
    for part in _parts(inside[told.end() :] if told else inside, names.known):
        if hit := names.known.get(part.casefold()):
            named.append(hit)
        elif _NUMBERS.fullmatch(part):
            named += _numbers(part, names)
        elif number := _NUMBERED.fullmatch(part):
            named.append(names.resolved(number[1]))
        elif told and not _PAGE.fullmatch(part):
            named.append(part)
        elif not _PAGE.fullmatch(part) or not named:
            return
    if "0" not in named or "0" in names.known:
        yield from named


def _numbers(part: str, names: _Names) -> Iterator[str]:
    span = _RANGE.fullmatch(part)
    first, last = (int(span[1]), int(span[2])) if span else (int(part), int(part))
    if not 0 <= last - first < _MOST:
        first = last = 0
    for number in range(first, last + 1):
        yield from names.noted(str(number))


def _parts(inside: str, known: Mapping[str, str]) -> list[str]:
    """What is listed there; an id may have an `and` in it."""
    parts: list[str] = []
    for one in _LISTING.split(inside):
        whole = one.strip(_AROUND)
        listed = [whole] if whole.casefold() in known else _AND.split(one)
        parts += [part for each in listed if (part := each.strip(_AROUND))]
    return parts


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _link(found: re.Match[str]) -> str:
    """A link, blanked unless its words are a number: `[1](https://...)`."""
    words = found[0][1 : found[0].index("]")]
    if words.lstrip("^").isdigit():
        return f"[{words}]" + " " * (len(found[0]) - len(words) - 2)
    return " " * len(found[0])
