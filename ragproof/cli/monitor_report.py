"""ragproof monitor report"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ragproof.cli import monitor_options as shared
from ragproof.cli import options


@click.command()
@shared.traffic
@shared.window
@shared.step
@click.option(
    "--metrics",
    callback=options.names,
    metavar="ID,...",
    help="Only these; globs and KEY:p95 allowed.",
)
@click.option("--by", metavar="TAG", help="Also by the values of a tag.")
@click.option("--reference", metavar="FROM/TO", help="Compare with that stretch of time.")
@click.option(
    "--last",
    type=click.IntRange(min=1),
    default=14,
    metavar="N",
    help="Windows listed, newest [default: 14].",
)
@click.option("--html", type=options.OutFile(), help="Write a page of HTML.")
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write a page of Markdown; `-` prints it."
)
def command(
    *,
    config: Path | None,
    store: str | None,
    metrics: tuple[str, ...] | None,
    by: str | None,
    reference: str | None,
    last: int,
    html: Path | None,
    markdown: Path | None,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> None:
    """Show runs of traffic by windows of time: traffic, failures, regeneration, latency, cost.

    RUN is a run of traffic, or several, which are joined in time [default: the newest of traffic].
    """
    from rich.console import Console

    from ragproof.reports.monitor_json import windows_json
    from ragproof.reports.monitor_markdown import windows_markdown
    from ragproof.reports.monitor_terminal import print_windows
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.monitoring import MonitorRequest, monitor_report

    options.refuse_two_on_stdout({"markdown": markdown}, as_json=as_json)
    request = MonitorRequest(**said)
    with open_for_reading(config, store, os.environ) as looking:
        found = monitor_report(looking, request, metrics, by, reference)
    if html is not None:
        from ragproof.reports.monitor_html import windows_html

        options.put_told(html, windows_html(found))
    if markdown is not None:
        options.put_told(markdown, windows_markdown(found))
    if as_json:
        click.echo(windows_json(found))
    elif markdown != options.STDOUT:
        print_windows(Console(), found, last)
