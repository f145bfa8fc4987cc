"""ragproof review merge"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli import review_options as review
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.datasets.review_merge import Together


@click.command()
@review.files
@shared.out("All verdicts (JSONL), a line each.")
@click.option(
    "--conflicts",
    "unsettled",
    type=options.OutFile(),
    metavar="FILE",
    help="A queue of the answers on which reviewers differ, for one more reviewer.",
)
@options.as_json
def command(files: tuple[Path, ...], out: Path, unsettled: Path | None, *, as_json: bool) -> None:
    """Put the filled queues of several reviewers together, and name where they differ.

    Nothing is settled here: `review report` counts each verdict a part, `review promote` leaves
    out what has no majority. FILES are JSONL or CSV.
    """
    from ragproof.datasets.review_merge import together
    from ragproof.datasets.review_queue import refuse_reviewed, write_queue
    from ragproof.datasets.writing import refuse_name, refuse_source

    for path in filter(None, (out, unsettled)):
        refuse_name(path)
        refuse_source(path, *files)
    if unsettled is not None and unsettled.resolve() == out.resolve():
        raise click.UsageError("--conflicts: name another file than --out")
    found = together(files)
    refuse_reviewed(out, found.reviews)
    if unsettled is not None:
        refuse_reviewed(unsettled)
        write_queue(unsettled, found.unsettled())
    write_queue(out, found.lines())
    (_print_document if as_json else _show)(found, out, unsettled)


def _print_document(found: Together, out: Path, unsettled: Path | None) -> None:
    told = {
        "path": str(out),
        "verdicts": len(found.reviews),
        "items": found.items,
        "waiting": found.waiting,
        "conflicts": {item: dict(by) for item, by in found.conflicts.items()},
        "conflicts_path": None if unsettled is None else str(unsettled),
    }
    click.echo(json.dumps(told, indent=2))


def _show(found: Together, out: Path, unsettled: Path | None) -> None:
    import shlex

    from rich.console import Console

    from ragproof.reports.page import Page
    from ragproof.reports.review_terminal import print_conflicts

    page = Page(Console())
    waiting = f", {found.waiting:,} waiting" if found.waiting else ""
    items = counted(found.items, "answer")
    page.line(f"{out}: {counted(len(found.reviews), 'verdict')} on {items}{waiting}")
    if found.conflicts:
        page.line(f"Reviewers differ on {counted(len(found.conflicts), 'answer')}:", "yellow")
        print_conflicts(page, found.conflicts)
    if unsettled is not None:
        differ = counted(len(found.conflicts), "answer")
        page.line(f"{unsettled}: {differ} on which they differ, for one more reviewer")
    if unsettled is not None and found.conflicts:
        queue = shlex.quote(str(unsettled))
        page.line(
            f"Next: ragproof review show {queue} --fill --reviewer NAME; then merge it, too", "dim"
        )
    else:
        page.line(f"Next: ragproof review report {shlex.quote(str(out))} --key KEY", "dim")
