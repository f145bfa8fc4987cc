"""Elements of a document, and which of those that were expected parsing gave."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence

from ragproof.core.case import Element
from ragproof.text.edits import likeness
from ragproof.text.html_table import table_in, text_of

SIMILARITY = 0.8
HEADINGS = frozenset({"heading", "title", "section_header", "header", "h1", "h2", "h3", "h4", "h5"})
"""Types of elements that head a section, as parsers call them."""
LISTS = frozenset({"list"})
ITEMS = frozenset({"list_item", "listitem", "item"})
_BULLET = re.compile(r"\s*(?:[-*+•◦▪‣·\u2013]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+")


def check_similarity(similarity: float) -> None:
    """Raise ValueError for a similarity that nothing, or anything, would have."""
    if not 0 < similarity <= 1:
        raise ValueError(f"similarity must be above 0 and at most 1, got {similarity}")


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


def matched(expected: Sequence[str], got: Sequence[str], similarity: float) -> list[int | None]:
    """For each expected text the place of the one that is it, each taken once.

    Equal texts find each other first, in order; then the most alike, as long as they are as alike
    as asked; among equals those whose places are nearest.
    """
    places: dict[str, deque[int]] = defaultdict(deque)
    for at, one in enumerate(got):
        places[one].append(at)
    found = [places[one].popleft() if places[one] else None for one in expected]
    taken = {at for at in found if at is not None}
    left = [at for at in range(len(got)) if at not in taken]
    pairs = [
        (-alike, abs(at - place), at, place)
        for at, one in enumerate(expected)
        if found[at] is None
        for place in left
        if (alike := likeness(one, got[place], similarity)) >= similarity
    ]
    for _, _, at, place in sorted(pairs):
        if found[at] is None and place not in taken:
            found[at] = place
            taken.add(place)
    return found


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
    """The longest selection of places, by index, that rises."""
    best: list[int] = []
    before: list[int] = []
    for at, place in enumerate(places):
        low = next((n for n, end in enumerate(best) if places[end] >= place), len(best))
        before.append(best[low - 1] if low else -1)
        best[low : low + 1] = [at]
    chain: list[int] = []
    at = best[-1] if best else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]
