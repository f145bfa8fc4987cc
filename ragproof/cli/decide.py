"""ragproof decide"""

from __future__ import annotations

import os
from pathlib import Path

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS


@click.command()
@click.argument("rule", required=False)
@options.config
@options.store
@click.option("--baseline", required=True, metavar="RUN", help="The run without the change.")
@click.option(
    "--candidate", default="latest", metavar="RUN", help="The run with it [default: latest]."
)
@options.common_cases
@options.allow_mixed_judges
@options.markdown
@options.as_json
def command(
    rule: str | None,
    config: Path | None,
    store: str | None,
    baseline: str,
    candidate: str,
    markdown: Path | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
    as_json: bool,
) -> int:
    """Hold two runs to the RULE of that name in `decisions`, or to all; exits 0 to adopt.

    Exits 1 where any rule rejects the candidate or is inconclusive: neither is adoption.
    """
    from rich.console import Console

    from ragproof.reports.adoption_json import decisions_json
    from ragproof.reports.adoption_markdown import decisions_markdown
    from ragproof.reports.adoption_terminal import print_decisions
    from ragproof.wiring.baselines import Tolerated
    from ragproof.wiring.deciding import Question, decisions
    from ragproof.wiring.looking import open_for_reading

    options.refuse_two_on_stdout({"markdown": markdown}, as_json=as_json)
    tolerated = Tolerated(allow_mixed_judges, common_cases)
    asked = Question(rule=rule, baseline=baseline, candidate=candidate, tolerated=tolerated)
    with open_for_reading(config, store, os.environ) as looking:
        found = decisions(looking, asked)
    if markdown is not None:
        options.put(markdown, decisions_markdown(found))
    if as_json:
        click.echo(decisions_json(found))
    elif markdown != options.STDOUT:
        print_decisions(Console(), found)
    return SUCCESS if found.adopted else NOT_MET
