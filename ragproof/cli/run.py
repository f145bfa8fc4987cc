"""ragproof run"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ragproof.cli import options
from ragproof.cli.main import Process


def _label(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and (not value.strip() or value.startswith("latest")):
        raise click.BadParameter(f"{value!r} cannot be told from other ways to name a run")
    return value


@click.command()
@options.config
@options.store
@options.dataset
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
@options.evaluation
@click.option("--mode", metavar="MODE", help="offline, or online for sampled traffic.")
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
