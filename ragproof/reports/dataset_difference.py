"""Two versions of a dataset, on the terminal and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof.datasets import Dataset
from ragproof.datasets.diff import Difference
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 10


def difference_json(before: Dataset, after: Dataset, found: Difference) -> str:
    """Write every case that differs, and each of its fields before and after."""
    return json.dumps(
        {
            "before": _about(before),
            "after": _about(after),
            "same": found.same,
            "added": list(found.added),
            "removed": list(found.removed),
            "renamed": dict(found.renamed),
            "relabelled": list(found.relabelled),
            "changed": [
                {
                    "case_id": one.id,
                    "labels": list(one.labels),
                    "fields": {
                        name: {"before": old, "after": new}
                        for name, (old, new) in one.fields.items()
                    },
                }
                for one in found.changed
            ],
        },
        indent=2,
    )


def print_difference(console: Console, before: Dataset, after: Dataset, found: Difference) -> None:
    """Print the counts, what it means for a comparison, and the first cases of each sort."""
    page = Page(console)
    for name, dataset in (("before", before), ("after", after)):
        told = f"{one_line(str(dataset.path), 200)}: {counted(len(dataset.cases), 'case')}"
        page.entry(f"{name:<8}", f"{told}, sha256 {dataset.hash[:12]}", label_style="dim")
    if found.is_none:
        page.line("The same cases.")
        return
    page.line()
    _print_ids(page, "added", found.added)
    _print_ids(page, "removed", found.removed)
    _print_ids(page, "renamed", [f"{old} -> {new}" for old, new in found.renamed.items()])
    fields = Counter(name for one in found.changed for name in one.fields)
    for name, number in sorted(fields.items()):
        page.entry(f"  {name:<24}", f"changed in {counted(number, 'case')}")
    for one in found.changed[:SHOWN]:
        page.line()
        page.line(one_line(one.id, 80), "bold")
        for name, (old, new) in one.fields.items():
            page.entry(f"  - {name}: ", one_line(json.dumps(old, ensure_ascii=False), 300), "red")
            page.entry(f"  + {name}: ", one_line(json.dumps(new, ensure_ascii=False), 300), "green")
    if len(found.changed) > SHOWN:
        page.line(f"and {len(found.changed) - SHOWN:,} more; --json lists all", "dim")
    if found.relabelled:
        page.line()
        page.entry(
            "note: ",
            f"{counted(len(found.relabelled), 'case')} got other labels: runs on the two versions "
            "differ there though the pipeline may not; compare with --common-cases, or run again",
            label_style="yellow",
        )


def _print_ids(page: Page, what: str, ids: Sequence[str]) -> None:
    if ids:
        told = ", ".join(one_line(one, 60) for one in ids[:SHOWN])
        more = f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else ""
        page.entry(f"  {what:<24}", f"{counted(len(ids), 'case')}: {told}{more}")


def _about(dataset: Dataset) -> dict[str, object]:
    return {"path": str(dataset.path), "hash": dataset.hash, "cases": len(dataset.cases)}
