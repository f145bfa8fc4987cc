"""ragproof run"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ragproof.cli import options
from ragproof.cli.main import Process


def names(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Any:  # noqa: ANN401
    """Read a list of metrics."""
    if value is None:
        return None
    names = tuple(one.strip() for one in value.split(",") if one.strip())
    if not names:
        raise click.BadParameter(f"{value!r} names no metric")
    return names


def _label(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and (not value.strip() or value.startswith("latest")):
        raise click.BadParameter(f"{value!r} cannot be told from other ways to name a run")
    return value


@click.command()
@options.config
@options.store
@click.option("--dataset", type=click.Path(path_type=Path), help="Cases: JSONL or frozen.")
@click.option(
    "--beir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A benchmark in BEIR's layout; --split picks its qrels file [default: test].",
)
@click.option(
    "--recorded",
    type=click.Path(path_type=Path),
    help="Evaluate recorded observations (JSONL) instead of asking a pipeline.",
)
@click.option("--label", callback=_label, help="Name for this run.")
@click.option("--resume", metavar="RUN", help="Go on with a run: id, label or `latest`.")
@click.option("--retry-errors", is_flag=True, help="With --resume: try failed cases anew.")
@click.option("--no-cache", is_flag=True, help="Ask the judge anew, whatever it said before.")
@click.option("--limit", type=int, metavar="N", help="Only the first N cases.")
@click.option("--sample", type=int, metavar="N", help="Only N cases, stratified by tags.")
@click.option("--seed", type=int, metavar="N", help="Which sample [default: 0].")
@click.option("--split", metavar="NAME", help="Only the cases of a split.")
@click.option("--metrics", callback=names, metavar="ID,...", help="Only these; globs allowed.")
@click.option("--k", type=int, metavar="N", help="Cut-off of *_at_k metrics [default: 5].")
@click.option("--source-match", metavar="UNIT", help="What source ids name: chunk or document.")
@click.option("--mode", metavar="MODE", help="offline, or online for sampled traffic.")
@click.option("--concurrency", type=int, metavar="N", help="Cases at once [default: 8].")
@click.option("--repeats", type=int, metavar="N", help="Times each case is tried [default: 1].")
@click.option("--plan", is_flag=True, help="Only say what the judge will be asked and cost.")
@click.option("--pilot", type=int, metavar="N", help="With --plan: run N cases first, for sizes.")
@options.as_json
@click.pass_obj
def command(
    process: Process | None,
    /,
    *,
    as_json: bool,
    plan: bool,
    pilot: int | None,
    **said: Any,  # noqa: ANN401
) -> int:
    """Evaluate a pipeline on a dataset.

    Every finished case is saved at once: after any stop, `ragproof run --resume latest` goes on
    with what is missing.
    """
    from ragproof.cli.evaluation import Presentation, evaluate, whereabouts
    from ragproof.wiring.wish import Wish

    wish = Wish(**said)
    if pilot is not None and not plan:
        raise click.UsageError("--pilot goes with --plan")
    if plan:
        from ragproof.cli.planning import show_plan

        return show_plan(wish, process, pilot, as_json=as_json)
    return evaluate(
        wish, process, Presentation(as_json, place=whereabouts(wish.config, wish.store))
    )
