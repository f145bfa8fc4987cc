"""Two judges on the same labels, side by side: JSON and terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragproof.analysis.agreement import Agreement, Replacement, Thresholds
from ragproof.reports.calibration import Asked, agreement_json, print_cost, print_judge
from ragproof.reports.page import Page

if TYPE_CHECKING:
    from rich.console import Console

SURE = 0.05
"""A split as uneven as this is by chance less often: the judges differ."""
Found = Mapping[tuple[str, str], Replacement]
Costs = tuple[float | None, float | None]


def shortfalls(one: Replacement, least: Thresholds) -> list[str]:
    """Why the candidate may not take the current judge's place, as far as agreement goes."""
    found = least.shortfalls(one.candidate)
    if one.only_current > one.only_candidate and one.p_value < SURE:
        found.append(
            f"on {one.only_current} answers the current judge alone agrees with people, on "
            f"{one.only_candidate} the other alone (McNemar p {one.p_value:.3g})"
        )
    return found


def replacement_json(found: Found, least: Thresholds) -> list[dict[str, Any]]:
    """One entry a metric and annotation condition."""

    def plain(key: tuple[str, str], one: Agreement) -> dict[str, Any]:
        return agreement_json({key: one}, least)[0]

    return [
        {
            "metric": key[0],
            "condition": key[1],
            "passed": not shortfalls(one, least),
            "shortfalls": shortfalls(one, least),
            "current": plain(key, one.current),
            "candidate": plain(key, one.candidate),
            "only_current_agrees": one.only_current,
            "only_candidate_agrees": one.only_candidate,
            "p_value": one.p_value,
        }
        for key, one in found.items()
    ]


def print_replacement(
    console: Console, judges: tuple[Asked, Asked], costs: Costs, found: Found, least: Thresholds
) -> None:
    """Print two lines a metric, then what speaks against the change."""
    page = Page(console)
    for name, asked, cost in zip(("current", "candidate"), judges, costs, strict=True):
        page.line(name, "bold")
        print_judge(page, asked)
        told = "unknown" if cost is None else f"${cost:.4f}"
        page.entry("       ", f"{told} for all these labels, known replies included", "dim")
        print_cost(page, asked)
    for condition in dict.fromkeys(condition for _, condition in found):
        page.line()
        page.entry("labels ", condition, "dim", label_style="bold")
        mine = [(metric, one) for (metric, under), one in found.items() if under == condition]
        _print_table(page, mine)
    page.line()
    for (metric, _), one in found.items():
        for shortfall in shortfalls(one, least):
            page.entry("falls short  ", f"{metric}: {shortfall}", label_style="red")
    page.line(
        "alone: answers on which this judge agrees with people and the other does not; p: how "
        "likely so uneven a split is between equals (McNemar, exact); false +: passes what people "
        "do not; false -: the reverse",
        "dim",
    )


def _print_table(page: Page, found: Sequence[tuple[str, Replacement]]) -> None:
    titles = ("metric", "items", "exact", "within one", "false +", "false -", "alone", "p")
    rows: list[tuple[str, ...]] = []
    for metric, one in found:
        current = _cells(one.current, one.only_current)
        rows.append((metric, *current, f"{one.p_value:.3g}"))
        rows.append(("  candidate", *_cells(one.candidate, one.only_candidate), ""))
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for row in rows:
        page.cells([(cell, "") for cell in row], widths)


def _cells(one: Agreement, alone: int) -> tuple[str, ...]:
    return (
        f"{one.items:,}",
        f"{one.exact.value:.2f}",
        f"{one.within.value:.2f}",
        f"{one.false_passes:,}",
        f"{one.false_failures:,}",
        f"{alone:,}",
    )
