"""ragproof dataset judge-pool"""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from ragproof.cli import options

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("dataset", type=FILE)
@click.option(
    "--run", "runs", multiple=True, metavar="RUN", help="May be repeated [default: latest]."
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Sources a case [default: the run's k].",
)
@click.option("--merge", "judged", type=FILE, metavar="FILE", help="A pool with grades in it.")
@click.option(
    "--out", type=FILE, required=True, metavar="FILE", help="The pool, or the merged dataset."
)
@options.config
@options.store
@options.as_json
def command(
    dataset: Path,
    runs: tuple[str, ...],
    depth: int | None,
    judged: Path | None,
    out: Path,
    config: Path | None,
    store: str | None,
    *,
    as_json: bool,
) -> None:
    """Collect the sources that runs found and DATASET does not judge, a line each.

    Fill in `grade` (0 and below: not relevant), leave null what is not judged, and give the file
    back by --merge. Compare runs only once what either found has been judged.
    """
    from ragproof.wiring.dataset_pool import PoolRequest, merged, pooled

    if judged is not None:
        if runs or depth:
            raise click.UsageError("--merge reads no run; leave --run and --depth out")
        done, digest = merged(dataset, judged, out)
        told = {
            "path": str(out),
            "cases": len(done.cases),
            "judgments": done.merged,
            "without_grade": done.waiting,
            "hash": digest,
        }
        said = f"{out}: {done.merged:,} judgments merged, {done.waiting:,} lines without a grade"
    else:
        found = pooled(
            PoolRequest(
                dataset=dataset,
                out=out,
                runs=runs or ("latest",),
                depth=depth,
                config=config,
                store=store,
            ),
            os.environ,
        )
        told = {
            "path": str(out),
            "sources": len(found.rows),
            "cases": found.cases,
            "runs": list(found.runs),
        }
        said = f"{out}: {len(found.rows):,} unjudged sources of {found.cases:,} cases"
    click.echo(json.dumps(told, indent=2) if as_json else said)
