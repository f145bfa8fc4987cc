"""ragproof index"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS, Named, Process, tell
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.index.freshness import Arrival
    from ragproof.index.tune import Tuned


FILE = click.Path(path_type=Path)
POSITIVE = click.IntRange(min=1)
SHARE = options.FiniteRange(min=0, max=1)
SECONDS = options.FiniteRange(min=0, min_open=True)


@click.group(cls=Named)
def command() -> None:
    """Hold a vector index to exact search, tune one, see how late it learns."""


INPUTS = ("config", "dataset", "vectors", "ids", "queries", "filter", "retrieved")
"""Options that name a file which is read."""
SEARCHED = (
    options.config,
    click.option("--dataset", type=FILE, metavar="FILE", help="Questions to embed."),
    click.option(
        "--vectors",
        type=FILE,
        metavar="FILE",
        help="What is searched: .npy, .parquet, .jsonl [default: the corpus, embedded].",
    ),
    click.option(
        "--ids", type=FILE, metavar="FILE", help="Ids of the vectors: one a line, or .npy."
    ),
    click.option(
        "--queries",
        type=FILE,
        metavar="FILE",
        help="Vectors of queries [default: the dataset's questions, embedded].",
    ),
    click.option(
        "--k", "-k", type=POSITIVE, default=10, metavar="K", help="Nearest [default: 10]."
    ),
    click.option(
        "--metric",
        "distance",
        type=click.Choice(["cosine", "ip", "l2"]),
        default="cosine",
        help="How near two vectors are [default: cosine].",
    ),
    click.option(
        "--min-recall",
        "least",
        type=SHARE,
        default=0.95,
        metavar="X",
        help="What the mean must reach [default: 0.95].",
    ),
    click.option("--limit", type=POSITIVE, metavar="N", help="Only the first N queries."),
    click.option("--filter", type=FILE, metavar="FILE", help="What each query is allowed (JSONL)."),
    click.option("--filter-column", metavar="NAME", help="Allowed is what has the same value."),
)
"""Options that say what is searched by which queries."""


searched = options.together(SEARCHED)


@command.command()
@searched
@click.option(
    "--retrieved",
    type=FILE,
    metavar="FILE",
    help="What the index found: .npy or .jsonl of ids [default: the adapter's search].",
)
@click.option(
    "--per-query", type=FILE, metavar="FILE", help="Write each query's recall, .csv or .jsonl."
)
@options.as_json
@click.pass_obj
def recall(
    process: Process | None,
    /,
    *,
    per_query: Path | None,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Hold an index to exact search: which of the true nearest does it find?

    Exits with 1 where the mean is below --min-recall, or too many searches failed to tell.
    """
    from ragproof.index.exact import Distance
    from ragproof.index.verdict import Verdict
    from ragproof.reports.index_files import refuse_form, write_queries
    from ragproof.wiring.indexing import RecallRequest, measure_recall

    if per_query is not None:
        refuse_form(per_query)
    options.refuse_inputs((said[one] for one in INPUTS if one in said), [per_query])
    request = RecallRequest(**{**said, "distance": Distance(said["distance"])})
    with options.results(own_process=process is not None and process.own) as out:
        found = measure_recall(request, os.environ)
        if per_query is not None:
            write_queries(per_query, found)
        if as_json:
            from ragproof.reports.index_json import recall_json

            click.echo(recall_json(found), file=out)
        else:
            from rich.console import Console

            from ragproof.reports.index_terminal import print_recall

            print_recall(Console(file=out), found)
    return SUCCESS if found.verdict is Verdict.PASS else NOT_MET


