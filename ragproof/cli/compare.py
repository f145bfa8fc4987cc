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
@click.option(
    "--metrics",
    callback=options.names,
    metavar="ID,...",
    help="Test these together; the others are exploratory. Globs allowed.",
)
@options.markdown
@options.as_json
def command(
    baseline: str,
    candidate: str,
    config: Path | None,
    store: str | None,
    metrics: tuple[str, ...] | None,
    markdown: Path | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
    as_json: bool,
) -> None:
    """Compare run B with run A, case by case: ids or their beginnings, labels, latest, latest~1.

    Refuses runs that were not measured alike, naming the difference. P-values are adjusted over
    --metrics, else the primary and guardrail metrics of the config, else the headline metrics.
    """
    from rich.console import Console

    from ragproof.reports.decision_json import comparison_json
    from ragproof.reports.decision_markdown import comparison_markdown
    from ragproof.reports.decision_terminal import print_comparison
    from ragproof.wiring.baselines import Tolerated
    from ragproof.wiring.comparing import compare_runs
    from ragproof.wiring.looking import open_for_reading

    options.refuse_two_on_stdout({"markdown": markdown}, as_json=as_json)
    tolerated = Tolerated(allow_mixed_judges, common_cases)
    with open_for_reading(config, store, os.environ) as looking:
        found = compare_runs(looking, baseline, candidate, tolerated, metrics)
    if markdown is not None:
        options.put(markdown, comparison_markdown(found))
    if as_json:
        click.echo(comparison_json(found))
    elif markdown != options.STDOUT:
        print_comparison(Console(), found)
