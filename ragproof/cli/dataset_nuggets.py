"""ragproof dataset nuggets"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options


@click.command()
@shared.dataset
@shared.out("The dataset with nuggets (JSONL).")
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="Pool what these runs retrieved; repeatable [default: latest, if nothing else is named].",
)
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="[default: the run's k]")
@click.option(
    "--pool", "judged", type=shared.FILE, metavar="FILE", help="A pool of `dataset judge-pool`."
)
@click.option(
    "--corpus", type=shared.FILE, help="Pool the expected documents; they lie here (folder, JSONL)."
)
@click.option("--judged-only", is_flag=True, help="Leave out sources that nobody judged.")
@click.option(
    "--refine", is_flag=True, help="Go on from the nuggets that cases have; else those stay."
)
@click.option(
    "--batch",
    type=click.IntRange(1, 50),
    default=10,
    metavar="N",
    help="Passages in one call [default: 10].",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N cases.")
@shared.strict
@shared.resume
@shared.plan
@options.config
@options.store
@options.as_json
def command(
    config: Path | None,
    store: str | None,
    *,
    plan: bool,
    strict: bool,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Have the judge draft nuggets for the questions of DATASET from a pool of passages.

    The list of a question goes through its pool and is refined; a nugget stays only if a passage
    can be quoted for it; then each is told vital or okay. Sources judged not relevant are left
    out. Have a person read the draft. What was made before a stop is in --out; --resume goes on.
    """
    from ragproof.cli.generate import show_made, show_plan
    from ragproof.wiring.generating import document
    from ragproof.wiring.nuggeting import NuggetOrder, make, nuggets_foreseen
    from ragproof.wiring.wish import Wish

    loaded = Wish(config=config, store=store).load_config(os.environ)
    order = NuggetOrder(config_path=config, store=store, **said)
    if plan:
        return show_plan(nuggets_foreseen(loaded, os.environ, order), as_json=as_json)
    told = make(loaded, os.environ, order)
    return show_made(told, document(told) if as_json else None, strict=strict)
