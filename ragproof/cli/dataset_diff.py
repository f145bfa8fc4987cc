"""ragproof dataset diff"""

from __future__ import annotations

from pathlib import Path

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS


@click.command()
@click.argument("before", type=shared.FILE)
@click.argument("after", type=shared.FILE)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where they differ.")
@options.as_json
def command(before: Path, after: Path, *, exit_code: bool, as_json: bool) -> int:
    """Tell what AFTER adds to, removes from and changes in BEFORE; cases are told by their id."""
    from ragproof.datasets import load
    from ragproof.datasets.diff import difference

    old, new = load(before), load(after)
    found = difference(old.cases, new.cases)
    if as_json:
        from ragproof.reports.dataset_difference import difference_json

        click.echo(difference_json(old, new, found))
    else:
        from rich.console import Console

        from ragproof.reports.dataset_difference import print_difference

        print_difference(Console(), old, new, found)
    return NOT_MET if exit_code and not found.is_none else SUCCESS
