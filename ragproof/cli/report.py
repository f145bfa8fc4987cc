"""ragproof report"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragproof.reports.sarif import Where
    from ragproof.wiring.looking import Looking
    from ragproof.wiring.reporting import Reported

FILE = click.Path(path_type=Path, readable=False)
"""What is written needs not be readable."""


@click.command()
@click.argument("run", required=False, default="latest")
@options.config
@options.store
@click.option("--html", type=FILE, help="Write one self-contained page.")
@click.option(
    "--markdown",
    type=FILE,
    help="Write a short one for a comment on a pull request.",
)
@click.option("--junit", type=FILE, help="Write JUnit XML, a suite a metric.")
@click.option(
    "--sarif",
    type=FILE,
    help="Write the cases to look at as SARIF, each at its line of the dataset.",
)
@click.option(
    "--baseline", metavar="RUN", help="Compare with this run or file, and gate against it."
)
@options.common_cases
@options.allow_mixed_judges
@options.as_json
def command(
    run: str,
    config: Path | None,
    store: str | None,
    html: Path | None,
    markdown: Path | None,
    junit: Path | None,
    sarif: Path | None,
    baseline: str | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
    as_json: bool,
) -> None:
    """Show a RUN: an id or its beginning, a label, latest or latest~1 [default: latest].

    Where the config has gate thresholds their verdict is shown, too; it does not change the exit
    code (`ragproof gate` does that). A FILE may be `-` for stdout.
    """
    from ragproof.analysis.findings import LISTED
    from ragproof.cli.evaluation import whereabouts
    from ragproof.wiring.baselines import Tolerated
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.perform import WORST
    from ragproof.wiring.reporting import Report, reported

    files = {"html": html, "markdown": markdown, "junit": junit, "sarif": sarif}
    wanted = {form: file for form, file in files.items() if file is not None}
    options.refuse_two_on_stdout(wanted, as_json=as_json)
    up_close = LISTED if html or markdown else WORST
    asked = Report(run, baseline, Tolerated(allow_mixed_judges, common_cases), up_close)
    with open_for_reading(config, store, os.environ) as looking:
        found = reported(looking, asked, datetime.now(UTC).date())
        _write(found, wanted, looking)
    _print(found, whereabouts(config, store), as_json=as_json, quiet=bool(wanted))


def _write(found: Reported, wanted: Mapping[str, Path], looking: Looking) -> None:
    """Write each file, and say so in a line."""
    for form, file in wanted.items():
        options.put_told(file, _text(form, found, looking))


def _text(form: str, found: Reported, looking: Looking) -> str:
    run, beside = found.findings, found.beside
    match form:
        case "html":
            from ragproof.reports.html import run_html

            return run_html(run, beside)
        case "markdown":
            from ragproof.reports.comment import comment_markdown

            return comment_markdown(run, beside)
        case "junit":
            from ragproof.reports.junit import run_junit

            return run_junit(run, beside)
        case _:
            from ragproof.reports.sarif import run_sarif
            from ragproof.wiring.reporting import rule_texts, where_cases_are

            where: Where = where_cases_are(run, looking.config.folder)
            return run_sarif(run, where, beside, rule_texts(run))


def _print(found: Reported, at: str, *, as_json: bool, quiet: bool) -> None:
    from rich.console import Console

    from ragproof.cli.evaluation import next_steps_after
    from ragproof.reports.json import summary_json
    from ragproof.reports.terminal import print_run

    if as_json:
        click.echo(summary_json(found.findings, found.beside))
    elif not quiet:
        run = found.findings
        print_run(Console(), run, next_steps_after(run, at), found.beside)
