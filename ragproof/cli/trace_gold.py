"""ragproof trace-gold"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import options

if TYPE_CHECKING:
    from ragproof.wiring.tracing import Traced


@click.command("trace-gold")
@click.argument("run", required=False, default="latest")
@options.config
@options.store
@click.option("--case", metavar="ID", help="Show one case, its sources stage by stage.")
@click.option(
    "--failing",
    multiple=True,
    metavar="METRIC",
    help="Only cases that fall short by this metric: of the gate's bound, else of the best value. "
    "Several: by any of them.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="Folder or JSONL of the documents [default: the config's].",
)
@click.option(
    "--span-share",
    "least",
    type=options.FiniteRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    metavar="X",
    help="Share of an expected span's characters that must be at a stage.",
)
@click.option("--html", type=click.Path(path_type=Path), help="Write one self-contained page.")
@options.as_json
def command(
    run: str,
    config: Path | None,
    store: str | None,
    case: str | None,
    failing: tuple[str, ...],
    corpus: Path | None,
    least: float,
    html: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show for each case of a RUN the first stage that lost its gold evidence.

    The stages are corpus, chunking, filter, retrieval, reranking, context and answer. What the
    pipeline's trace does not tell is not observed, and is never blamed.
    """
    from ragproof.cli.evaluation import whereabouts
    from ragproof.reports.gold_trace_html import gold_trace_html
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.tracing import trace_run

    options.refuse_two_on_stdout({"html": html}, as_json=as_json)
    with open_for_reading(config, store, os.environ) as looking:
        found = trace_run(looking, run, corpus=corpus, least=least, failing=failing, case=case)
    if html is not None:
        options.put(html, gold_trace_html(found.header, found.trace))
    if as_json or html is None:
        place = whereabouts(config, store)
        _print(found, place, one_case=case is not None, as_json=as_json)
    if html not in (None, options.STDOUT):
        click.echo(f"wrote {html}", err=True)


def _print(found: Traced, place: str, *, one_case: bool, as_json: bool) -> None:
    from rich.console import Console

    from ragproof.reports.gold_trace_json import gold_trace_json
    from ragproof.reports.gold_trace_terminal import print_gold_case, print_gold_trace

    if as_json:
        for piece in gold_trace_json(found.header, found.trace, in_full=one_case):
            click.echo(piece, nl=False)
    elif one_case:
        print_gold_case(Console(), found.header, found.trace)
    else:
        print_gold_trace(Console(), found.header, found.trace, place)
