"""Tables, lists and numbered sections of a text, told by how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ragproof.text.whereabouts import trimmed

KINDS = ("table", "list", "section")
_HTML = re.compile(r"<(/?)(table|ul|ol)\b[^<>]*>", re.IGNORECASE)
_DIVIDER = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_ITEM = re.compile(r"([ \t]*)(?:[-*+\u2022\u25aa\u2013]|\(?(?:\d{1,3}|[a-zA-Z])[.)])[ \t]+\S")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"#{1,6}[ \t]+\S")
_NUMBERED = re.compile(
    r"#{1,6}[ \t]+(?:\d+(?:\.\d+)*\.?|[IVXLC]+\.)[ \t]+\S"  # a heading that begins with a number
    r"|\d{1,3}(?:\.\d{1,3})+\.?[ \t]+\S"  # 1.2 Terms
    r"|(?:\u00a7|Article|Section|Clause|Chapter|Artikel|Abschnitt|Kapitel)[ \t]*\d+\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Structure:
    """A stretch of a text that is to stay whole."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    is_code: bool


def structures(text: str, kinds: Sequence[str] = KINDS) -> list[Structure]:
    r"""Find the structures of these kinds, those of HTML and of Markdown.

    A list has two items or more; a numbered section ends where the next heading of any kind, or
    number, begins. What stands between fences is code and none of these.

    >>> text = "# 1 Care\n\nDo:\n- dust\n- dry\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    >>> [(one.kind, text[one.start : one.end]) for one in structures(text, ["table", "list"])]
    [('list', '- dust\n- dry'), ('table', '| a | b |\n|---|---|\n| 1 | 2 |')]
    """
    lines = list(_lines(text))
    html = list(_html(text))
    found = [*html, *_tables(lines), *_lists(lines), *_sections(lines, len(text))]
    whole = (Structure(one.kind, *trimmed(text, one.start, one.end)) for one in found)
    return sorted(
        (one for one in whole if one.kind in kinds and one.start < one.end),
        key=lambda one: (one.start, one.end, one.kind),
    )


def _lines(text: str) -> Iterator[_Line]:
    start, is_code = 0, False
    for line in text.splitlines(keepends=True):
        fence = bool(_FENCE.match(line))
        yield _Line(start, start + len(line), line, is_code or fence)
        is_code ^= fence
        start += len(line)


def _html(text: str) -> Iterator[Structure]:
    """The outermost tables and lists; a list in a table is the table's."""
    open_tags: list[str] = []
    start = 0
    for tag in _HTML.finditer(text):
        name = tag[2].lower()
        if not tag[1]:
            start = start if open_tags else tag.start()
            open_tags.append(name)
        elif name in open_tags:
            while open_tags.pop() != name:
                pass
            if not open_tags:
                yield Structure("table" if name == "table" else "list", start, tag.end())


def _tables(lines: list[_Line]) -> Iterator[Structure]:
    """A row, a divider, and rows."""
    end = 0
    for at, (head, divider) in enumerate(pairwise(lines)):
        is_row = "|" in head.text and "|" in divider.text and not divider.is_code
        if at < end or not is_row or not _DIVIDER.fullmatch(divider.text.rstrip()):
            continue
        end = at + 2
        while end < len(lines) and "|" in lines[end].text:
            end += 1
        yield Structure("table", head.start, lines[end - 1].end)


def _lists(lines: list[_Line]) -> Iterator[Structure]:
    """Runs of items; indented lines and blank ones between items belong to them."""
    first: _Line | None = None
    last, items = 0, 0
    for line in [*lines, _Line(0, 0, "end", is_code=False)]:
        if _ITEM.match(line.text) and not line.is_code:
            first = first or line
            last, items = line.end, items + 1
        elif first is not None and line.text[:1].isspace() and line.text.strip():
            last = line.end
        elif line.text.strip() and first is not None:
            if items > 1:
                yield Structure("list", first.start, last)
            first, items = None, 0


def _sections(lines: list[_Line], length: int) -> Iterator[Structure]:
    heads = [
        line
        for line in lines
        if not line.is_code and (_HEADING.match(line.text) or _NUMBERED.match(line.text))
    ]
    ends = [*(one.start for one in heads), length][1:]
    for head, end in zip(heads, ends, strict=True):
        if _NUMBERED.match(head.text):
            yield Structure("section", head.start, end)
