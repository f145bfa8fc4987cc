"""A sweep on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof.analysis.sweep import Study
from ragproof.reports.page import Page
from ragproof.reports.sweep_parts import part_tables, parts_note
from ragproof.reports.sweep_wording import (
    COLUMNS,
    COMPARED,
    cells,
    compared,
    edge,
    evidence,
    facts,
    place,
    reference,
    verdict,
    warnings,
)
from ragproof.reports.wording import one_line

if TYPE_CHECKING:
    from rich.console import Console

LONGEST = 600


def print_sweep(console: Console, study: Study, next_steps: Sequence[str] = ()) -> None:
    """Print the points, the comparison, the frontier and the choice, at any width."""
    page = Page(console)
    for label, text in facts(study):
        page.entry(f"{label:<9}", one_line(text, LONGEST))
    decided = study.choice is not None and study.choice.chosen is not None
    page.entry(
        f"{'choice':<9}",
        one_line(verdict(study), LONGEST),
        "bold green" if decided else "yellow",
        "bold",
    )
    for warning in warnings(study):
        page.entry("warning: ", one_line(warning, LONGEST), label_style="yellow")
    _print_points(page, study)
    _print_parts(page, study)
    _print_comparison(page, study)
    if study.choice is not None:
        page.heading("Choice")
        page.line(one_line(study.choice.reason, LONGEST), indent=2)
        if (told := edge(study)) is not None:
            page.line(told, "yellow", indent=2)
        for line in evidence(study):
            page.line(one_line(line, LONGEST), "dim", indent=4)
    if next_steps:
        page.heading("Next")
        for line in next_steps:
            page.entry("  ", line)


def _print_points(page: Page, study: Study) -> None:
    rows = []
    for at in range(len(study.points)):
        name, *rest = cells(study, at)
        mark = "*" if study.frontier.places[at].on_frontier else " "
        rows.append([f"{mark} {one_line(name, LONGEST)}", *rest])
    used = [at for at in range(len(COLUMNS)) if at < 4 or any(row[at] not in "-" for row in rows)]
    titles = [("  " if at == 0 else "") + COLUMNS[at] for at in used]
    shown = [[row[at] for at in used] for row in rows]
    widths = page.fitted([titles, *shown])
    page.heading("Points")
    page.cells([(one, "dim") for one in titles], widths)
    for at, row in enumerate(shown):
        style = "bold" if study.choice is not None and study.choice.chosen == at else ""
        page.cells([(one, style) for one in row], widths)
        if told := place(study, at):
            page.line(told, "dim", indent=4)
    over = " and ".join(study.frontier.axes)
    page.line()
    page.line(
        f"*: on the frontier of quality against {over}: no other point is as good at no more {over}"
        if over
        else "*: the best; there is no figure of latency or cost to weigh it against",
        "dim",
    )


def _print_parts(page: Page, study: Study) -> None:
    tables = part_tables(study)
    for table in tables:
        rows = [[f"  {one_line(row[0], LONGEST)}", *row[1:]] for row in table.rows]
        titles = [f"  {table.columns[0]}", *(one_line(one, 40) for one in table.columns[1:])]
        widths = page.fitted([titles, *rows])
        page.heading(one_line(table.title, LONGEST))
        page.cells([(one, "dim") for one in titles], widths)
        for row in rows:
            page.cells([(one, "") for one in row], widths)
    if tables:
        page.line()
        page.line(parts_note(study), "dim")


def _print_comparison(page: Page, study: Study) -> None:
    found = [row for at in range(len(study.points)) if (row := compared(study, at)) is not None]
    if not found:
        return
    page.heading(f"Compared with {one_line(reference(study), LONGEST)}")
    rows = [[f"  {one_line(row[0], LONGEST)}", *row[1:]] for row in found]
    titles = [f"  {COMPARED[0]}", *COMPARED[1:]]
    widths = page.fitted([titles, *rows])
    page.cells([(one, "dim") for one in titles], widths)
    for row in rows:
        page.cells([(one, "") for one in row], widths)
    page.line()
    page.line(
        "Paired on the cases that both scored. p: randomisation test, adjusted over the "
        "points (Holm); +/-/=: cases better, worse, equal.",
        "dim",
    )
