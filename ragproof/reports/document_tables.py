"""What ingestion can be set by: operating points, mergers and error boundaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragproof.analysis.error_boundary import Boundary
from ragproof.analysis.near_duplicates import Setting
from ragproof.analysis.operating_point import OperatingPoint
from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 12
"""Operating points of a type that a terminal shows, at even steps; JSON has all."""


def operating_json(points: Mapping[str, Sequence[OperatingPoint]]) -> dict[str, Any]:
    """Type to its points, the highest score first."""
    return {
        name: [
            {
                "min_score": one.threshold,
                "found": one.found,
                "right": one.right,
                "labelled": one.labelled,
                "precision": one.precision,
                "recall": one.recall,
                "f1": one.f(),
                "f2": one.f(2),
            }
            for one in several
        ]
        for name, several in points.items()
    }


def merging_json(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """One entry a setting."""
    return [
        {
            "permutations": one.permutations,
            "threshold": one.threshold,
            "merged_pairs": one.merged,
            "duplicate_pairs": one.duplicates,
            "both": one.both,
            "precision": one.precision,
            "recall": one.recall,
            "f1": one.f1,
            "false_merge_rate": one.false_merge_rate,
            "missed_merge_rate": one.missed_merge_rate,
        }
        for one in settings
    ]


def boundary_json(boundaries: Mapping[str, Boundary]) -> dict[str, Any]:
    """Document class to its boundary."""
    return {
        name: {
            "documents": one.documents,
            "boundary": one.value,
            "ci95": None if one.low is None and one.high is None else [one.low, one.high],
            "reason": one.reason,
        }
        for name, one in boundaries.items()
    }


def print_operating(console: Console, points: Mapping[str, Sequence[OperatingPoint]]) -> None:
    """Print a table a type."""
    page = Page(console)
    titles = ("min_score", "found", "right", "precision", "recall", "F1", "F2")
    for name, several in points.items():
        page.heading(name)
        if not several:
            page.line("nothing was found", "dim")
            continue
        shown = _even(several)
        rows = [
            (
                f"{one.threshold:.4g}",
                f"{one.found:,}",
                f"{one.right:,}",
                *(_three(value) for value in (one.precision, one.recall, one.f(), one.f(2))),
            )
            for one in shown
        ]
        _print(page, titles, rows)
        if hidden := len(several) - len(shown):
            page.line(f"and {counted(hidden, 'other score')}: see --json", "dim")
    page.line()
    page.line(
        "Choose the row with whoever answers for a breach, then set min_score: a miss is a breach, "
        "a false find spoils a text. F2 counts recall twice as much as precision.",
        "dim",
    )


def print_merging(console: Console, settings: Sequence[Setting], chosen: Setting) -> None:
    """Print every setting, and mark the best."""
    page = Page(console)
    titles = ("permutations, threshold", "precision", "recall", "F1", "false merges", "missed")
    rows = [
        (
            f"{'> ' if one is chosen else '  '}{one.permutations}, {one.threshold:g}",
            *(
                _three(value)
                for value in (
                    one.precision,
                    one.recall,
                    one.f1,
                    one.false_merge_rate,
                    one.missed_merge_rate,
                )
            ),
        )
        for one in settings
    ]
    _print(page, titles, rows)
    page.line()
    page.line(
        "Counted in pairs of documents. A false merge loses a document, a missed one wastes room. "
        "> marks the best F1, of equals the fewest permutations.",
        "dim",
    )


def print_boundaries(console: Console, boundaries: Mapping[str, Boundary]) -> None:
    """Print a row a class, and why there is none."""
    page = Page(console)
    titles = ("class", "documents", "boundary", "95 % interval")
    rows = [
        (
            name,
            f"{one.documents:,}",
            _three(one.value),
            "-" if one.value is None else f"[{_three(one.low)}, {_three(one.high)}]",
        )
        for name, one in boundaries.items()
    ]
    _print(page, titles, rows)
    for name, one in boundaries.items():
        if one.reason:
            page.entry(f"{name}  ", one.reason, "dim")


def _print(page: Page, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for row in rows:
        page.cells([(cell, "bold" if row[0].startswith("> ") else "") for cell in row], widths)


def _even(points: Sequence[OperatingPoint]) -> Sequence[OperatingPoint]:
    if len(points) <= SHOWN:
        return points
    last = len(points) - 1
    return [points[round(at * last / (SHOWN - 1))] for at in range(SHOWN)]


def _three(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
