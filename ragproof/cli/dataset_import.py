"""ragproof dataset import"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.dataset_import import Imported


@click.command()
@click.argument("source", type=shared.FILE)
@click.option(
    "--from",
    "form",
    required=True,
    metavar="FORMAT",
    help="beir, trec, csv, parquet, json, ragas, deepeval, promptfoo, langsmith, langfuse, "
    "phoenix, nuggets, clapnq, nomiracl, funsd, sroie, freshstack.",
)
@shared.out("The dataset (JSONL).")
@shared.columns("Which column is which field: question=query, tags.intent=category, id=meta.key.")
@click.option(
    "--qrels", type=shared.FILE, metavar="FILE", help="With trec: judgments of the topics."
)
@click.option(
    "--corpus-out",
    type=shared.FILE,
    metavar="FILE",
    help="Write the documents that the source brings.",
)
@click.option("--revision", metavar="TEXT", help="Of the source, pinned in each case's metadata.")
@click.option("--date", "day", metavar="DATE", help="Of the source, pinned alike.")
@click.option("--task", metavar="NAME", help="Tag every case `task: NAME`: tasks stay apart.")
@click.option("--split", metavar="NAME", help="The split of cases that have none.")
@options.as_json
def command(*, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Read SOURCE, a test set of another make, into a dataset.

    Topics without judgments are tagged `judged: no`; nothing scores them as 0. What no case can
    hold is counted, here and in <name>.import.json beside the dataset.
    """
    from ragproof.wiring.dataset_import import ImportRequest, imported

    found = imported(ImportRequest(**said))
    if as_json:
        told = {
            "path": str(said["out"]),
            "cases": found.cases,
            "hash": found.hash,
            "unjudged": found.unjudged,
            "lost": dict(found.notes.lost),
            "kept_as_metadata": dict(found.notes.kept),
            "left_out": dict(found.notes.left_out),
            "documents": found.documents,
            "pinned": str(found.sidecar),
        }
        click.echo(json.dumps(told, indent=2))
    else:
        _show(said["out"], found)


def _show(out: Path, found: Imported) -> None:
    from rich.console import Console

    from ragproof.reports.page import Page

    page = Page(Console())
    page.line(f"{out}: {counted(found.cases, 'case')}, sha256 {found.hash[:12]}")
    if found.unjudged:
        page.line(f"{found.unjudged:,} of them are unjudged: asked, and never scored as 0")
    if found.documents:
        page.line(f"{counted(found.documents, 'document')} written")
    for title, counts in (
        ("Lost", found.notes.lost),
        ("Left out", found.notes.left_out),
        ("Kept under metadata, scored by nothing", found.notes.kept),
    ):
        if counts:
            page.heading(title)
            for name, number in sorted(counts.items()):
                page.entry(f"  {number:>7,}  ", name, label_style="dim")
    page.line(f"pinned in {found.sidecar}", "dim")
