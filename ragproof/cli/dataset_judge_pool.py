"""ragproof dataset judge-pool"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

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
    if judged is None:
        request = {"dataset": dataset, "out": out, "runs": runs or ("latest",), "depth": depth}
        told, said = _collected(request | {"config": config, "store": store})
    elif runs or depth:
        raise click.UsageError("--merge reads no run; leave --run and --depth out")
    else:
        told, said = _merged(dataset, judged, out)
    click.echo(json.dumps(told, indent=2) if as_json else said)


def _collected(request: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Write the pool; return the document and the line that tell of it."""
    from ragproof.wiring.dataset_pool import PoolRequest, pooled

    found = pooled(PoolRequest(**request), os.environ)
    told = {
        "path": str(request["out"]),
        "sources": len(found.rows),
        "cases": found.cases,
        "runs": list(found.runs),
    }
    said = f"{request['out']}: {len(found.rows):,} unjudged sources of {found.cases:,} cases"
    return told, said


def _merged(dataset: Path, judged: Path, out: Path) -> tuple[dict[str, Any], str]:
    """Write the dataset with its new grades; return the document and the line."""
    from ragproof.wiring.dataset_pool import merged

    done, digest = merged(dataset, judged, out)
    told = {
        "path": str(out),
        "cases": len(done.cases),
        "judgments": done.merged,
        "without_grade": done.waiting,
        "hash": digest,
    }
    said = f"{out}: {done.merged:,} judgments merged, {done.waiting:,} lines without a grade"
    return told, said
