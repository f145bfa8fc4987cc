"""ragproof rankings"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import options
from ragproof.cli.main import tell

if TYPE_CHECKING:
    from ragproof.analysis.comparison import Compared
    from ragproof.rankings.lists import FusedRun
    from ragproof.wiring.ranking import Ranked, RankingRequest


FORMATS = click.Choice(["trec", "csv", "tsv", "jsonl", "parquet"])
FILE = click.Path(path_type=Path)
SHARE = options.FiniteRange(min=0, max=1)


def _refuse_other_names(
    _context: click.Context, _option: click.Parameter, path: Path | None
) -> Path | None:
    """Refuse a file whose name does not say how to write it, before anything is read."""
    if path is not None:
        from ragproof.reports.rankings_files import refuse_form

        refuse_form(path)
    return path


def _refuse_no_trec(
    _context: click.Context, _option: click.Parameter, path: Path | None
) -> Path | None:
    """Refuse a file that would be read as something else than it is written as."""
    if path is not None:
        from ragproof.rankings.formats import refuse_name

        refuse_name(path)
    return path


def _weights(_: click.Context, __: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    """Read a list of numbers, `2,1`."""
    if text is None:
        return None
    try:
        return tuple(float(one) for one in text.split(","))
    except ValueError:
        raise click.BadParameter(f"got {text!r}; allowed: a number for each run, as 2,1") from None


FUSING = (
    click.option(
        "--fuse",
        multiple=True,
        type=FILE,
        metavar="FILE",
        help="Fuse --run with this run and score what comes of it; may be repeated.",
    ),
    click.option(
        "--fused",
        "into",
        type=options.OutFile(),
        callback=_refuse_no_trec,
        metavar="FILE",
        help="Write the fused run, in TREC's format.",
    ),
    click.option(
        "--fusion",
        "way",
        type=click.Choice(["rrf", "convex"]),
        help="By places, or by the scores of two runs [default: rrf].",
    ),
    click.option(
        "--rrf-k",
        "k",
        type=options.FiniteRange(min=0, min_open=True),
        metavar="K",
        help="rrf: a place counts 1 / (K + place) [default: 60].",
    ),
    click.option(
        "--weights", callback=_weights, metavar="W,...", help="rrf: of each run [default: 1 each]."
    ),
    click.option(
        "--alpha", type=SHARE, metavar="X", help="convex: weight of --run [default: 0.5]."
    ),
    click.option(
        "--normalise",
        type=click.Choice(["min-max", "z-score"]),
        help="convex: how scores come to one scale [default: min-max].",
    ),
)
"""Options of fusing runs."""
HOW_TO_FUSE = ("way", "k", "weights", "alpha", "normalise", "into")
HOW_TO_SCORE: Mapping[str, str] = {
    "names": "--metric",
    "against": "--against",
    "per_query": "--per-query",
    "level": "--relevance-level",
    "gain": "--gain",
    "qrels_form": "--qrels-format",
    "float32": "--float32-scores",
}
"""What has no effect unless there are judgments to score by."""


fusing = options.together(FUSING)


@click.command()
@click.option(
    "--qrels", type=FILE, metavar="FILE", help="Relevance judgments; needed to score anything."
)
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
    "level",
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
    "--float32-scores",
    "float32",
    is_flag=True,
    help="Round scores as trec_eval 9 does, ties included.",
)
@fusing
@options.as_json
def command(
    *,
    qrels: Path | None,
    per_query: Path | None,
    fuse: tuple[Path, ...],
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> None:
    """Score whole files of ranked lists as trec_eval does: TREC, CSV, TSV, JSONL, Parquet, gzip.

    A query that the run lacks scores 0 and is counted. With --fuse several runs become one, which
    is scored, written with --fused, or both.
    """
    how = {name: said[name] for name in HOW_TO_FUSE if said[name] is not None}
    if how and not fuse:
        raise click.UsageError("Nothing is fused without '--fuse', another run.")
    if qrels is None:
        _refuse_scoring(alone="into" not in how)
    options.refuse_inputs((qrels, said["run"], said["against"], *fuse), (said["into"], per_query))
    request = None if qrels is None else _request(qrels, said)
    fused: FusedRun | None = None
    found: Ranked | None = None
    if fuse:
        from ragproof.wiring.ranking_fusion import FusionRequest, fuse_and_rank

        runs = (said["run"], *fuse)
        fused, found = fuse_and_rank(FusionRequest(runs=runs, form=said["form"], **how), request)
    elif request is not None:
        from ragproof.wiring.ranking import rank

        found = rank(request)
    if found is not None and per_query is not None:
        from ragproof.reports.rankings_files import write_queries

        write_queries(per_query, found.run, found.against)
    _print(found, fused, as_json=as_json)


def _refuse_scoring(*, alone: bool) -> None:
    """Refuse to score, or to be asked how to, where there are no judgments."""
    if alone:
        raise click.UsageError("Missing option '--qrels'.")
    source = click.get_current_context().get_parameter_source
    for name, option in HOW_TO_SCORE.items():
        if source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"'{option}' has no effect without '--qrels'.")


def _request(qrels: Path, said: dict[str, Any]) -> RankingRequest:
    from ragproof.wiring.ranking import RankingRequest

    return RankingRequest(
        qrels=qrels,
        run=said["run"],
        against=said["against"],
        names=said["names"],
        level=said["level"],
        exponential=said["gain"] == "exponential",
        float32=said["float32"],
        form=said["form"],
        qrels_form=said["qrels_form"],
    )


def _print(found: Ranked | None, fused: FusedRun | None, *, as_json: bool) -> None:
    if found is None:
        assert fused is not None
        _print_fused(fused, as_json=as_json)
        return
    for warning in found.warnings:
        tell(f"warning: {warning}")
    changes: tuple[Compared, ...] = ()
    if found.against is not None:
        from ragproof.wiring.ranking_change import compared

        changes = compared(found.measures, found.against, found.run)
    if as_json:
        from ragproof.reports.rankings_json import rankings_json

        click.echo(
            rankings_json(
                found.run,
                without_relevant=found.without_relevant,
                warnings=found.warnings,
                against=found.against,
                changes=changes,
                fused=fused,
            )
        )
        return
    from rich.console import Console

    from ragproof.reports.rankings_terminal import print_compared_rankings, print_rankings

    if fused is not None:
        _print_fused(fused, as_json=False)
    console, asked = Console(), found.request
    if found.against is None or asked.against is None:
        print_rankings(console, found.run, asked.run, found.without_relevant)
    else:
        runs = {"against": (asked.against, found.against), "run": (asked.run, found.run)}
        print_compared_rankings(console, runs, found.without_relevant, changes)


def _print_fused(fused: FusedRun, *, as_json: bool) -> None:
    if as_json:
        from ragproof.reports.rankings_json import fused_json

        click.echo(fused_json(fused))
        return
    from rich.console import Console

    from ragproof.reports.rankings_terminal import print_fused

    print_fused(Console(), fused)
