"""The coverage of a dataset, on the terminal and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ragproof.datasets.coverage import Coverage
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 40
STYLES = {"missing": "red", "too few": "yellow", "too many": "yellow", "unseen": "dim"}
Cell = tuple[str, ...]


class Shares(Protocol):
    """A value's share of the cases beside its share of real queries."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def value(self) -> str: ...  # noqa: D102
    @property
    def cases(self) -> int: ...  # noqa: D102
    @property
    def share(self) -> float: ...  # noqa: D102
    @property
    def queries(self) -> int: ...  # noqa: D102
    @property
    def real(self) -> float: ...  # noqa: D102
    @property
    def verdict(self) -> str: ...  # noqa: D102


def coverage_json(
    found: Coverage,
    half_widths: Mapping[Cell, float],
    beside: Sequence[Shares],
    queries: int | None,
    unread: Mapping[str, int],
    *,
    rate: float,
) -> str:
    """Write every cell, empty ones included."""
    told: dict[str, Any] = {
        "by": list(found.names),
        "rate": rate,
        "cells": [
            {
                "values": dict(zip(found.names, cell, strict=True)),
                "cases": number,
                "half_width95": half_widths.get(cell),
            }
            for cell, number in found.cells.items()
        ],
        "empty": [list(cell) for cell in found.empty],
        "without_value": dict(found.without),
        "queries": None,
    }
    if queries is not None:
        told["queries"] = {
            "number": queries,
            "without_value": dict(unread),
            "values": [_shares(one) for one in beside],
        }
    return json.dumps(told, indent=2)


def _shares(one: Shares) -> dict[str, Any]:
    return {
        "tag": one.name,
        "value": one.value,
        "cases": one.cases,
        "share": one.share,
        "queries": one.queries,
        "share_of_queries": one.real,
        "verdict": one.verdict or None,
    }


def print_coverage(
    console: Console,
    found: Coverage,
    half_widths: Mapping[Cell, float],
    beside: Sequence[Shares],
    queries: int | None,
    unread: Mapping[str, int],
    *,
    rate: float,
) -> None:
    """Print the cells, the fewest cases last; then empty ones; then shares of real queries."""
    page = Page(console)
    filled = sorted(
        ((cell, n) for cell, n in found.cells.items() if n), key=lambda one: (-one[1], one[0])
    )
    page.line(
        f"{counted(sum(found.cells.values()), 'case')} by {', '.join(found.names)}: "
        f"{counted(len(found.cells), 'cell')}, {len(found.empty):,} empty"
    )
    rows = [[f"  {_named(cell)}", f"{n:,}", f"±{half_widths[cell]:.2f}"] for cell, n in filled]
    titles = ["  cell", "cases", f"at {rate:g}"]
    widths = page.fitted([titles, *rows[:SHOWN]])
    page.cells([(one, "dim") for one in titles], widths)
    for row in rows[:SHOWN]:
        page.cells([(one, "") for one in row], widths)
    if len(rows) > SHOWN:
        more = counted(len(rows) - SHOWN, "more cell")
        page.line(f"and {more}; --json lists all", "dim", indent=2)
    if found.empty:
        page.heading(f"Empty: {counted(len(found.empty), 'cell')}")
        for cell in found.empty[:SHOWN]:
            page.line(_named(cell), "red", indent=2)
        if len(found.empty) > SHOWN:
            page.line(f"and {len(found.empty) - SHOWN:,} more", "dim", indent=2)
    for name, number in found.without.items():
        if number:
            page.line(f"{counted(number, 'case')} without {one_line(name, 40)}", "yellow")
    if queries is not None:
        _print_beside(page, beside, queries, unread)


def _print_beside(
    page: Page, beside: Sequence[Shares], queries: int, unread: Mapping[str, int]
) -> None:
    page.heading(f"Beside {queries:,} real queries")
    titles = ["  value", "cases", "share", "queries", "share", ""]
    rows = [
        [
            f"  {one_line(one.name, 30)}={one_line(one.value, 40)}",
            f"{one.cases:,}",
            f"{one.share:.1%}",
            f"{one.queries:,}",
            f"{one.real:.1%}",
            one.verdict,
        ]
        for one in beside
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(one, "dim") for one in titles], widths)
    for row, one in zip(rows, beside, strict=True):
        page.cells([(cell, STYLES.get(one.verdict, "")) for cell in row], widths)
    for name, number in unread.items():
        page.line(f"{counted(number, 'query')} without {one_line(name, 40)}", "yellow")


def _named(cell: Cell) -> str:
    return " x ".join(one_line(one, 40) for one in cell)
