"""ragproof dataset export"""

from __future__ import annotations

import json
from pathlib import Path

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted


@click.command(cls=options.ToFile)
@shared.dataset
@options.to_file(
    "jsonl, csv, parquet, beir or trec, and the file; of beir a folder.",
    "jsonl",
    "csv",
    "parquet",
    "beir",
    "trec",
)
@click.option("--corpus", type=shared.FILE, help="With beir: the documents, a folder or JSONL.")
@click.option("--split", metavar="NAME", help="Only the cases of a split; names beir's judgments.")
@options.as_json
def command(
    dataset: Path, to: tuple[str, Path], corpus: Path | None, split: str | None, *, as_json: bool
) -> None:
    """Write DATASET for other tools; jsonl, csv, parquet and beir read back without loss."""
    from ragproof.datasets import load, select
    from ragproof.datasets.exports import export
    from ragproof.datasets.writing import refuse_source

    form, out = to
    refuse_source(out, dataset)
    cases = select(load(dataset).cases, split=split)
    done = export(form, cases, out, corpus=corpus, **({"split": split} if split else {}))
    if as_json:
        told = {
            "format": form,
            "paths": [str(path) for path in done.paths],
            "cases": done.cases,
            "lost": dict(done.lost),
        }
        click.echo(json.dumps(told, indent=2))
        return
    for path in done.paths:
        click.echo(str(path))
    click.echo(counted(done.cases, "case"))
    for name, number in sorted(done.lost.items()):
        click.echo(f"no place for {name}: {counted(number, 'case')}")
