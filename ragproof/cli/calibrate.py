"""ragproof calibrate"""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS


@click.command()
@options.config
@options.store
@click.option("--min-exact", type=click.FloatRange(0, 1), default=0.70, show_default=True)
@click.option("--min-within", type=click.FloatRange(0, 1), default=0.90, show_default=True)
@click.option("--labels", type=click.Path(path_type=Path), help="Your own labels (JSONL).")
@click.option("--metric", "metrics", multiple=True, metavar="ID", help="Only this; repeatable.")
@options.as_json
def command(
    config: Path | None,
    store: str | None,
    min_exact: float,
    min_within: float,
    labels: Path | None,
    metrics: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Measure the configured judge against people, before its figures are trusted.

    It scores the shipped fixtures, or your own labels; the reports of its runs show the result.
    Exits 1 where too few answers are in the band in which people put them, or at most one apart.
    Without a judge, replies that people wrote are scored: that checks prompts and fixtures alone.
    """
    from rich.console import Console

    from ragproof.analysis.agreement import Thresholds
    from ragproof.reports.calibration import agreement_json, print_agreement
    from ragproof.wiring.calibrating import calibrate, document, keep
    from ragproof.wiring.wish import Wish

    least = Thresholds(min_exact, min_within)
    loaded = Wish(config=config, store=store).load_config(os.environ)
    told = calibrate(loaded, os.environ, labels, metrics)
    figures = agreement_json(told.found, least)
    keep(loaded, told, figures)
    passed = all(one["passed"] for one in figures)
    if as_json:
        click.echo(json.dumps({"passed": passed, **document(told, figures)}, indent=2))
    else:
        print_agreement(Console(), told.judge, told.found, least, told.usd, len(told.errors))
    return SUCCESS if passed else NOT_MET
