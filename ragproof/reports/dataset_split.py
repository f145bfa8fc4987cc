"""How a dataset was divided, on the terminal and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragproof.core import Split
from ragproof.datasets.split import HEAVY, Division
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console


def split_json(
    division: Division,
    retired: Sequence[str],
    uses: Sequence[Mapping[str, Any]] | None,
    written: str | None,
) -> str:
    """Write the counts and every use."""
    return json.dumps(
        {
            "cases": len(division.cases),
            "groups": division.groups,
            "kept": division.kept,
            "splits": dict(division.counts()),
            "by_tag": by_tag(division),
            "torn": [list(one) for one in division.torn],
            "retired": list(retired),
            "uses": uses,
            "warnings": warnings(division, uses),
            "path": written,
        },
        indent=2,
    )


def print_split(
    console: Console,
    division: Division,
    retired: Sequence[str],
    uses: Sequence[Mapping[str, Any]] | None,
    written: str | None,
) -> None:
    """Print counts, uses, and what a reader must know."""
    page, total = Page(console), len(division.cases)
    page.line(
        f"{counted(total, 'case')} in {counted(division.groups, 'group')}; "
        f"{division.kept:,} had a split"
    )
    rows = [
        [f"  {split}", f"{number:,}", f"{number / total:.1%}"]
        for split, number in division.counts().items()
    ]
    widths = page.fitted(rows)
    for row in rows:
        page.cells([(cell, "") for cell in row], widths)
    if retired:
        page.line(f"{counted(len(retired), 'case')} moved from release to development", "yellow")
    for warning in warnings(division, uses):
        page.entry("warning: ", warning, label_style="yellow")
    if uses is not None:
        page.heading("Runs that saw release cases" if uses else "No run saw a release case")
        for use in uses:
            told = f"{one_line(use['candidate'], 80)}, {counted(len(use['cases']), 'case')}"
            told += f"; guided a choice: {use['guided_choice']}" if use["guided_choice"] else ""
            page.entry(f"  {use['at'][:16]}  {use['run']}  ", told, label_style="dim")
    page.line()
    page.line(
        f"written to {written}" if written else "nothing is written without --out FILE", "dim"
    )


def by_tag(division: Division) -> dict[str, dict[str, dict[str, int]]]:
    """Tag name to value to split to cases."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for case in division.cases:
        for name, value in case.slices.items():
            found.setdefault(name, {}).setdefault(value, Counter())[str(case.split)] += 1
    return {
        name: {value: dict(sorted(counts.items())) for value, counts in sorted(values.items())}
        for name, values in sorted(found.items())
        if len(values) <= MOST_VALUES
    }


MOST_VALUES = 50
"""A tag of more values is no slice."""


def warnings(division: Division, uses: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """What spoils a division."""
    found = []
    case, size = division.heaviest
    if size > HEAVY * len(division.cases) and size > 1:
        found.append(
            f"{size:,} of {len(division.cases):,} cases belong to one group (that of "
            f"{one_line(case, 40)}) and cannot be divided; tie by fewer things"
        )
    if division.torn:
        found.append(
            f"{counted(len(division.torn), 'group')} had cases in several splits and was left so: "
            f"{', '.join(one_line(one, 30) for one in division.torn[0][:3])}"
        )
    present = division.counts()
    lacking = [
        f"{name}={value}"
        for name, values in by_tag(division).items()
        for value, counts in values.items()
        if Split.RELEASE in present and Split.RELEASE not in counts
    ]
    if lacking:
        found.append(f"no release case has {', '.join(lacking[:5])}: --stratify spreads a tag")
    scored = Counter(use["candidate"] for use in uses or () if not use["guided_choice"])
    found += [
        f"{one_line(candidate, 60)} was scored {times} times on release cases; once is enough"
        for candidate, times in scored.items()
        if times > 1
    ]
    return found
