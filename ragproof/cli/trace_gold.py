"""ragproof trace-gold"""

from __future__ import annotations

import os
from pathlib import Path

import click

from ragproof.cli import options


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
    from rich.console import Console

    from ragproof.cli.evaluation import whereabouts
    from ragproof.reports.gold_trace_html import gold_trace_html
    from ragproof.reports.gold_trace_json import gold_trace_json
    from ragproof.reports.gold_trace_terminal import print_gold_case, print_gold_trace
    from ragproof.text.files import write_whole
    from ragproof.wiring.looking import open_for_reading
    from ragproof.wiring.tracing import trace_run

    with open_for_reading(config, store, os.environ) as looking:
        found = trace_run(looking, run, corpus=corpus, least=least, failing=failing, case=case)
    if html is not None:
        write_whole(html, gold_trace_html(found.header, found.trace))
    if as_json:
        click.echo(gold_trace_json(found.header, found.trace, in_full=case is not None))
    elif case is not None:
        print_gold_case(Console(), found.header, found.trace)
    else:
        print_gold_trace(Console(), found.header, found.trace, whereabouts(config, store))
    if html is not None:
        click.echo(f"wrote {html}", err=True)
