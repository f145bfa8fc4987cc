"""ragproof monitor check"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ragproof.cli import monitor_options as shared
from ragproof.cli import options
from ragproof.cli.main import EXECUTION_FAILED, NOT_MET, SUCCESS


@click.command()
@shared.traffic
@click.option("--all-windows", is_flag=True, help="Hold every window that has ended, not the last.")
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write a page of Markdown; `-` prints it."
)
def command(
    *,
    config: Path | None,
    store: str | None,
    all_windows: bool,
    markdown: Path | None,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Hold the newest window that has ended to the guardrails of the config.

    Exits with 1 for an alert, and with 2 where a guardrail could not be measured that has to be
    (monitor.on_missing). RUN is a run of traffic, or several [default: the newest of traffic].
    """
    from rich.console import Console

    from ragproof.reports.monitor_json import check_json
    from ragproof.reports.monitor_markdown import check_markdown
    from ragproof.reports.monitor_terminal import print_check
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.monitoring import MonitorRequest, monitor_check

    options.refuse_two_on_stdout({"markdown": markdown}, as_json=as_json)
    request = MonitorRequest(**said)
    with open_for_reading(config, store, os.environ) as looking:
        found = monitor_check(looking, request, all_windows=all_windows)
    if markdown is not None:
        options.put_told(markdown, check_markdown(found))
    if as_json:
        click.echo(check_json(found))
    elif markdown != options.STDOUT:
        print_check(Console(), found)
    if found.alerts:
        return NOT_MET
    return EXECUTION_FAILED if found.unmeasured else SUCCESS
