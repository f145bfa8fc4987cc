"""Where a part of a text stands in it, white space aside."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property


def bare(text: str) -> str:
    """The text without white space."""
    return "".join(text.split())


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without white space at its ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


@dataclass(frozen=True)
class Whereabouts:
    r"""A text to look things up in.

    >>> where = Whereabouts("one two\nthree two")
    >>> where.once("two three"), where.once("two"), where.once("four")
    ((4, 13), None, None)
    """

    text: str

    def once(self, part: str) -> tuple[int, int] | None:
        """Start and end of the part, if it stands at one place only."""
        places = self.places(part, most=2)
        return places[0] if len(places) == 1 else None

    def places(self, part: str, most: int) -> list[tuple[int, int]]:
        """The first places of the part, letter by letter if it stands anywhere so."""
        part = part.strip()
        if not part:
            return []
        if found := _starts(self.text, part, most):
            return [(at, at + len(part)) for at in found]
        wanted = bare(part)
        return [
            (self._kept[at], self._kept[at + len(wanted) - 1] + 1)
            for at in _starts(self._bare, wanted, most)
        ]

    @cached_property
    def _bare(self) -> str:
        return bare(self.text)

    @cached_property
    def _kept(self) -> array[int]:
        """Place of each character that is no white space."""
        return array("L", [at for at, one in enumerate(self.text) if not one.isspace()])


def _starts(text: str, part: str, most: int) -> list[int]:
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(part, at + 1)
    return found
