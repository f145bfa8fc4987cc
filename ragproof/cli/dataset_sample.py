"""ragproof dataset sample"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.dataset_sample import Sampled


@click.command()
@click.argument("log", type=shared.FILE)
@shared.out("The cases (JSONL).")
@click.option(
    "--number",
    "places",
    type=click.IntRange(min=1),
    default=200,
    metavar="N",
    help="Different queries to draw [default: 200].",
)
@click.option("--stratify", metavar="COLUMN", help="The column that tells the intent.")
@click.option(
    "--clusters",
    "number",
    type=click.IntRange(2, 500),
    metavar="N",
    help="Without such a column: so many sorts, by wording.",
)
@click.option(
    "--allocation",
    type=click.Choice(["proportional", "equal", "square-root"]),
    default="proportional",
    help="How places are dealt to intents [default: proportional].",
)
@shared.columns("Where the log has question, id and group (the session).")
@shared.seed
@click.option(
    "--split",
    type=click.Choice(["development", "calibration", "release", "monitoring"]),
    help="What the cases may be used for.",
)
@options.as_json
def command(allocation: str, split: str | None, *, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Draw queries from LOG, stratified by intent, for experts to answer.

    Each case carries its weight, the queries of the traffic that it stands for, and the tag
    `judged: no` until someone has answered it. The log is JSONL, JSON, CSV or Parquet.
    """
    from ragproof.core import Split
    from ragproof.datasets.sample import Allocation
    from ragproof.wiring.dataset_sample import SampleRequest, sampled

    request = SampleRequest(
        allocation=Allocation(allocation), split=Split(split) if split else None, **said
    )
    found = sampled(request)
    if as_json:
        told = {
            "path": str(request.out),
            "cases": len(found.sample.drawn),
            "traffic": found.traffic,
            "unread": found.unread,
            "strata": [
                {
                    "name": one.name,
                    "traffic": one.traffic,
                    "distinct": one.distinct,
                    "drawn": one.drawn,
                }
                for one in found.sample.strata
            ],
        }
        click.echo(json.dumps(told, indent=2))
    else:
        _show(request.out, found)


def _show(out: Path, found: Sampled) -> None:
    from rich.console import Console

    from ragproof.reports.page import Page
    from ragproof.reports.wording import one_line

    page = Page(Console())
    drawn, traffic = counted(len(found.sample.drawn), "case"), counted(found.traffic, "query")
    page.line(f"{out}: {drawn} of {traffic}")
    if found.unread:
        page.line(f"{counted(found.unread, 'line')} without a question left out", "yellow")
    titles = ["  intent", "queries", "different", "drawn"]
    rows = [
        [f"  {one_line(one.name, 40)}", f"{one.traffic:,}", f"{one.distinct:,}", f"{one.drawn:,}"]
        for one in found.sample.strata
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(one, "dim") for one in titles], widths)
    for row in rows:
        page.cells([(one, "") for one in row], widths)
