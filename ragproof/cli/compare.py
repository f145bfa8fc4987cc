"""ragproof compare"""

from __future__ import annotations

import os
from pathlib import Path

import click

from ragproof.cli import options


@click.command()
@click.argument("baseline", metavar="A")
@click.argument("candidate", metavar="B")
@options.config
@options.store
@options.common_cases
@options.allow_mixed_judges
@options.markdown
@options.as_json
def command(
    baseline: str,
    candidate: str,
    config: Path | None,
    store: str | None,
    markdown: Path | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
    as_json: bool,
) -> None:
    """Compare run B with run A, case by case: ids or their beginnings, labels, latest, latest~1.

    Refuses runs that were not measured alike, naming the difference.
    """
    from rich.console import Console

    from ragproof.reports.decision_json import comparison_json
    from ragproof.reports.decision_markdown import comparison_markdown
    from ragproof.reports.decision_terminal import print_comparison
    from ragproof.text.files import write_whole
    from ragproof.wiring.baselines import Tolerated
    from ragproof.wiring.comparing import compare_runs
    from ragproof.wiring.looking import open_for_reading

    tolerated = Tolerated(allow_mixed_judges, common_cases)
    with open_for_reading(config, store, os.environ) as looking:
        found = compare_runs(looking, baseline, candidate, tolerated)
    if markdown is not None:
        write_whole(markdown, comparison_markdown(found))
    if as_json:
        click.echo(comparison_json(found))
    else:
        print_comparison(Console(), found)
