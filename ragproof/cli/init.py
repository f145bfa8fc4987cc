"""ragproof init"""

from __future__ import annotations

import json
from pathlib import Path

import click

from ragproof.cli import options

KINDS = ("python", "http", "recorded", "langchain", "llamaindex", "haystack")


@click.command()
@click.option(
    "--from",
    "kind",
    type=click.Choice(KINDS),
    default="python",
    show_default=True,
    help="What the pipeline is.",
)
@options.as_json
def command(kind: str, *, as_json: bool) -> None:
    """Write ragproof.yaml, a starter adapter and a starter dataset into this folder.

    They run as they are. No file is overwritten.
    """
    from rich.console import Console

    from ragproof.reports.tables import print_step
    from ragproof.wiring.starting import ABOUT, next_steps, start

    names, steps = start(Path(), kind), next_steps(kind)
    if as_json:
        click.echo(json.dumps({"from": kind, "written": names, "next": steps}, indent=2))
        return
    console = Console()
    for name in names:
        print_step(console, "wrote", f"{name}: {ABOUT[name]}")
    for step in steps:
        print_step(console, "next", step)
