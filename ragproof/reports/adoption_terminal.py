"""Decisions on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragproof.analysis.decide import Adoption, Decided, Decisions, Finding, State
from ragproof.reports.adoption_wording import (
    asked_for,
    found_to_be,
    more_on,
    outcome,
    plan,
    registration,
    verdict,
)
from ragproof.reports.decision_wording import run_name
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line

if TYPE_CHECKING:
    from rich.console import Console

STYLES: Mapping[str, str] = {
    Adoption.ADOPT: "bold green",
    Adoption.REJECT: "bold red",
    Adoption.INCONCLUSIVE: "bold yellow",
    State.MET: "green",
    State.NOT_MET: "red",
    State.UNDECIDED: "yellow",
    State.MISSING: "yellow",
    State.SHOWN: "dim",
}
LABEL = 20
"""Columns before a clause, for the longest of its states."""


def print_decisions(console: Console, found: Decisions) -> None:
    """Print what came of every rule, clause by clause."""
    page = Page(console)
    page.line(outcome(found), "bold green" if found.adopted else "bold red")
    for name, record in (("baseline", found.baseline), ("candidate", found.candidate)):
        page.entry(f"{name:<11}", f"{one_line(run_name(record.header), 200)}, {record.state}")
    for doubt in found.doubts:
        page.entry("warning: ", one_line(doubt, 300), label_style="yellow")
    for note in found.notes:
        page.entry("note: ", one_line(note, 300), label_style="yellow")
    for one in found.decided:
        _print_rule(page, one)
    if found.told:
        page.heading("What differs between the runs")
    for line in found.told:
        page.line(one_line(line, 300), indent=2)


def _print_rule(page: Page, one: Decided) -> None:
    page.heading(one_line(one.rule.name, 80))
    page.line(verdict(one), STYLES[one.verdict], indent=2)
    style = "dim" if one.registered.stands else "yellow"
    page.line(one_line(registration(one), 600), style, indent=2)
    for why in one.holds:
        page.entry("  not to be decided: ", one_line(why, 300), label_style="yellow")
    if one.progress is not None:
        for line in plan(one.progress):
            page.entry("  experiment: ", one_line(line, 300), label_style="dim")
    for note in one.notes:
        page.entry("  note: ", one_line(note, 300), label_style="yellow")
    for finding in one.findings:
        _print_finding(page, finding)


def _print_finding(page: Page, finding: Finding) -> None:
    unit = None if finding.measured is None else finding.measured.unit
    label, text = f"  {finding.state:<{LABEL - 2}}", one_line(asked_for(finding.clause, unit), 300)
    page.entry(label, text, label_style=STYLES[finding.state])
    page.line(one_line(found_to_be(finding), 600), indent=LABEL)
    for line in more_on(finding):
        page.line(one_line(line, 300), "dim", indent=LABEL)
