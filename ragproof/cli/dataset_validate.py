"""ragproof dataset validate"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS


@click.command()
@shared.dataset
@click.option(
    "--corpus", type=shared.FILE, help="Folder or JSONL of documents that the labels name."
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note", "never"]),
    default="error",
    help="Exit with 1 from this severity on [default: error].",
)
@click.option(
    "--near",
    type=options.FiniteRange(0.5, 1),
    default=0.8,
    metavar="X",
    help="What near-duplicates share at least [default: 0.8].",
)
@click.option("--no-near", is_flag=True, help="Do not look for near-duplicates.")
@click.option(
    "--closed-book", metavar="RUN", help="A run that answered without retrieval: easy cases."
)
@click.option("--easy-metric", metavar="ID", help="What says that a case was answered.")
@click.option(
    "--easy-at", type=options.FiniteRange(0, 1), default=0.8, metavar="X", help="[default: 0.8]"
)
@options.config
@options.store
@options.as_json
def command(
    fail_on: str,
    near: float,
    closed_book: str | None,
    easy_metric: str | None,
    *,
    no_near: bool,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Look DATASET through for what spoils figures though every line can be read.

    Conflicting gold, duplicates and near-duplicates, what leaks between splits, answers that stand
    in the question, labels that the corpus does not have. A line that cannot be read is exit 3.
    """
    from ragproof.datasets.findings import Severity
    from ragproof.wiring.dataset_validate import ValidateRequest, validated

    least = None if no_near else near
    request = ValidateRequest(run=closed_book, metric=easy_metric, least=least, **said)
    found = validated(request, os.environ)
    passed = fail_on == "never" or not found.worst(Severity(fail_on))
    if as_json:
        from ragproof.reports.dataset_validation import validation_json

        told = None if found.annotators is None else dataclasses.asdict(found.annotators)
        about = (found.dataset, found.findings, found.unchecked, told, fail_on)
        click.echo(validation_json(*about, passed=passed))
    else:
        from rich.console import Console

        from ragproof.reports.dataset_validation import print_validation

        print_validation(Console(), found.dataset, found.findings, found.unchecked)
    return SUCCESS if passed else NOT_MET
