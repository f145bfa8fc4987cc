"""Which combinations of tags a dataset has, which it lacks, and how real queries are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ragproof.core import Case, UsageError
from ragproof.text.nearest import nearest

NONE = "(none)"
"""The value of a tag that a case does not have."""
MOST_CELLS = 10_000
FIELDS = ("kind", "split", "group", "expected_intent", "expected_route")
"""Fields by which cases can be counted beside tags."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Cases by combination of values, in order."""

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    """Of each name, those that occur."""
    cells: Mapping[tuple[str, ...], int]
    """Every combination, empty ones included."""
    without: Mapping[str, int]
    """Name to the number of cases that have no value."""

    @property
    def empty(self) -> tuple[tuple[str, ...], ...]:
        """Combinations that no case has; those of `(none)` are not missed."""
        return tuple(cell for cell, number in self.cells.items() if not number and NONE not in cell)


def value_of(case: Case, name: str) -> str | None:
    """The value by which a case is counted: of a tag, else of a field."""
    if name in case.slices:
        return case.slices[name]
    if name == "intent":
        found = getattr(case, "expected_intent", None)
    else:
        found = getattr(case, name, None) if name in FIELDS else None
    return None if found is None else str(found)


def coverage(
    cases: Sequence[Case], names: Sequence[str], wanted: Mapping[str, Sequence[str]] | None = None
) -> Coverage:
    """Count; `wanted` adds values that should occur. Raises UsageError for an unknown name."""
    wanted = wanted or {}
    counts: Counter[tuple[str, ...]] = Counter()
    without: Counter[str] = Counter()
    for case in cases:
        held = [value_of(case, name) for name in names]
        without.update(name for name, one in zip(names, held, strict=True) if one is None)
        counts[tuple(NONE if one is None else one for one in held)] += 1
    for name in names:
        if without[name] == len(cases) and name not in wanted:
            known = sorted({tag for case in cases for tag in case.slices} | {*FIELDS})
            raise UsageError(
                f"--by: no case has {name!r}; there are: {', '.join(known)}.{nearest(name, known)}"
            )
    values = tuple(
        tuple(sorted({cell[at] for cell in counts} | {*wanted.get(name, ())}, key=_last))
        for at, name in enumerate(names)
    )
    size = 1
    for one in values:
        size *= len(one)
    if size > MOST_CELLS:
        raise UsageError(
            f"--by: {', '.join(names)} make {size:,} cells; at most {MOST_CELLS:,}. A tag that "
            "tells single cases apart is no slice"
        )
    cells = {cell: counts[cell] for cell in product(*values)}
    return Coverage(tuple(names), values, cells, dict(without))


def _last(value: str) -> tuple[bool, str]:
    return value == NONE, value
