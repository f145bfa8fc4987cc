"""ragproof review promote"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli import review_options as review
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.review_promoting import Done


@click.command()
@review.files
@review.keys
@click.option(
    "--into",
    type=shared.FILE,
    metavar="FILE",
    help="The golden set; it stays as it is [default: none, a first set is started].",
)
@shared.out("The golden set with the new cases.")
@click.option(
    "--split",
    type=click.Choice(["development", "calibration", "release", "monitoring"]),
    default="development",
    help="What the new cases may be used for [default: development].",
)
@click.option("--random-only", is_flag=True, help="Only what the random sample drew.")
@options.config
@options.store
@options.as_json
def command(split: str, *, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Add reviewed answers to a golden set.

    A good answer becomes the expected one, a bad one makes a case where a reviewer wrote what is
    right or marked its sources. Questions that the set has already, or nearly, are left out;
    nothing that is there is changed. How the mix changes is shown: look at it before you use it.
    """
    from ragproof.core import Split
    from ragproof.wiring.review_promoting import PromoteRequest, promote

    done = promote(PromoteRequest(split=Split(split), **said), os.environ)
    if as_json:
        click.echo(json.dumps(_document(done, said["out"]), indent=2))
    else:
        _show(done, said["out"])
        if done.promoted.new:
            _show_next(said["out"])


def _document(done: Done, out: Path) -> dict[str, Any]:
    from dataclasses import asdict

    found = done.promoted
    return {
        "path": str(out),
        "cases": len(found.cases),
        "new": list(found.new),
        "left_out": dict(found.left_out),
        "strata": dict(found.strata),
        "not_random": found.unweighted,
        "sources_not_shown": found.unseen,
        "mix": [asdict(one) for one in done.mix],
        "agreement": {
            "answers": done.agreed.answers,
            "alpha": done.agreed.alpha,
            "low": done.agreed.is_low,
        },
        "hash": done.hash,
    }


def _show(done: Done, out: Path) -> None:
    from rich.console import Console

    from ragproof.reports.page import Page
    from ragproof.reports.review_terminal import print_table
    from ragproof.reports.review_words import share
    from ragproof.reports.wording import one_line

    page, found = Page(Console()), done.promoted
    new, cases = counted(len(found.new), "new case"), counted(len(found.cases), "case")
    page.line(f"{out}: {cases}, {new}")
    for reason, number in sorted(found.left_out.items(), key=lambda one: (-one[1], one[0])):
        page.line(f"{number:,} left out: {reason}", indent=2)
    if found.unweighted:
        page.line(
            f"{found.unweighted:,} of them were not drawn at random: the set now leans to what "
            "users complained of, or what was looked for. `metadata.sampling.weight` says for how "
            "many answers each stands; --random-only leaves them out.",
            "yellow",
        )
    if found.unseen:
        page.line(
            f"{counted(found.unseen, 'source')} named by reviewers and shown by no passage; check "
            f"them: ragproof dataset validate {out} --corpus DOCS",
            "yellow",
        )
    if (low := done.agreed.told_low) is not None:
        page.line(f"Look at the new cases before you use them: {low}", "yellow")
    if done.mix:
        page.heading("Mix by tag")
        rows = [
            [
                f"  {one_line(f'{one.tag}={one.value}', 40)}",
                *map(share, (one.before, one.after, one.traffic)),
            ]
            for one in done.mix
        ]
        print_table(page, ("  slice", "before", "after", "traffic"), rows)


def _show_next(out: Path) -> None:
    import shlex

    from rich.console import Console

    from ragproof.reports.page import Page

    page, name = Page(Console()), shlex.quote(str(out))
    page.line()
    page.line(f"Next: ragproof dataset validate {name}", "dim")
    page.line(f"      ragproof run --dataset {name}", "dim")
