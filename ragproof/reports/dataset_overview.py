"""A dataset at a glance, on the terminal and as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragproof.core import Case
from ragproof.datasets import Dataset
from ragproof.datasets.canonical import dump
from ragproof.datasets.overview import Overview
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 8


def overview_json(dataset: Dataset, found: Overview) -> str:
    """Write name, hash and every count."""
    about = {"name": dataset.name, "path": str(dataset.path), "hash": dataset.hash}
    return json.dumps({**about, **dataclasses.asdict(found)}, indent=2)


def case_json(case: Case) -> str:
    """Write a case as it stands in the dataset."""
    return json.dumps(json.loads(dump(case)), indent=2)


def print_overview(console: Console, dataset: Dataset, found: Overview) -> None:
    """Print the counts."""
    page = Page(console)
    page.line(one_line(dataset.name, 80), "bold")
    page.line(f"{counted(found.cases, 'case')} in {counted(found.groups, 'group')}")
    page.entry("sha256  ", dataset.hash, "dim", "dim")
    for title, counts in (
        ("Kinds", found.kinds),
        ("Splits", found.splits),
        ("Labels", found.labels),
    ):
        page.heading(title)
        _print_counts(page, counts)
    for name, values in found.tags.items():
        page.heading(f"Tag {one_line(name, 60)}: {counted(len(values), 'value')}")
        _print_counts(page, values)
    extra = {"variants of another case": found.variants, "with a conversation": found.with_history}
    if any(extra.values()):
        page.heading("Also")
        _print_counts(page, {name: number for name, number in extra.items() if number})


def print_case(console: Console, case: Case) -> None:
    """Print the fields of a case, one below the other."""
    page = Page(console)
    page.line(one_line(case.id, 200), "bold")
    for name, value in json.loads(dump(case)).items():
        if name != "id":
            told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            page.entry(f"  {name:<22}", told, label_style="dim")


def _print_counts(page: Page, counts: Mapping[str, int]) -> None:
    if not counts:
        page.line("none", "dim", indent=2)
    for name, number in [*counts.items()][:SHOWN]:
        page.entry(f"  {number:>9,}  ", one_line(name, 100))
    if len(counts) > SHOWN:
        more = counted(len(counts) - SHOWN, "more value")
        page.line(f"and {more}; --json lists all", "dim", indent=2)
