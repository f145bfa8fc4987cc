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
@options.as_json
def command(
    run: str, config: Path | None, store: str | None, html: Path | None, *, as_json: bool
) -> None:
    """Show a RUN: an id or its beginning, a label, latest or latest~1 [default: latest]."""
    from ragproof.cli.evaluation import Presentation, present
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.perform import findings

    show = Presentation(as_json, html)
    with open_for_reading(config, store, os.environ) as looking:
        info = looking.store.find(run, looking.project)
        found = findings(looking.store, info.header.id, up_close=show.up_close)
    present(found, show, sys.stdout)
    if html:
        click.echo(f"wrote {html}", err=True)
