"""Citation markers in a plain answer, told from whatever else stands in brackets."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragproof.text.citation_spellings import plainly, stands_as_note

_LABEL = (
    r"(?:source|src|doc|document|passage|chunk|ref|reference|context|result|citation|cit|"
    r"quelle|dokument|fuente|fonte|documento|источник|出典|来源|文献)s?"
)
_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_LOWERED = str.maketrans(
    "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", "1230456789"
)
_LINK = re.compile(r"\[[^\[\]\n]{1,200}\](?:\([^()\s]{1,500}\))")
_DEFINED = re.compile(
    r"^[ \t]*(?:\[\^(?P<note>[\w.-]{1,40})\]:|\[(?P<number>\d{1,3})\]:?"
    r"|(?P<item>\d{1,3})[.)])[ \t]+(?P<rest>[^\n]+)$",
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
    rf"|[(\uff08](?:see |cf\. |vgl\. )?(?P<labelled>{_LABEL}[ ._-]{{0,2}}\d{{1,3}}"
    rf"(?:\s?(?:,|;|and|&)\s?(?:{_LABEL}[ ._-]{{0,2}})?\d{{1,3}})*)"
    r"(?:,\s?(?:pp?|pages?|sec|§)\.?\s?[\d-]+)?[)\uff09]"
    rf"|(?P<raised>[{_RAISED}]{{1,2}})",
    re.IGNORECASE,
)
_OPENING = re.compile(f"[\\[\u3010(\uff08{_RAISED}]")
"""What every marker in plain spelling begins with, and few other places in a text."""
_OPENING_ASCII = re.compile(r"[\[(]")
_UNUSUAL = re.compile("[\uff3b{<:\uff1a\n]")
"""What other spellings begin with, or have in them."""
_NUMBERS = re.compile(r"\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})?")
_RANGE = re.compile(r"(\d{1,3})\s?[-\u2013]\s?(\d{1,3})")
_NUMBERED = re.compile(rf"{_LABEL}[ _#:.-]{{0,2}}(\d{{1,3}})", re.IGNORECASE)
_LABELLED = re.compile(rf"{_LABEL}\s?[:：#]\s?(?=\S)", re.IGNORECASE)
_ID = re.compile(r"^\s*(?:ids?\s?[:=]|see|cf\.|vgl\.|siehe|voir|ver)\s?", re.IGNORECASE)
_PLACE = re.compile(r"(?<=\d):\s(?:pp?\.\s?)?\d+(?:\s?[-\u2013]\s?\d+)?\s*$")
"""The pages behind the number of a source: `1: 3-4`."""
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
    numbers stand for. `others` are ids too, but have no place. Known ids are read in other
    spellings as well: see `citation_spellings`.
    Words in brackets, links, code, years and lists with a zero are none.

    >>> said = "It is red [2], old (source: a) [sic] and big [7]."
    >>> [one.ids for one in markers(said, ["a", "b"])]
    [('b',), ('a',), ('7',)]
    """
    if not _may_cite(text):
        return ()
    names, body = _names(text, ids, others)
    found: list[Marker] = []
    begins, past = (_OPENING_ASCII if body.isascii() else _OPENING), 0
    while (opening := begins.search(body, past)) is not None:
        one = _MARKER.match(body, opening.start())
        past = opening.end() if one is None else one.end()
        if one is not None and (named := tuple(dict.fromkeys(_named(one, names)))):
            found.append(Marker(*one.span(), named))
    return tuple(found or names.listed)


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
    if not _may_cite(text):
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


def _may_cite(text: str) -> bool:
    if "[" in text or "(" in text or "\n" in text or ":" in text:  # sooner seen
        return True
    return _OPENING.search(text) is not None or _UNUSUAL.search(text) is not None


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
    listed: Sequence[Marker] = ()
    """The numbered lines of a list of sources, for a text without a marker."""

    def resolved(self, name: str) -> str:
        """The id that is meant: the id itself, else the one at that place, else as written."""
        name = name.strip()
        if (hit := self.known.get(name.casefold())) is not None:
            return hit
        number = _NUMBERED.fullmatch(name)
        if number and (hit := self._alike(name)) is not None:
            return hit
        digits = number[1] if number else name
        if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= len(self.ids):
            return self.ids[int(digits) - 1]
        return name

    def _alike(self, name: str) -> str | None:
        """The one id that has the same letters and numbers: chunk_08 for `chunk 8`."""
        hits = {one for low, one in self.known.items() if _bare(low) == _bare(name)}
        return hits.pop() if len(hits) == 1 else None

    def noted(self, name: str) -> tuple[str, ...]:
        """What the note of that name says, else what the name itself means."""
        return self.notes.get(name) or (self.resolved(name),)


