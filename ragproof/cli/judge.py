"""ragproof judge"""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from ragproof.cli import options


@click.group()
def command() -> None:
    """Look at the judge itself."""


@command.command()
@options.config
@click.option("--family", help="Model family of the judge, for self-preference.")
@options.as_json
def bias(config: Path | None, family: str | None, *, as_json: bool) -> None:
    """Measure where the configured judge leans.

    Position: the same two answers in both orders. Length: pairs in which one answer was padded or
    cut. Self-preference: answers of its own family, against what people say. Injectability: the
    same answer with an order to the judge inside.
    """
    from rich.console import Console

    from ragproof.reports.calibration import leanings_json, print_leanings
    from ragproof.wiring.calibrating import leanings
    from ragproof.wiring.wish import Wish

    loaded = Wish(config=config).load_config(os.environ)
    found = leanings(loaded, os.environ, family)
    told = leanings_json(found.position, found.length, found.own, found.injectability)
    if as_json:
        document = {"judge": found.judge, **told, "cost_usd": found.usd}
        click.echo(json.dumps(document, indent=2))
    else:
        print_leanings(Console(), found.judge, told)
