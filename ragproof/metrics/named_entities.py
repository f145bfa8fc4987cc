"""Named entities, expected and found, counted by type."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ragproof.core import CaseRun, DoesNotArise, Json, Scored, TypedSpan
from ragproof.core.needs import EXPECTED_NAMED_ENTITIES, NAMED_ENTITIES
from ragproof.metrics.parameters import one_of

MATCHES = ("exact", "overlap")
MICRO = "micro"
"""The label of all types together."""
Span: TypeAlias = tuple[int, int, str]
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Counts:
    """How many were expected, were found, and both."""

    expected: int
    found: int
    both: int


def tally(
    expected: Counter[str], found: Counter[str], both: Counter[str], none: str
) -> dict[str, Counts]:
    """Counts by type, and those of all together; raises DoesNotArise where there are none."""
    kinds = sorted(expected | found)
    if not kinds:
        raise DoesNotArise(none)
    counts = {
        f"type {kind}" if kind == MICRO else kind: Counts(expected[kind], found[kind], both[kind])
        for kind in kinds
    }
    counts[MICRO] = Counts(expected.total(), found.total(), both.total())
    return counts


@dataclass(frozen=True, slots=True)
class Compared:
    """Counts by type, and what was missed and made up."""

    counts: Mapping[str, Counts]
    evidence: Mapping[str, Json]


def compare(run: CaseRun, match: str) -> Compared:
    """Match entities of one type: those of the same span, or those that overlap, one to one."""
    given, labels = run[NAMED_ENTITIES], run[EXPECTED_NAMED_ENTITIES]
    found, expected = _spans(given), _spans(labels)
    pairs = _overlapping(expected, found) if match == "overlap" else _equal(expected, found)
    met, used = {one for one, _ in pairs}, {other for _, other in pairs}
    none = "no entity was expected and none was found"
    counts = tally(_types(expected), _types(found), _types(met), none)
    missed = [one for one in expected if one not in met]
    made_up = [one for one in found if one not in used]
    evidence: dict[str, Json] = {
        "missed": [list(one) for one in missed[:_SHOWN]],
        "made_up": [list(one) for one in made_up[:_SHOWN]],
    }
    return Compared(counts, evidence)


def labelled(
    counts: Mapping[str, tuple[float, float]], evidence: Mapping[str, Json], none: str
) -> dict[str, Scored]:
    """Figures from label to numerator and denominator; those without a denominator are left out."""
    found = {
        label: Scored(over / under, evidence if label == MICRO else {}, weight=under)
        for label, (over, under) in counts.items()
        if under
    }
    if not found:
        raise DoesNotArise(none, evidence)
    return found


def check_match(match: str) -> None:
    """Raise ValueError for a way to match that is none."""
    one_of("match", match, MATCHES)


def _spans(entities: Iterable[TypedSpan]) -> list[Span]:
    """In order, each once."""
    return sorted({(one.start, one.end, one.type) for one in entities})


def _types(spans: Iterable[Span]) -> Counter[str]:
    return Counter(kind for _, _, kind in spans)


def _equal(expected: list[Span], found: list[Span]) -> list[tuple[Span, Span]]:
    there: set[Hashable] = set(found)
    return [(one, one) for one in expected if one in there]


def _overlapping(expected: list[Span], found: list[Span]) -> list[tuple[Span, Span]]:
    """From left to right, each with the first of its type that it overlaps and is not taken."""
    pairs: list[tuple[Span, Span]] = []
    free: dict[str, list[Span]] = defaultdict(list)
    for other in sorted(found, key=_by_end):
        free[other[2]].append(other)
    for one in sorted(expected, key=_by_end):
        there = free[one[2]]
        first = bisect_right(there, one[0], key=_end)  # those before end before it begins
        at = next((at for at in range(first, len(there)) if there[at][0] < one[1]), None)
        if at is not None:
            pairs.append((one, there.pop(at)))
    return pairs


def _end(span: Span) -> int:
    return span[1]


def _by_end(span: Span) -> tuple[int, int]:
    return span[1], span[0]
