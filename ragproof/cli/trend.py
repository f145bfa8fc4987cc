"""ragproof trend"""

from __future__ import annotations

import os
from pathlib import Path

import click

from ragproof.cli import options


@click.command()
@click.argument("metric")
@options.config
@options.store
@click.option(
    "--last", type=click.IntRange(min=1), default=20, metavar="N", help="Runs shown [default: 20]."
)
@options.as_json
def command(
    metric: str, config: Path | None, store: str | None, last: int, *, as_json: bool
) -> None:
    """Follow a METRIC through the runs, marking where dataset, judge or k changed."""
    from rich.console import Console

    from ragproof.reports.trend import print_trend, trend_json
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.trending import trend

    with open_for_reading(config, store, os.environ) as looking:
        found = trend(looking, metric, last)
    declared = found.declared
    if as_json:
        click.echo(trend_json(metric, declared.unit, declared.better, found.points))
    else:
        print_trend(Console(), metric, declared.unit, found.points)
