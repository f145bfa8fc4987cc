"""ragproof dataset split"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options

if TYPE_CHECKING:
    from ragproof.wiring.dataset_split import Use


@click.command()
@shared.dataset
@click.option(
    "--out", type=options.OutFile(), metavar="FILE", help="Write the divided dataset (JSONL)."
)
@click.option(
    "--shares",
    metavar="NAME=X,...",
    help="[default: development=0.5,calibration=0.15,release=0.35]",
)
@click.option(
    "--by",
    "ties",
    multiple=True,
    type=click.Choice(["source", "near"]),
    help="Keep together, beside groups and variants: a shared source, near-duplicates.",
)
@shared.names(
    "--stratify", "strata", metavar="TAG,...", help="Give each value of these tags its shares."
)
@shared.seed
@click.option(
    "--like", type=shared.FILE, metavar="FILE", help="Cases of this version keep their split."
)
@click.option("--uses", is_flag=True, help="List the runs of the store that saw release cases.")
@click.option(
    "--retire-used", is_flag=True, help="Release cases that guided a choice become development."
)
@click.option(
    "--guided-by",
    multiple=True,
    metavar="RUN",
    help="Something was chosen by this run: retire its release cases.",
)
@options.config
@options.store
@options.as_json
def command(
    ties: tuple[str, ...],
    shares: str | None,
    *,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> None:
    """Divide DATASET into development, calibration and release; nothing related is torn apart.

    A case that has a split keeps it. Cases of a group, variants and equal questions go together;
    where they go follows from a hash, so that cases added later move nothing.
    """
    from ragproof.datasets.split import SHARES, Tie, shares_of
    from ragproof.reports.dataset_split import print_split, split_json
    from ragproof.wiring.dataset_split import SplitRequest, divided

    found = divided(
        SplitRequest(
            shares=shares_of(shares) if shares else dict(SHARES),
            ties=frozenset({Tie.GROUP, *map(Tie, ties)}),
            **said,
        ),
        os.environ,
    )
    uses = None if found.uses is None else [_plain(use) for use in found.uses]
    written = None if found.written is None else str(found.written)
    if as_json:
        click.echo(split_json(found.division, found.retired, uses, written))
    else:
        from rich.console import Console

        print_split(Console(), found.division, found.retired, uses, written)


def _plain(use: Use) -> dict[str, Any]:
    return {
        "run": use.run,
        "label": use.label,
        "at": use.at,
        "candidate": use.candidate,
        "cases": list(use.cases),
        "guided_choice": use.tuning or None,
    }
