"""ragproof dataset coverage"""

from __future__ import annotations

from pathlib import Path

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS


@click.command()
@shared.dataset
@shared.names(
    "--by",
    "names",
    required=True,
    metavar="TAG,...",
    help="Tags that make the matrix: intent,document_type,branch.",
)
@shared.some_split
@click.option(
    "--rate",
    type=options.FiniteRange(0, 1),
    default=0.5,
    metavar="P",
    help="The rate at which intervals are computed [default: 0.5, the widest].",
)
@click.option(
    "--queries", type=shared.FILE, help="A sample of real queries: JSONL, JSON, CSV, Parquet."
)
@shared.columns("Which column of the queries holds a tag.", "TAG=COLUMN")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 where a cell is empty or a value missing."
)
@options.as_json
def command(
    dataset: Path,
    names: tuple[str, ...],
    split: str | None,
    rate: float,
    queries: Path | None,
    mapping: dict[str, str],
    *,
    strict: bool,
    as_json: bool,
) -> int:
    """Count the cases of DATASET in each cell of a matrix of tags, and name the empty cells.

    Beside each count stands how well a rate in that cell would be known. One case in a cell is
    inventory and no test of it.
    """
    from ragproof.reports.dataset_coverage import coverage_json, print_coverage
    from ragproof.wiring.dataset_coverage import CoverageRequest, covered

    found = covered(
        CoverageRequest(
            dataset=dataset,
            names=names,
            split=split,
            rate=rate,
            queries=queries,
            mapping=mapping,
        )
    )
    told = (found.coverage, found.half_widths, found.beside, found.queries, found.unread)
    if as_json:
        click.echo(coverage_json(*told, rate=rate))
    else:
        from rich.console import Console

        print_coverage(Console(), *told, rate=rate)
    lacking = found.coverage.empty or any(one.verdict == "missing" for one in found.beside)
    return NOT_MET if strict and lacking else SUCCESS