def numbers(_: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Read a list of whole numbers, `16,32`."""
    parts = [one.strip() for one in (text or "").split(",")] if text else []
    if not all(one.isdecimal() and int(one) > 0 for one in parts):
        raise click.BadParameter(f"got {text!r}; allowed: whole numbers from 1, as 16,32")
    found = tuple(dict.fromkeys(int(one) for one in parts))
    if option.name == "m" and 1 in found:
        raise click.BadParameter("got 1; allowed: whole numbers from 2")
    return found


@command.command()
@searched
@click.option(
    "--library",
    "libraries",
    multiple=True,
    type=click.Choice(["usearch", "faiss"]),
    help="May be repeated [default: those installed].",
)
@click.option(
    "--index",
    "kinds",
    multiple=True,
    type=click.Choice(["hnsw", "ivf"]),
    help="May be repeated [default: both].",
)
@click.option("--m", callback=numbers, default="16,32", help="HNSW's M [default: 16,32].")
@click.option("--ef-construction", callback=numbers, default="100,200", help="[default: 100,200].")
@click.option(
    "--max-ef", type=POSITIVE, default=1024, metavar="N", help="Last efSearch [default: 1024]."
)
@click.option("--nlist", callback=numbers, help="IVF's cells [default: 4, 8, 16 times root of N].")
@click.option("--passes", type=POSITIVE, default=3, metavar="N", help="Timed passes [default: 3].")
@click.option("--svg", type=FILE, metavar="FILE", help="Draw recall against speed.")
@options.as_json
@click.pass_obj
def tune(
    process: Process | None,
    /,
    *,
    svg: Path | None,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Sweep HNSW and IVF on your vectors: recall against exact search, and speed.

    efSearch and nprobe are raised until recall stops improving. One thread, fixed seeds. Exits
    with 1 where nothing reaches --min-recall.
    """
    from ragproof.index.advice import Ground
    from ragproof.wiring.index_tuning import tuned

    options.refuse_inputs((said[one] for one in INPUTS if one in said), [svg])
    request = _tune_request(said)
    with options.results(own_process=process is not None and process.own) as out:
        study = tuned(request, os.environ, _tell_of_index)
        if svg is not None:
            from ragproof.reports.index_files import write_frontier

            write_frontier(svg, study)
        if as_json:
            from ragproof.reports.index_json import tune_json

            click.echo(tune_json(study), file=out)
        else:
            from rich.console import Console

            from ragproof.reports.index_terminal import print_study

            print_study(Console(file=out), study)
    return NOT_MET if study.advice.ground is Ground.HIGHEST else SUCCESS


def _tune_request(said: dict[str, Any]) -> Any:  # noqa: ANN401
    from ragproof.index.exact import Distance
    from ragproof.index.settings import Grid, Kind
    from ragproof.wiring.index_tuning import TuneRequest

    grid = Grid(
        libraries=said.pop("libraries"),
        kinds=tuple(map(Kind, said.pop("kinds"))) or (Kind.HNSW, Kind.IVF),
        m=said.pop("m"),
        ef_construction=said.pop("ef_construction"),
        nlist=said.pop("nlist"),
        last_ef=said.pop("max_ef"),
    )
    repeats, distance = said.pop("passes"), Distance(said.pop("distance"))
    return TuneRequest(grid=grid, repeats=repeats, distance=distance, **said)


def _tell_of_index(one: Tuned) -> None:
    tell(f"measured {one.setting.name}: {counted(len(one.points), 'point')}")


@command.command()
@options.config
@click.option("--log", "arrivals", type=FILE, metavar="FILE", help="Timestamps instead (JSONL).")
@click.option("--documents", type=FILE, metavar="FILE", help="Documents of yours to add (JSONL).")
@click.option(
    "--probes", type=POSITIVE, default=20, metavar="N", help="Test documents [default: 20]."
)
@click.option("--yes", is_flag=True, help="Agree that test documents are put into your index.")
@click.option("--k", "-k", type=POSITIVE, metavar="K", help="Chunks asked for [default: run.k].")
@click.option(
    "--timeout", type=SECONDS, default=60.0, metavar="S", help="Longest wait [default: 60]."
)
@click.option(
    "--every", type=SECONDS, default=0.5, metavar="S", help="Between two looks [default: 0.5]."
)
@click.option("--query-log", "served", type=FILE, metavar="FILE", help="Queries served (JSONL).")
@click.option("--versions", "releases", type=FILE, metavar="FILE", help="Index versions (JSONL).")
@click.option(
    "--grace",
    type=options.FiniteRange(min=0),
    default=0.0,
    metavar="S",
    help="Seconds for which the version before still counts as current [default: 0].",
)
@click.option(
    "--max-never", type=click.IntRange(min=0), default=0, metavar="N", help="[default: 0]."
)
@click.option("--max-p99", type=SECONDS, metavar="S", help="Of all documents, never included.")
@click.option("--max-stale", type=SHARE, metavar="X", help="Greatest share of stale queries.")
@options.as_json
@click.pass_obj
def freshness(
    process: Process | None,
    /,
    *,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """See how long after its commit a document can be found, and who was served what was old.

    WRITES TO YOUR INDEX, through the adapter's add(document): marked test documents with --yes, or
    your own. They stay there. With --log, or with --query-log and --versions alone, nothing is
    written. Exits with 1 where a document is never found or a limit is exceeded.
    """
    from ragproof.index.verdict import Verdict
    from ragproof.wiring.index_freshness import FreshnessRequest, measure_freshness

    request = FreshnessRequest(**said)
    with options.results(own_process=process is not None and process.own) as out:
        news = measure_freshness(request, os.environ, _tell_of_arrival)
        if as_json:
            from ragproof.reports.index_json import freshness_json

            click.echo(freshness_json(news), file=out)
        else:
            from rich.console import Console

            from ragproof.reports.index_terminal import print_news

            print_news(Console(file=out), news)
    return SUCCESS if news.verdict is Verdict.PASS else NOT_MET


def _tell_of_arrival(one: Arrival) -> None:
    from ragproof.reports.index_wording import seconds
    from ragproof.reports.wording import one_line

    tell(f"{one_line(one.document_id, 100)}: {seconds(one.lag)}")
