"""Mentions of entities that were expected and those that were found: which belongs to which."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import CaseRun, DoesNotArise, Mention
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.parameters import one_of

MATCHES = ("exact", "partial")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a case; of several at one place the first counts."""

    expected: tuple[Mention, ...]
    found: tuple[Mention, ...]
    pairs: tuple[tuple[Mention, Mention], ...]
    """Expected and found, each in one pair at most, in the order of the text."""

    @property
    def missed(self) -> list[str]:
        """Those expected that were not found, for a reader."""
        there = {place(expected) for expected, _ in self.pairs}
        return [shown(one) for one in self.expected if place(one) not in there]

    @property
    def made_up(self) -> list[str]:
        """Those found that were not expected, for a reader."""
        there = {place(found) for _, found in self.pairs}
        return [shown(one) for one in self.found if place(one) not in there]


def check_match(match: object) -> None:
    """Raise ValueError for a way to match that there is not."""
    one_of("match", match, MATCHES)


def place(one: Mention) -> tuple[int, int]:
    """Where it stands in the question."""
    return one.start, one.end


def shown(one: Mention) -> str:
    """The mention for a reader: `7-14 aspirin`."""
    return f"{one.start}-{one.end} {one.text}"


def mentions(run: CaseRun, match: str) -> Mentions:
    """Pair the mentions of a case: by equal places, and with `partial` then by overlap.

    Raises MissingInput where the found or the expected ones are not told.
    """
    found, expected = _first(run[ENTITIES]), _first(run[EXPECTED_ENTITIES])
    pairs = [(expected[at], found[at]) for at in expected if at in found]
    if match == "partial":
        left = [one for at, one in expected.items() if at not in found]
        pairs += _overlapping(left, [one for at, one in found.items() if at not in expected])
    pairs.sort(key=lambda pair: place(pair[0]))
    return Mentions(tuple(expected.values()), tuple(found.values()), tuple(pairs))


def linked(run: CaseRun, match: str) -> list[tuple[Mention, str, str]]:
    """The mentions found that stand for an entity and were linked: expected id, id given.

    Raises DoesNotArise where there is none.
    """
    pairs = [
        (expected, expected.entity_id, found.entity_id)
        for expected, found in mentions(run, match).pairs
        if expected.entity_id is not None and found.entity_id is not None
    ]
    if not pairs:
        raise DoesNotArise("no expected mention was found and linked")
    return pairs


def _first(given: tuple[Mention, ...]) -> dict[tuple[int, int], Mention]:
    found: dict[tuple[int, int], Mention] = {}
    for one in given:
        found.setdefault(place(one), one)
    return found


def _overlapping(expected: list[Mention], found: list[Mention]) -> list[tuple[Mention, Mention]]:
    """As many pairs that share a character as there can be.

    Whichever stretch ends first is paired with the one that overlaps it and ends first: any other
    choice leaves less to those that come after.
    """
    sides = [sorted(side, key=lambda one: (one.end, one.start)) for side in (expected, found)]
    pairs: list[tuple[Mention, Mention]] = []
    while all(sides):
        mine = 0 if sides[0][0].end <= sides[1][0].end else 1
        one, others = sides[mine].pop(0), sides[1 - mine]
        at = next((at for at, other in enumerate(others) if _overlap(one, other)), None)
        if at is not None:
            other = others.pop(at)
            pairs.append((other, one) if mine else (one, other))
    return pairs


def _overlap(one: Mention, other: Mention) -> bool:
    return max(one.start, other.start) < min(one.end, other.end)
