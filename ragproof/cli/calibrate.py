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
@click.option("--min-exact", type=click.FloatRange(0, 1), default=0.70, show_default=True)
@click.option("--min-within", type=click.FloatRange(0, 1), default=0.90, show_default=True)
@click.option("--labels", type=click.Path(path_type=Path), help="Your own labels (JSONL).")
@click.option("--metric", "metrics", multiple=True, metavar="ID", help="Only this; repeatable.")
@options.as_json
def command(
    config: Path | None,
    min_exact: float,
    min_within: float,
    labels: Path | None,
    metrics: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Measure the configured judge against people, before its figures are trusted.

    It scores the shipped fixtures, or your own labels. Exits 1 where too few answers are in the
    same band as people put them, or at most one band apart. Without a judge, replies that people
    wrote are scored: that checks prompts and fixtures, and says nothing of any model.
    """
    from rich.console import Console

    from ragproof.analysis.agreement import Thresholds
    from ragproof.reports.calibration import agreement_json, print_agreement
    from ragproof.wiring.calibrating import calibrate
    from ragproof.wiring.wish import Wish

    least = Thresholds(min_exact, min_within)
    loaded = Wish(config=config).load_config(os.environ)
    told = calibrate(loaded, os.environ, labels, metrics)
    passed = not any(least.shortfalls(one) for one in told.found.values())
    if as_json:
        document = {
            "passed": passed,
            "judge": told.judge,
            "scripted": told.scripted,
            "prompts": agreement_json(told.found, least),
            "errors": dict(told.errors),
            "calls": told.calls,
            "cost_usd": told.usd,
        }
        click.echo(json.dumps(document, indent=2))
    else:
        print_agreement(Console(), told.judge, told.found, least, told.usd, len(told.errors))
    return SUCCESS if passed else NOT_MET
