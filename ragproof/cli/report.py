"""ragproof report"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ragproof.cli import options


@click.command()
@click.argument("run", required=False, default="latest")
@options.config
@options.store
@click.option("--html", type=click.Path(path_type=Path), help="Write one self-contained page.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="Write a short one for a comment on a pull request; - prints it instead.",
)
@options.as_json
def command(
    run: str,
    config: Path | None,
    store: str | None,
    html: Path | None,
    markdown: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show a RUN: an id or its beginning, a label, latest or latest~1 [default: latest]."""
    from ragproof.cli.evaluation import STDOUT, Presentation, present
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.perform import findings

    if as_json and markdown == STDOUT:
        raise click.UsageError("--json and --markdown - both print to stdout; give one of them")
    show = Presentation(as_json, html, markdown)
    with open_for_reading(config, store, os.environ) as looking:
        info = looking.store.find(run, looking.project)
        found = findings(looking.store, info.header.id, up_close=show.up_close)
    present(found, show, sys.stdout)
    for page in (html, markdown):
        if page is not None and page != STDOUT:
            click.echo(f"wrote {page}", err=True)
