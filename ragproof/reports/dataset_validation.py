"""What is doubtful about a dataset, on the terminal and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.datasets import Dataset
from ragproof.datasets.findings import CHECKS, Finding, Severity
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 5
"""Findings of a check, and cases of a finding, that are shown."""
STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def validation_json(
    dataset: Dataset,
    findings: Sequence[Finding],
    unchecked: Mapping[str, str],
    annotators: Mapping[str, float | int | None] | None,
    fail_on: str,
    *,
    passed: bool,
) -> str:
    """Write every finding with all its cases."""
    return json.dumps(
        {
            "dataset": {"name": dataset.name, "hash": dataset.hash, "cases": len(dataset.cases)},
            "passed": passed,
            "fail_on": fail_on,
            "counts": {level: _number(findings, level) for level in Severity},
            "findings": [
                {
                    "check": one.check,
                    "severity": one.severity,
                    "message": one.message,
                    "cases": list(one.cases),
                    "similarity": one.similarity,
                }
                for one in findings
            ],
            "unchecked": dict(unchecked),
            "annotators": annotators,
        },
        indent=2,
    )


def print_validation(
    console: Console, dataset: Dataset, findings: Sequence[Finding], unchecked: Mapping[str, str]
) -> None:
    """Print the counts, then the findings check by check, the gravest first."""
    page = Page(console)
    page.line(one_line(dataset.name, 80), "bold")
    counts = ", ".join(
        counted(number, level) for level in Severity if (number := _number(findings, level))
    )
    page.line(f"{counted(len(dataset.cases), 'case')}: {counts or 'nothing found'}")
    for severity, check in dict.fromkeys((one.severity, one.check) for one in findings):
        mine = [one for one in findings if (one.severity, one.check) == (severity, check)]
        page.heading(f"{check} ({counted(len(mine), severity)}): {CHECKS[check]}")
        for one in mine[:SHOWN]:
            near = f" ({one.similarity:.0%} shared)" if one.similarity is not None else ""
            page.entry("  ", one.message + near, STYLES[severity])
            if one.cases:
                page.entry("    cases  ", _named(one.cases), label_style="dim")
        if len(mine) > SHOWN:
            page.line(f"and {len(mine) - SHOWN:,} more; --json lists all", "dim", indent=2)
    if unchecked:
        page.heading("Not checked")
        for name, why in unchecked.items():
            page.entry(f"  {name:<20}", why, "dim", "dim")


def _number(findings: Sequence[Finding], level: Severity) -> int:
    return sum(one.severity is level for one in findings)


def _named(cases: Sequence[str]) -> str:
    told = ", ".join(one_line(case, 40) for case in cases[:SHOWN])
    return f"{told} and {len(cases) - SHOWN:,} more" if len(cases) > SHOWN else told
