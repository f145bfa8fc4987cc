"""ragproof gate"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS, WRONG_INPUT, say

if TYPE_CHECKING:
    from ragproof.analysis.gate import Gate


@click.command()
@options.config
@options.store
@click.option("--run", default="latest", metavar="RUN", help="Which run [default: latest].")
@click.option(
    "--baseline", metavar="RUN", help="Run or file to compare with; wins over the config."
)
@options.common_cases
@options.allow_mixed_judges
@click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML; `-` prints it.")
@options.markdown
@options.as_json
def command(
    run: str,
    baseline: str | None,
    config: Path | None,
    store: str | None,
    junit: Path | None,
    markdown: Path | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
    as_json: bool,
) -> int:
    """Hold a run to the thresholds of the config; exits 1 where it does not pass."""
    from rich.console import Console

    from ragproof.reports.decision_json import gate_json
    from ragproof.reports.decision_terminal import print_gate
    from ragproof.wiring.baselines import Tolerated
    from ragproof.wiring.gating import Asked, gate
    from ragproof.wiring.looking import open_for_reading

    options.refuse_two_on_stdout({"junit": junit, "markdown": markdown}, as_json=as_json)
    asked = Asked(run, baseline, Tolerated(allow_mixed_judges, common_cases))
    with open_for_reading(config, store, os.environ) as looking:
        found = gate(looking, asked, datetime.now(UTC).date())
    _write(found, junit, markdown)
    if as_json and not found.errors:
        click.echo(gate_json(found))
    elif not as_json and options.STDOUT not in (junit, markdown):
        print_gate(Console(), found)
    if found.errors:
        said = dict.fromkeys(f"{one.asked.metric}: {one.detail}" for one in found.errors)
        return say("\n".join(said), WRONG_INPUT)
    return SUCCESS if found.passed else NOT_MET


def _write(found: Gate, junit: Path | None, markdown: Path | None) -> None:
    if junit is not None:
        from ragproof.reports.junit import gate_junit

        options.put(junit, gate_junit(found))
    if markdown is not None:
        from ragproof.reports.decision_markdown import gate_markdown

        options.put(markdown, gate_markdown(found))
