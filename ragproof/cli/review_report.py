"""ragproof review report"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli import review_options as review

if TYPE_CHECKING:
    from ragproof.wiring.review_reporting import ReportRequest, ReviewReport


@click.command()
@review.files
@review.keys
@click.option("--run", metavar="RUN", help="Where the signals are [default: the run drawn from].")
@click.option(
    "--signals",
    callback=options.names,
    metavar="ID,...",
    help="Only these; globs allowed [default: monitoring.*, judged metrics, trace.confidence].",
)
@shared.names("--by", metavar="TAG,...", help="Rates by these tags [default: all that part].")
@click.option(
    "--matters",
    type=options.FiniteRange(0, 0.5, min_open=True),
    default=0.1,
    metavar="SHARE",
    help="A smaller association than this would change nothing [default: 0.1].",
)
@click.option(
    "--out", type=options.OutFile(), metavar="FILE", help="Write what became of the signals (JSON)."
)
@options.config
@options.store
@options.as_json
def command(out: Path | None, *, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Say from filled queues how often answers are bad, and which signals tell of it.

    Rates are those of the whole traffic: each answer is weighed by its chance to be drawn. A
    signal has a direction only once it is validated: it goes with the blind verdicts, beyond
    chance, all signals taken together.
    """
    from datetime import UTC, datetime

    from ragproof.reports.review_json import signals_json
    from ragproof.wiring.review_reporting import ReportRequest, reported

    request = ReportRequest(**said)
    if out is not None:
        _checked(out, request)
    found = reported(request, os.environ)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    reviewed = found.figures.reviewed
    signals = signals_json(
        *(found.key.head, reviewed, found.signals, found.versions, found.matters, when),
        found.reviewers,
    )
    if out is not None:
        _write(out, signals, found.unlooked)
    if as_json:
        click.echo(_document(found, signals))
    else:
        _show(found)
        _show_next(out, request)


def _checked(out: Path, request: ReportRequest) -> None:
    from ragproof.wiring.reviewed_signals import refuse_other

    options.refuse_inputs([*request.files, *request.keys], [out])
    refuse_other(out)


def _write(out: Path, signals: dict[str, Any], unlooked: str | None) -> None:
    import json

    from ragproof.core import UsageError
    from ragproof.text.files import write_whole

    if unlooked is not None:
        raise UsageError(f"--out: no signal could be looked at: {unlooked}")
    write_whole(out, json.dumps(signals, indent=2, allow_nan=False) + "\n")


def _document(found: ReviewReport, signals: dict[str, Any]) -> str:
    from ragproof.reports.review_json import review_json

    told = {one: signals[one] for one in ("signals", "rule")} | {"not_looked": found.unlooked}
    return review_json(
        found.key.head,
        found.figures,
        found.slices,
        found.reviewers,
        found.conflicts,
        told,
        found.powered,
    )


def _show(found: ReviewReport) -> None:
    from rich.console import Console

    from ragproof.reports import review_terminal as terminal
    from ragproof.reports.page import Page

    page = Page(Console())
    terminal.print_rates(page, found.key.head, found.figures)
    terminal.print_parts(page, found.figures, found.slices)
    terminal.print_agreement(page, found.reviewers, found.conflicts)
    terminal.print_signals(page, found.signals, found.unlooked, found.matters)
    terminal.print_powered(page, found.powered)


def _show_next(out: Path | None, request: ReportRequest) -> None:
    from rich.console import Console

    from ragproof.reports.page import Page

    page = Page(Console())
    page.line()
    if out is not None:
        page.line(f"signals: wrote {out}; `monitor: {{signals: {out}}}` in ragproof.yaml reads it")
    keys = [word for key in request.keys for word in ("--key", str(key))]
    words = shlex.join(["ragproof", "review", "promote", *map(str, request.files), *keys])
    page.line(f"Next: {words} --into GOLDEN.jsonl --out GOLDEN.new.jsonl", "dim")
