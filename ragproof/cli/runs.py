"""ragproof runs"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import options

if TYPE_CHECKING:
    from ragproof.store.listing import RunInfo


@click.command()
@options.config
@options.store
@click.option("--all", "everything", is_flag=True, help="Runs of all projects in the store.")
@options.as_json
def command(config: Path | None, store: str | None, *, everything: bool, as_json: bool) -> None:
    """List the runs of this project, the newest first."""
    from rich.console import Console

    from ragproof.reports.tables import RunRow, print_runs
    from ragproof.wiring.looking import open_for_reading

    with open_for_reading(config, store, os.environ) as looking:
        found = looking.store.runs(None if everything else looking.project)
    if as_json:
        click.echo(json.dumps({"runs": [_plain(one) for one in found]}, indent=2))
        return
    rows = [
        RunRow(
            id=one.header.id,
            started_at=one.header.started_at,
            status=one.state,
            cases=one.counts.total,
            dataset=one.header.dataset.name,
            label=one.header.label,
        )
        for one in found
    ]
    print_runs(Console(), rows)


def _plain(info: RunInfo) -> dict[str, Any]:
    header, counts = info.header, info.counts
    return {
        "run_id": header.id,
        "label": header.label,
        "project": header.project,
        "status": info.state,
        "started_at": header.started_at,
        "finished_at": info.finished_at,
        "cases": {
            "total": header.trials,
            "ok": counts.ok,
            "errors": counts.errors,
            "timeouts": counts.timeouts,
        },
        "dataset": {"name": header.dataset.name, "hash": header.dataset.hash},
        "adapter": {"type": header.adapter.type, "target": header.adapter.target},
    }
