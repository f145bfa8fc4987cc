"""ragproof dataset show"""

from __future__ import annotations

from pathlib import Path

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options


@click.command()
@shared.dataset
@click.argument("case_id", required=False, metavar="[CASE]")
@options.as_json
def command(dataset: Path, case_id: str | None, *, as_json: bool) -> None:
    """Show DATASET at a glance: kinds, splits, tags, labels; or all of one CASE of it."""
    from rich.console import Console

    from ragproof.core import UsageError
    from ragproof.datasets import load
    from ragproof.datasets.overview import overview
    from ragproof.reports.dataset_overview import (
        case_json,
        overview_json,
        print_case,
        print_overview,
    )
    from ragproof.text.nearest import nearest

    read = load(dataset)
    if case_id is None:
        found = overview(read.cases)
        if as_json:
            click.echo(overview_json(read, found))
        else:
            print_overview(Console(), read, found)
        return
    case = next((one for one in read.cases if one.id == case_id), None)
    if case is None:
        near = nearest(case_id, (one.id for one in read.cases))
        raise UsageError(f"{dataset}: there is no case {case_id!r}.{near}")
    if as_json:
        click.echo(case_json(case))
    else:
        print_case(Console(), case)
