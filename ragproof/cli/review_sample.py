"""ragproof review sample"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.reviewing import Queued

_PLACES = click.IntRange(min=0)


def _reviewers(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    """A number, or names."""
    if re.fullmatch(r"[0-9]+", value):
        if not 1 <= int(value) <= 100:
            raise click.BadParameter(f"got {value}; allowed: 1 to 100, or names parted by commas")
        return tuple(f"reviewer-{at}" for at in range(1, int(value) + 1))
    return tuple(one.strip() for one in value.split(",") if one.strip())


def _by_metric(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[Any, ...]:
    """Read METRIC:lowest:N."""
    from ragproof.wiring.reviewing import ByMetric

    found = []
    for value in values:
        read = re.fullmatch(r"(.+):(lowest|highest):([1-9][0-9]{0,6})", value)
        if read is None:
            raise click.BadParameter(f"got {value!r}; allowed: METRIC:lowest:N or METRIC:highest:N")
        found.append(ByMetric(read[1], read[2] == "highest", int(read[3])))
    return tuple(found)


@click.command()
@click.argument("run", required=False)
@shared.out("The queue (JSONL); its key goes beside it.")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    metavar="N",
    help="Answers drawn at random; this sample is always there [default: 50].",
)
@click.option(
    "--rate",
    type=options.FiniteRange(0, 1, min_open=True),
    metavar="SHARE",
    help="The same as a share of the traffic; 0.01 to 0.02 to start. With --count: the larger.",
)
@click.option("--low-confidence", type=_PLACES, default=0, metavar="N", help="The N least sure.")
@click.option(
    "--thumbs-down", type=_PLACES, default=0, metavar="N", help="N that users voted down."
)
@click.option(
    "--follow-ups",
    type=_PLACES,
    default=0,
    metavar="N",
    help="N after which the user doubted, or asked for what was missing.",
)
@click.option(
    "--by-metric",
    multiple=True,
    callback=_by_metric,
    metavar="METRIC:lowest:N",
    help="The N at one end of a metric; `highest` for the other. May be repeated.",
)
@click.option(
    "--reviewers",
    default="1",
    callback=_reviewers,
    metavar="N|NAMES",
    help="How many review, or their names; a file each [default: 1].",
)
@click.option(
    "--overlap",
    type=options.FiniteRange(0, 1),
    default=0.2,
    metavar="SHARE",
    help="Of the answers, those that two review [default: 0.2].",
)
@click.option(
    "--not-in",
    type=shared.FILE,
    multiple=True,
    metavar="KEY",
    help="The key of an earlier queue, whose answers are not drawn again. May be repeated.",
)
@click.option("--csv", "sheet", is_flag=True, help="Write each queue for a spreadsheet, too.")
@shared.seed
@options.config
@options.store
@options.as_json
def command(*, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Draw answers of RUN, or of the newest run of traffic, into a queue for blind review.

    Reviewers see question, answer and passages, and nothing of scores, votes or why an answer was
    drawn: that stands in the key, with the chance of each answer to be drawn. Keep it to yourself
    until the verdicts are in. Then: `ragproof review report`.
    """
    from ragproof.wiring.reviewing import ReviewRequest, queued

    found = queued(ReviewRequest(**said), os.environ)
    if as_json:
        click.echo(json.dumps(_document(found, said["out"]), indent=2))
    else:
        _show(found, said["out"])


def _document(found: Queued, out: Path) -> dict[str, Any]:
    from dataclasses import asdict

    from ragproof.datasets.review_queue import key_path

    return {
        **asdict(found.key.head),
        "items": len(found.key.items),
        "population": found.key.head.population,
        "key": str(key_path(out)),
        "queues": {name: str(path) for name, path in found.paths.items()},
        "of_traffic": found.of_traffic,
        "sheets": [str(path) for path in found.sheets],
    }


def _show(found: Queued, out: Path) -> None:
    from rich.console import Console

    from ragproof.datasets.review_queue import key_path
    from ragproof.reports.page import Page
    from ragproof.reports.review_terminal import print_strata

    page, head = Page(Console()), found.key.head
    items, population = len(found.key.items), head.population
    page.line(f"{counted(items, 'answer')} to review of {population:,}, run {head.run}")
    print_strata(page, [(one.name, one.pool, one.drawn) for one in head.strata])
    if not found.of_traffic:
        page.line(
            "This is no run of recorded traffic: what reviews say of it is not what users got",
            "yellow",
        )
    if head.unanswered:
        page.line(f"{counted(head.unanswered, 'case')} without an answer: none to review")
    if head.drawn_before:
        page.line(f"{counted(head.drawn_before, 'answer')} left out: drawn before")
    if head.other_strata:
        page.line(
            f"{counted(head.other_strata, 'case')} left out: their tag `stratum` says that they "
            "were not drawn at random from traffic",
            "yellow",
        )
    for name, path in found.paths.items():
        mine = sum(name in one.reviewers for one in found.key.items.values())
        page.line(f"{path}: {counted(mine, 'answer')} for {name}")
    for path in found.sheets:
        page.line(f"{path}: the same for a spreadsheet")
    page.line(f"{key_path(out)}: the key; reviewers must not see it")
    first = next(iter(found.paths.values()))
    page.line(f"Fill in: ragproof review show {first} --fill", "dim")