def _names(text: str, ids: Sequence[str], others: Sequence[str]) -> tuple[_Names, str]:
    """What can be named, and the text without notes, list of sources, code and links."""
    known = {one.casefold(): one for one in (*others, *reversed(ids))}
    body = plainly(text, known)
    lines = [*_DEFINED.finditer(body)] if "\n" in body else [*filter(None, [_DEFINED.match(body)])]
    headings = _HEADING.finditer(body) if lines else ()
    listed = max((one.end() for one in headings), default=_tail(body, lines, known))
    notes: dict[str, tuple[str, ...]] = {}
    defined: list[tuple[int, int]] = []
    items: list[Marker] = []
    for one in lines:
        is_note = one["note"] or one[0].lstrip().startswith(f"[{one['number']}]:")
        if not is_note and one.start() < listed:
            continue  # a line that begins with its citation
        told = tuple(
            hit for part in _parts(one["rest"], known) if (hit := known.get(part.casefold()))
        )
        told = told or _within(one["rest"], (*ids, *others))
        name = one["note"] or one["number"] or one["item"]
        notes[name] = told or ((one["rest"].strip(),) if one["note"] else ())
        if told and one["item"]:
            items.append(Marker(*one.span(), told))
        body = body[: one.start()] + " " * len(one[0]) + body[one.end() :]
        defined.append(one.span())
    return _Names(ids, known, notes, defined, items), _LINK.sub(
        _link, body
    ) if "](" in body else body


def _tail(body: str, lines: Sequence[re.Match[str]], known: Mapping[str, str]) -> int:
    """Where a list of sources without a heading begins: numbers in brackets and ids, at the end."""
    past = len(body.rstrip())
    for one in reversed(lines):
        is_id = all(part.casefold() in known for part in _parts(one["rest"], known))
        if not (one["number"] and is_id and one.start() and one.end() >= past):
            break
        past = len(body[: one.start()].rstrip())
    return past if past < len(body.rstrip()) else len(body)


def _within(rest: str, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids that a line of a list of sources names among other words."""
    words = set(re.split(r"[\s,;()\[\]\"]+", rest))
    return tuple(one for one in dict.fromkeys(ids) if one in words)


def _named(one: re.Match[str], names: _Names) -> Iterator[str]:
    if one["note"]:
        yield from names.noted(one["note"][2:-1])
    elif one["raised"]:
        number = one["raised"].translate(_LOWERED)
        is_there = number in names.notes or int(number) <= len(names.ids)
        if is_there and stands_as_note(one.string, one.start()):
            yield from names.noted(number)
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
    inside = _ID.sub("", _PLACE.sub("", inside))
    told = _LABELLED.match(inside)
    for part in _parts(inside[told.end() :] if told else inside, names.known):
        if hit := names.known.get(part.casefold()):
            named.append(hit)
        elif _NUMBERS.fullmatch(part):
            named += _numbers(part, names)
        elif number := _NUMBERED.fullmatch(part):
            hit = names.resolved(part)
            named.append(number[1] if hit == part else hit)
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


def _bare(name: str) -> str:
    letters = "".join(one for one in name.casefold() if one.isalnum())
    return re.sub(r"0+(?=\d)", "", re.sub(r"(?<=\D)0+(?=\d)", "", letters))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _link(found: re.Match[str]) -> str:
    """A link, blanked unless its words are a number: `[1](https://...)`."""
    words = found[0][1 : found[0].index("]")]
    if words.lstrip("^").isdigit():
        return f"[{words}]" + " " * (len(found[0]) - len(words) - 2)
    return " " * len(found[0])
