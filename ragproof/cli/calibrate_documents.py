"""ragproof calibrate, for what the labels of documents can settle without people."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli.main import SUCCESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from ragproof.wiring.schema import Config

QUALITY = "generation.correctness"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the command line says of it."""

    metric: str
    run: str | None
    answers: tuple[str, str] | None
    quality: str | None
    allowed: float | None
    as_json: bool


def asked(metrics: tuple[str, ...], said: Mapping[str, Any], *, as_json: bool) -> Asked | None:
    """The table that is wanted; None where labels of people or a judge are meant."""
    from ragproof.wiring.document_tables import MERGING, OPERATING

    answers, named = said["answers"], {one.partition("[")[0] for one in metrics}
    if answers is None:
        for name in ("quality", "allowed"):
            if said[name] is not None:
                raise click.UsageError(f"--{name} goes with --answers RUN RUN")
        if said["labels"] is not None or not named & (OPERATING | MERGING):
            return None
    if len(metrics) != 1 or said["run"] is None or said["labels"] is not None:
        told = "such a table is of one metric of one run of documents: --metric ID --run RUN"
        raise click.UsageError(told)
    for name in ("claims", "record", "against"):
        if said[name]:
            raise click.UsageError(f"--{name} is about a judge, and no judge is asked here")
    return Asked(
        metric=metrics[0],
        run=said["run"],
        answers=answers,
        quality=said["quality"],
        allowed=said["allowed"],
        as_json=as_json,
    )


def show(config: Config, wish: Asked) -> int:
    """Make the table and print it."""
    from rich.console import Console

    from ragproof.wiring.document_tables import OPERATING

    make = _merging
    if wish.answers is not None:
        make = _boundary
    elif wish.metric.partition("[")[0] in OPERATING:
        make = _operating
    document, draw = make(config, wish)
    if wish.as_json:
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    else:
        console = Console()
        for reason, count in document["left_out"].items():
            console.print(f"left out: {count} {reason}", style="dim", markup=False)
        draw(console)
    return SUCCESS


def _operating(config: Config, wish: Asked) -> tuple[dict[str, Any], Callable[[Console], None]]:
    from ragproof.reports.document_tables import operating_json, print_operating
    from ragproof.wiring.document_tables import operating_table

    found = operating_table(config, wish.metric, wish.run or "")
    document = {
        "metric": found.metric,
        "run": found.run_id,
        "match": found.match,
        "documents": found.documents,
        "left_out": dict(found.left_out),
        "labelled": dict(found.labelled),
        "operating_points": operating_json(found.points),
    }
    return document, lambda console: print_operating(console, found.points)


def _merging(config: Config, wish: Asked) -> tuple[dict[str, Any], Callable[[Console], None]]:
    from ragproof.reports.document_tables import merging_json, print_merging
    from ragproof.wiring.document_tables import merging_table

    found = merging_table(config, wish.metric, wish.run or "")
    document = {
        "metric": found.metric,
        "run": found.run_id,
        "documents": found.documents,
        "left_out": dict(found.left_out),
        "settings": merging_json(found.settings),
        "best": merging_json([found.chosen])[0],
    }
    return document, lambda console: print_merging(console, found.settings, found.chosen)


def _boundary(config: Config, wish: Asked) -> tuple[dict[str, Any], Callable[[Console], None]]:
    from ragproof.reports.document_tables import boundary_json, print_boundaries
    from ragproof.wiring.document_tables import boundary_table

    assert wish.answers is not None
    quality = wish.quality or QUALITY
    allowed = 0.05 if wish.allowed is None else wish.allowed
    found = boundary_table(config, wish.metric, wish.run or "", wish.answers, quality, allowed)
    document = {
        "metric": found.metric,
        "quality": found.quality,
        "allowed_loss": found.allowed,
        "run": found.run_id,
        "answers": list(found.answers),
        "left_out": dict(found.left_out),
        "boundaries": boundary_json(found.boundaries),
    }
    return document, lambda console: print_boundaries(console, found.boundaries)
