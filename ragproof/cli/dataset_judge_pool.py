"""ragproof dataset judge-pool"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted


@click.command()
@shared.dataset
@shared.runs
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Sources a case [default: the run's k].",
)
@click.option("--answers", is_flag=True, help="Collect what the runs answered, not the sources.")
@click.option(
    "--merge", "judged", type=shared.FILE, metavar="FILE", help="A pool that people filled in."
)
@click.option(
    "--prefer",
    type=click.Choice(["dataset", "reviews"]),
    help="With --merge: who is right where they differ [default: refuse].",
)
@shared.out("The pool, or the merged dataset.")
@options.config
@options.store
@options.as_json
def command(
    dataset: Path,
    judged: Path | None,
    prefer: str | None,
    out: Path,
    *,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> None:
    """Collect what runs found or answered and DATASET does not judge, a line each.

    Fill in `grade` of a source (0 and below: not relevant), `verdict` of an answer (right, wrong,
    and `corrected_answer`), leave null what is not judged, and give the file back by --merge: a
    right answer becomes an expected one. Compare runs only once what either found is judged.
    """
    if judged is None:
        if prefer is not None:
            raise click.UsageError("--prefer goes with --merge FILE")
        told, line = _collected(dataset, out, said)
    elif said["runs"] or said["depth"] or said["answers"]:
        raise click.UsageError("--merge reads no run; leave --run, --depth and --answers out")
    else:
        told, line = _merged(dataset, judged, out, prefer)
    click.echo(json.dumps(told, indent=2) if as_json else line)


def _collected(dataset: Path, out: Path, said: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Write the pool; return the document and the line that tell of it."""
    from ragproof.wiring.dataset_pool import PoolRequest, pooled

    request = PoolRequest(dataset=dataset, out=out, **{**said, "runs": said["runs"] or ("latest",)})
    found = pooled(request, os.environ)
    what = "answers" if request.answers else "sources"
    told = {
        "path": str(out),
        what: len(found.rows),
        "cases": found.cases,
        "runs": list(found.runs),
    }
    rows = counted(len(found.rows), f"unjudged {what[:-1]}")
    return told, f"{out}: {rows} of {counted(found.cases, 'case')}"


def _merged(
    dataset: Path, judged: Path, out: Path, prefer: str | None
) -> tuple[dict[str, Any], str]:
    """Write the dataset with what people said; return the document and the line."""
    from ragproof.datasets.pool_merge import Prefer
    from ragproof.wiring.dataset_pool import merged

    done, digest = merged(dataset, judged, out, Prefer(prefer) if prefer else None)
    told = {
        "path": str(out),
        "cases": len(done.cases),
        "judgments": done.merged,
        "answers": done.answers,
        "confirmed": done.confirmed,
        "outvoted": done.outvoted,
        "without_grade": done.waiting,
        "hash": digest,
    }
    merged_ = f"{counted(done.merged, 'judgment')} and {counted(done.answers, 'answer')}"
    said = [f"{out}: {merged_} merged"]
    said += [f"{done.confirmed:,} confirmed"] if done.confirmed else []
    said += [f"{done.outvoted:,} outvoted by the dataset"] if done.outvoted else []
    return told, ", ".join([*said, f"{counted(done.waiting, 'line')} without a grade"])
