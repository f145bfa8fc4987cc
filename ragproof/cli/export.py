"""ragproof export"""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from ragproof.cli import options
from ragproof.cli.main import tell
from ragproof.text.counting import counted


@click.command(cls=options.ToFile)
@click.argument("run", required=False, default="latest")
@options.to_file(
    "parquet, csv or jsonl, and the file: one row for each case and metric.",
    "parquet",
    "csv",
    "jsonl",
)
@click.option(
    "--observations",
    type=options.OutFile(),
    metavar="FILE",
    help="What the pipeline did, as `run --recorded` replays it [default: beside FILE, named "
    "<name>.observations.jsonl].",
)
@click.option("--no-observations", is_flag=True, help="Write the table alone.")
@options.config
@options.store
@options.as_json
def command(
    run: str,
    to: tuple[str, Path],
    observations: Path | None,
    config: Path | None,
    store: str | None,
    *,
    no_observations: bool,
    as_json: bool,
) -> None:
    """Write a RUN to files for other programs: an id, a label, latest [default: latest]."""
    from ragproof.wiring.exporting import export
    from ragproof.wiring.looking import open_for_reading

    form, path = to
    if no_observations and observations is not None:
        raise click.UsageError("give --observations FILE or --no-observations, not both")
    beside = None if no_observations else path.with_name(f"{path.stem}.observations.jsonl")
    second = observations or beside
    with open_for_reading(config, store, os.environ) as looking:
        header = looking.store.find(run, looking.project).header
        done = export(looking.store, header, form, path, second)
    if done.repeats:
        left = counted(done.repeats, "repeat")
        tell(f"{second}: only the first trial of each case; {left} left out")
    if as_json:
        told = {
            "run_id": header.id,
            "format": form,
            "path": str(path),
            "rows": done.rows,
            "observations": second and {"path": str(second), "lines": done.observations},
        }
        click.echo(json.dumps(told, indent=2))
        return
    click.echo(f"{path}: {counted(done.rows, 'row')} of run {header.id}")
    if second is not None:
        click.echo(f"{second}: {counted(done.observations, 'observation')}")
