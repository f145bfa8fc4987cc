"""A comparison and a gate on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragproof.analysis.comparison import ChangedCase, Compared, Comparison
from ragproof.analysis.gate import Gate, Verdict
from ragproof.reports.decision_wording import (
    apart,
    asked_for,
    called,
    figures_of,
    found_to_be,
    interval_of,
    joined,
    more_on,
    outcome,
    p_values,
    reach,
    run_name,
    signed,
    tested_over,
    verdicts,
    warnings,
    without_a_better,
)
from ragproof.reports.page import Page
from ragproof.reports.wording import LAYERS, figure, one_line

if TYPE_CHECKING:
    from rich.console import Console

STYLES: Mapping[str, str] = {
    **{"better": "green", "worse": "red", "changed": "yellow", "": ""},
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.WARN: "yellow",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.SKIP: "dim",
    Verdict.ERROR: "bold red",
}


def print_comparison(console: Console, found: Comparison) -> None:
    """Print two runs side by side, at any width."""
    page = Page(console)
    for name, record in (("baseline", found.baseline), ("candidate", found.candidate)):
        page.entry(f"{name:<11}", f"{one_line(run_name(record.header), 200)}, {record.state}")
    page.entry(f"{'cases':<11}", joined(found))
    page.entry(f"{'changes':<11}", verdicts(found), label_style="bold")
    for doubt in warnings(found):
        page.entry("warning: ", doubt, label_style="yellow")
    _print_table(page, found)
    if found.told:
        page.heading("What differs between the runs")
    for line in found.told:
        page.line(one_line(line, 300), indent=2)
    if found.apart:
        page.heading("Not compared")
    for why, keys in apart(found):
        page.line(one_line(why, 300), indent=2)
        page.entry("    ", keys, "dim")
    if found.changed:
        page.heading("The cases that changed most")
    for case in found.changed:
        _print_case(page, case, found)


def _print_table(page: Page, found: Comparison) -> None:
    titles = ("metric", "before", "after", "change", "95 % interval", "p (adj.)", "+/-/=")
    rows = {one.key: _cells(one) for one in found.metrics}
    widths = page.fitted([[f"  {titles[0]}", *titles[1:]], *rows.values()])
    for layer, title in LAYERS.items():
        if not (mine := [one for one in found.metrics if one.declared.layer is layer]):
            continue
        page.heading(title)
        page.cells([(f"  {titles[0]}", "dim"), *[(one, "dim") for one in titles[1:]]], widths)
        for one in mine:
            style = STYLES[found_to_be(one)]
            styles = ("", "", "", style, style, style, "dim")
            page.cells(list(zip(rows[one.key], styles, strict=True)), widths)
            notes = [note for note in (called(one), reach(one)) if note]
            if notes:
                page.line("; ".join(notes), style or "dim", indent=4)
    page.line()
    page.line(f"p: randomisation test; adj.: {tested_over(found)}.", "dim")
    page.line(f"+/-/=: cases better, worse, equal.{without_a_better(found)}", "dim")
    page.line("Means are over what both runs scored.", "dim")


def _cells(one: Compared) -> list[str]:
    unit, change = one.declared.unit, one.change
    return [
        f"  {one.key}",
        figure(change.baseline, unit),
        figure(change.candidate, unit),
        signed(change.delta, unit),
        interval_of(one),
        p_values(one),
        f"{one.wins:,}/{one.losses:,}/{change.ties:,}",
    ]


def _print_case(page: Page, case: ChangedCase, found: Comparison) -> None:
    seen, length = found.details.get(case.id), 3 * page.width
    question = one_line(seen.candidate.question, length) if seen is not None else ""
    page.entry(f"  {one_line(case.id, 40)}  ", question, label_style="bold")
    figures = ", ".join(f"{key} {told}".strip() for key, told in figures_of(case))
    page.entry("    changed    ", figures, label_style="dim")
    sides = () if seen is None else (("before", seen.baseline), ("after", seen.candidate))
    for label, side in sides:
        if side.answer is not None:
            page.entry(f"    {label:<11}", one_line(side.answer, length), label_style="dim")


def print_gate(console: Console, gate: Gate) -> None:
    """Print a gate's verdict: what failed first, and why."""
    page = Page(console)
    page.line(outcome(gate), "bold green" if gate.passed else "bold red")
    page.entry("run       ", one_line(run_name(gate.run.header), 200))
    if gate.baseline is not None:
        page.entry("baseline  ", one_line(run_name(gate.baseline.header), 200))
    for note in gate.notes:
        page.entry("note: ", one_line(note, 300), label_style="yellow")
    page.line()
    for check in sorted(gate.checks, key=lambda one: (not one.blocks, _severity(one.verdict))):
        label = f"{check.verdict:<13}"
        page.entry(
            label,
            f"{check.asked.metric}: {asked_for(check)}",
            label_style=STYLES[check.verdict],
        )
        page.line(one_line(check.detail, 600), indent=len(label))
        for line in more_on(check):
            page.line(one_line(line, 300), "dim", indent=len(label))


def _severity(verdict: Verdict) -> int:
    return [
        *(Verdict.ERROR, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WARN),
        *(Verdict.SKIP, Verdict.PASS),
    ].index(verdict)
