"""ragproof judge"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragproof.cli import options
from ragproof.cli.main import Named

if TYPE_CHECKING:
    from ragproof.wiring.leaning import Leanings


@click.group(cls=Named)
def command() -> None:
    """Look at the judge itself."""


@command.command()
@options.config
@options.store
@click.option("--model", help="Another model than the configured one; of a panel, which.")
@click.option("--family", help="Model family of the judge, for self-preference.")
@click.option("--pairs", type=click.Path(path_type=Path), help="Your own pairs (JSONL).")
@click.option("--no-cache", is_flag=True, help="Ask the judge anew, whatever it said before.")
@options.as_json
def bias(
    config: Path | None,
    store: str | None,
    model: str | None,
    family: str | None,
    pairs: Path | None,
    *,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Measure where the configured judge leans.

    Position: the same two answers in both orders. Length: pairs in which one answer was padded or
    cut. Self-preference: answers of its own family, against what people say. Injectability: the
    same answer with an order to the judge inside.
    """
    from ragproof.judge.items import read_pairs
    from ragproof.wiring.leaning import leanings
    from ragproof.wiring.wish import Wish

    loaded = Wish(config=config, store=store).load_config(os.environ)
    if model is not None:
        judge = loaded.judge.model_copy(update={"model": model, "panel": ()})
        loaded = loaded.model_copy(update={"judge": judge})
    own = None if pairs is None else read_pairs(pairs)
    found = leanings(loaded, os.environ, family, own, no_cache=no_cache)
    _show(found, as_json=as_json)


def _show(found: Leanings, *, as_json: bool) -> None:
    from rich.console import Console

    from ragproof.reports.calibration import Asked, leanings_json, print_leanings

    told = leanings_json(found.position, found.length, found.own, found.injectability)
    if as_json:
        document = {
            "judge": found.judge,
            "recorded": found.recorded,
            **told,
            "left_out": {**found.left_out},
            "calls": found.calls,
            "cache_hits": found.cache_hits,
            "cost_usd": found.usd,
        }
        click.echo(json.dumps(document, indent=2))
        return
    asked = Asked(
        judge=found.judge,
        recorded=found.recorded,
        calls=found.calls,
        cache_hits=found.cache_hits,
        usd=found.usd,
        left_out=found.left_out,
    )
    print_leanings(Console(), asked, told)
