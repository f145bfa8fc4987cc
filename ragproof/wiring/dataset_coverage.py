"""The coverage of a dataset, and how it stands to a sample of real queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ragproof.analysis.intervals import wilson
from ragproof.core import UsageError
from ragproof.datasets import load, select
from ragproof.datasets.coverage import Coverage, coverage, value_of
from ragproof.datasets.imports.mapped import within
from ragproof.datasets.imports.records import records


@dataclass(frozen=True, kw_only=True)
class CoverageRequest:
    """What is counted, by what, and against what."""

    dataset: Path
    names: tuple[str, ...]
    split: str | None = None
    rate: float = 0.5
    queries: Path | None = None
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name to the column of the queries that holds it."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A value's share of the cases beside its share of real queries."""

    name: str
    value: str
    cases: int
    share: float
    queries: int
    real: float
    verdict: str
    """`missing`, `too few`, `too many`, `unseen` (in no query), or empty."""


@dataclass(frozen=True, slots=True)
class Covered:
    """All that was counted."""

    coverage: Coverage
    cases: int
    half_widths: Mapping[tuple[str, ...], float]
    """Of the cells that are not empty: half of Wilson's interval at the assumed rate."""
    beside: tuple[Beside, ...]
    queries: int | None
    unread: Mapping[str, int]
    """Name to the number of queries that have no value."""


def covered(request: CoverageRequest) -> Covered:
    """Count; raises UsageError for a tag or column that is not there."""
    if not request.names:
        raise UsageError("--by TAG,... is needed: intent,document_type")
    cases = select(load(request.dataset).cases, split=request.split)
    real: dict[str, Counter[str]] = {}
    number, unread = None, Counter[str]()
    if request.queries is not None:
        number, real, unread = _queries(request)
    found = coverage(cases, request.names, {name: [*one] for name, one in real.items()})
    beside = tuple(
        row
        for name, counts in real.items()
        for row in _compared(
            name, counts, Counter(filter(None, (value_of(c, name) for c in cases)))
        )
    )
    return Covered(
        found,
        len(cases),
        {cell: half(request.rate, n) for cell, n in found.cells.items() if n},
        beside,
        number,
        unread,
    )


def half(rate: float, n: int) -> float:
    """Half the width of Wilson's interval of a rate seen on n cases."""
    low, high = wilson(rate, n)
    return (high - low) / 2


def _queries(request: CoverageRequest) -> tuple[int, dict[str, Counter[str]], Counter[str]]:
    """Number of queries, values of each name that any has, and how many lack it."""
    number, found, unread = 0, {name: Counter[str]() for name in request.names}, Counter[str]()
    for _, record in records(request.queries or Path()):
        number += 1
        for name in request.names:
            column = request.mapping.get(name, name)
            value = within(record, column)
            if value is None:
                value = within(record, f"tags.{column}")
            if value is None:
                unread[name] += 1
            else:
                found[name][str(value)] += 1
    if not number:
        raise UsageError(f"{request.queries}: there are no queries in it")
    if not any(found.values()):
        raise UsageError(
            f"{request.queries}: no query has {', '.join(request.names)}. Say which column holds "
            f"it: --map {request.names[0]}=COLUMN"
        )
    return number, {name: counts for name, counts in found.items() if counts}, unread


def _compared(name: str, real: Counter[str], have: Counter[str]) -> list[Beside]:
    """A share that is surely another than that of the queries is named: their intervals part."""
    rows = []
    for value in sorted({*real, *have}, key=lambda one: (-real[one], one)):
        share = have[value] / have.total() if have else 0.0
        asked = real[value] / real.total()
        rows.append(
            Beside(
                name,
                value,
                have[value],
                share,
                real[value],
                asked,
                _verdict(have[value], have.total(), real[value], real.total()),
            )
        )
    return rows


def _verdict(have: int, cases: int, real: int, queries: int) -> str:
    if not have:
        return "missing"
    if not real:
        return "unseen"
    mine, theirs = wilson(have / cases, cases), wilson(real / queries, queries)
    if mine[1] < theirs[0]:
        return "too few"
    return "too many" if mine[0] > theirs[1] else ""
