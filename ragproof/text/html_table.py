"""Tables of HTML as trees, whatever state the HTML is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

CELLS = frozenset({"td", "th"})
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
_ROWS = frozenset({"thead", "tbody", "tfoot", "caption", "colgroup"})
_ENDS = {
    "td": CELLS,
    "th": CELLS,
    "tr": CELLS | {"tr", "caption", "colgroup"},
    **dict.fromkeys(_ROWS, CELLS | _ROWS | {"tr"}),
    "li": frozenset({"li"}),
    "p": frozenset({"p"}),
    "option": frozenset({"option"}),
}
"""Which open elements a tag ends that is not written inside of them."""
_KEPT_IN = {"li": frozenset({"ul", "ol"}), "p": CELLS}
"""Elements out of which such an end does not reach, besides the table."""
_MOST_SPAN = 1000
_DEEPEST = 256
"""What is nested deeper stands side by side: no table is, and each end looks for its beginning."""
_WHOLE = re.compile(r"\s*\+?(\d{1,9})")


@dataclass(slots=True, eq=False)
class Element:
    """An element: its tag, attributes, and what stands in it, text and elements in order."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    inside: list[Element | str] = field(default_factory=list["Element | str"])

    @property
    def children(self) -> list[Element]:
        """The elements in it, without those in them."""
        return [one for one in self.inside if isinstance(one, Element)]

    def span(self, name: str) -> int:
        """`colspan` or `rowspan`: a whole number from 1 to 1000; anything else counts as 1."""
        found = _WHOLE.match(self.attributes.get(name) or "")
        return min(max(int(found[1]), 1), _MOST_SPAN) if found else 1


class _Reader(HTMLParser):
    """Builds the tree, ending what HTML lets stand without an end."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, after ending those that cannot hold it."""
        ends = _ENDS.get(tag, frozenset())
        stays = {"table", *_KEPT_IN.get(tag, ())}
        for at in range(len(self._open) - 1, 0, -1) if ends else ():
            name = self._open[at].tag
            if name in stays:
                break
            if name in ends:
                del self._open[at:]
        element = Element(tag, dict(attrs))
        self._open[-1].inside.append(element)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<td/>` opens a cell as `<td>` does: HTML knows no other way."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost such element of this table; an end without a beginning is nothing."""
        for at in range(len(self._open) - 1, 0, -1):
            if self._open[at].tag == tag:
                del self._open[at:]
                return
            if self._open[at].tag == "table":
                return

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002
        """Skip `<![...`, which the parser of the standard library fails on, as browsers do."""
        return self.parse_bogus_comment(i)

    def handle_data(self, data: str) -> None:
        """Text."""
        self._open[-1].inside.append(data)


def table_in(html: str) -> Element | None:
    """The first table of a piece of HTML, None where there is none.

    >>> table_in("<p>no table</p>") is None
    True
    >>> [len(row.children) for row in table_in("<table><tr><td>a<td>b<tr><td>c").children]
    [2, 1]
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return next((one for one in elements(reader.root) if one.tag == "table"), None)


def elements(root: Element) -> Iterator[Element]:
    """Every element below this one, in the order in which they begin."""
    waiting = root.children[::-1]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.children[::-1]


def content(cell: Element) -> tuple[str, ...]:
    """What stands in a cell, a token a character of text and a token a tag.

    >>> content(table_in("<table><td>a<b>1</b></table>").children[0])
    ('a', '<b>', '1', '</b>')
    """
    found: list[str] = []
    waiting: list[Element | str] = cell.inside[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Element):
            found.append(f"<{one.tag}>")
            waiting += [_End(f"</{one.tag}>"), *one.inside[::-1]]
        elif isinstance(one, _End):
            found.append(one)
        else:
            found += one
    return tuple(found)


class _End(str):
    """The end of an element, which is one token."""

    __slots__ = ()


def text_of(root: Element) -> str:
    """The text in an element, cells apart from each other by a blank."""
    parts: list[str] = []
    waiting: list[Element | str] = root.inside[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            parts.append(one)
        else:
            waiting += one.inside[::-1]
            parts.append(" " if one.tag in CELLS or one.tag in {"tr", "br", "p"} else "")
    return " ".join("".join(parts).split())
