"""ragproof monitor calibrate"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ragproof.cli import monitor_options as shared
from ragproof.cli import options


@click.command()
@shared.traffic
@click.option(
    "--metric",
    default="monitoring.regeneration",
    metavar="ID",
    help="Which; KEY:p95 names a statistic [default: monitoring.regeneration].",
)
@click.option(
    "--window",
    "lengths",
    multiple=True,
    metavar="LENGTH",
    help="Length to try; may be repeated [default: 6h, 1d, 7d].",
)
@click.option("--false-alerts", metavar="RATE", help="Budget, as `1 per 30d` [default: config's].")
@click.option(
    "--shift",
    "shifts",
    multiple=True,
    type=options.FiniteRange(),
    metavar="X",
    help="Change to be caught; may be repeated [default: 10 to 100 % of the level].",
)
def command(
    *,
    config: Path | None,
    store: str | None,
    metric: str,
    lengths: tuple[str, ...],
    false_alerts: str | None,
    shifts: tuple[float, ...],
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> None:
    """Try control bands on the history: their false alerts, and the shifts that they catch.

    RUN is a run of traffic, or several, which are joined in time [default: the newest of traffic].
    """
    from rich.console import Console

    from ragproof.reports.monitor_json import calibrated_json
    from ragproof.reports.monitor_terminal import print_calibrated
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.monitoring import MonitorRequest, monitor_calibrate

    with open_for_reading(config, store, os.environ) as looking:
        found = monitor_calibrate(
            looking,
            MonitorRequest(**said),
            metric,
            lengths=lengths,
            false_alerts=false_alerts,
            shifts=shifts,
        )
    if as_json:
        click.echo(calibrated_json(found))
    else:
        print_calibrated(Console(), found)
