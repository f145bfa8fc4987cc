"""Elements of a document, and which of those that were expected parsing gave."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

from ragproof.core.case import Element
from ragproof.metrics.parameters import positive_share
from ragproof.text.html_table import table_in, text_of

SIMILARITY = 0.8
HEADINGS = frozenset(
    {"heading", "title", "section_header", "header", "h1", "h2", "h3", "h4", "h5", "h6"}
)
"""Types of elements that head a section, as parsers call them."""
LISTS = frozenset({"list"})
ITEMS = frozenset({"list_item", "listitem", "item"})
_BULLET = re.compile(r"\s*(?:[-*+•◦▪‣·\u2013]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+")


def check_similarity(similarity: float) -> None:
    """Raise ValueError for a similarity that nothing, or anything, would have."""
    positive_share("similarity", similarity)


def kind(element: Element) -> str:
    """The type without regard to case, blanks and hyphens."""
    return "_".join(re.split(r"[\s_-]+", element.type.strip().casefold()))


def plain(text: str) -> str:
    """What is compared: compatibility forms, case and white space do not tell texts apart."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def without_bullet(text: str) -> str:
    """A list item without its bullet or number.

    >>> without_bullet("2. Two moons"), without_bullet("- Phobos")
    ('Two moons', 'Phobos')
    """
    found = _BULLET.match(text)
    return text[found.end() :] if found else text


def text(element: Element) -> str:
    """Its text, ready to be compared; that of its HTML where it has none of its own."""
    own = plain(element.text)
    if own or not element.html:
        return own
    table = table_in(element.html)
    return plain(text_of(table) if table is not None else element.html)


def items_of(elements: tuple[Element, ...]) -> list[list[str]]:
    """The lists, each by its items: an element `list` has one a line, `list_item`s follow."""
    found: list[list[str]] = []
    in_a_row = False
    for element in elements:
        if kind(element) in LISTS:
            lines = [plain(without_bullet(line)) for line in element.text.splitlines()]
            found.append([line for line in lines if line])
        elif kind(element) in ITEMS:
            item = plain(without_bullet(element.text))
            if in_a_row:
                found[-1].append(item)
            else:
                found.append([item])
        in_a_row = kind(element) in ITEMS
    return found


def rising(places: Sequence[int]) -> list[int]:
    """The longest selection of places, by index, that rises.

    >>> rising([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    ends: list[int] = []  # of the selections of each length, the lowest place one ends in
    best: list[int] = []
    before: list[int] = []
    for at, place in enumerate(places):
        low = bisect_left(ends, place)
        before.append(best[low - 1] if low else -1)
        ends[low : low + 1] = [place]
        best[low : low + 1] = [at]
    chain: list[int] = []
    at = best[-1] if best else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def in_order(places: Sequence[int]) -> int:
    """Count the pairs of places of which the lesser stands first.

    >>> in_order([2, 0, 3])
    2
    """
    seen: list[int] = []
    found = 0
    for place in places:
        at = bisect_left(seen, place)
        found += at
        seen.insert(at, place)
    return found
