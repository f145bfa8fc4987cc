"""ragproof rankings"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import options
from ragproof.cli.main import tell

if TYPE_CHECKING:
    from ragproof.analysis.comparison import Compared
    from ragproof.wiring.ranking import Ranked

FORMATS = click.Choice(["trec", "csv", "tsv", "jsonl", "parquet"])
FILE = click.Path(path_type=Path)


def _refuse_other_names(
    _context: click.Context, _option: click.Parameter, path: Path | None
) -> Path | None:
    """Refuse a file whose name does not say how to write it, before anything is read."""
    if path is not None:
        from ragproof.reports.rankings_files import refuse_form

        refuse_form(path)
    return path


@click.command()
@click.option("--qrels", type=FILE, required=True, metavar="FILE", help="Relevance judgments.")
@click.option("--run", type=FILE, required=True, metavar="FILE", help="Ranked lists to score.")
@click.option(
    "--metric",
    "names",
    multiple=True,
    metavar="NAME",
    help="nDCG@10, P@5, R@100, RR, AP, Rprec, bpref, RBP(p=0.8), or a name of trec_eval "
    "(ndcg_cut_10, map, P.5,10); may be repeated [default: a choice of these].",
)
@click.option(
    "--relevance-level",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="The least grade that is relevant [default: 1]; nDCG looks at the grades themselves.",
)
@click.option(
    "--gain",
    type=click.Choice(["linear", "exponential"]),
    default="linear",
    help="What a grade gains in nDCG: itself, or 2^grade - 1 [default: linear].",
)
@click.option(
    "--against", type=FILE, metavar="FILE", help="Another run of the same queries, the baseline."
)
@click.option(
    "--per-query",
    type=FILE,
    callback=_refuse_other_names,
    metavar="FILE",
    help="Write each query's values, .csv or .jsonl.",
)
@click.option(
    "--format", "form", type=FORMATS, help="Of all files [default: by name and first bytes]."
)
@click.option("--qrels-format", "qrels_form", type=FORMATS, help="Of the qrels, where it differs.")
@click.option(
    "--float32-scores", is_flag=True, help="Round scores as trec_eval 9 does, ties included."
)
@options.as_json
def command(
    qrels: Path,
    run: Path,
    against: Path | None,
    names: tuple[str, ...],
    relevance_level: int,
    gain: str,
    per_query: Path | None,
    form: str | None,
    qrels_form: str | None,
    *,
    float32_scores: bool,
    as_json: bool,
) -> None:
    """Score whole files of ranked lists as trec_eval does: TREC, CSV, TSV, JSONL, Parquet, gzip.

    A query that the run lacks scores 0 and is counted.
    """
    from ragproof.wiring.ranking import RankingRequest, rank

    request = RankingRequest(
        qrels=qrels,
        run=run,
        against=against,
        names=names,
        level=relevance_level,
        exponential=gain == "exponential",
        float32=float32_scores,
        form=form,
        qrels_form=qrels_form,
    )
    found = rank(request)
    for warning in found.warnings:
        tell(f"warning: {warning}")
    if per_query is not None:
        from ragproof.reports.rankings_files import write_queries

        write_queries(per_query, found.run, found.against)
    _print(found, as_json=as_json)


def _print(found: Ranked, *, as_json: bool) -> None:
    from ragproof.reports.rankings_json import rankings_json

    changes: tuple[Compared, ...] = ()
    if found.against is not None:
        from ragproof.wiring.ranking_change import compared

        changes = compared(found.measures, found.against, found.run)
    if as_json:
        click.echo(
            rankings_json(
                found.run,
                without_relevant=found.without_relevant,
                warnings=found.warnings,
                against=found.against,
                changes=changes,
            )
        )
        return
    from rich.console import Console

    from ragproof.reports.rankings_terminal import print_compared_rankings, print_rankings

    console, asked = Console(), found.request
    if found.against is None or asked.against is None:
        print_rankings(console, found.run, asked.run, found.without_relevant)
    else:
        runs = {"against": (asked.against, found.against), "run": (asked.run, found.run)}
        print_compared_rankings(console, runs, found.without_relevant, changes)
