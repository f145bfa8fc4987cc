"""ragproof freeze"""

from __future__ import annotations

import json
from pathlib import Path

import click

from ragproof.cli import options
from ragproof.text.counting import counted


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@options.as_json
def command(dataset: Path, *, as_json: bool) -> None:
    """Write DATASET to <name>.frozen.json, which is verified by its hash whenever it is read."""
    from ragproof.datasets import freeze, load

    frozen = freeze(dataset)
    read = load(frozen)
    if as_json:
        told = {"path": str(frozen), "hash": read.hash, "cases": len(read.cases)}
        click.echo(json.dumps(told, indent=2))
    else:
        click.echo(f"{frozen}: {counted(len(read.cases), 'case')}, sha256 {read.hash}")
