"""ragproof dataset mutate"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS, tell
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.mutating import Varied


@click.command()
@shared.dataset
@shared.out("Originals and variants (JSONL).")
@shared.names(
    "--kinds",
    metavar="KIND,...",
    default="typo,case",
    show_default=True,
    help="typo, case, negation, entity_swap; paraphrase and translation need a model.",
)
@click.option(
    "--to", "languages", multiple=True, metavar="LANG", help="Translate into; repeatable."
)
@click.option(
    "--corpus", type=shared.FILE, help="Names to swap stand here [default: that of the config]."
)
@click.option(
    "--seed", type=int, default=0, metavar="N", help="Draws what is changed [default: 0]."
)
@click.option("--strict", is_flag=True, help="Exit 1 where a variant could not be made.")
@options.config
@options.store
@options.as_json
def command(
    config: Path | None,
    store: str | None,
    kinds: tuple[str, ...],
    *,
    strict: bool,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Add variants to the cases of DATASET, each linked to its original.

    A variant names its original and how its answer relates to that one's. Where the answer
    changes, it carries no expected answer and no expected sources.
    """
    from ragproof.wiring.mutating import Varying, vary
    from ragproof.wiring.wish import Wish

    loaded = Wish(config=config, store=store).load_config(os.environ)
    told = vary(loaded, os.environ, Varying(kinds=kinds, **said))
    if as_json:
        click.echo(json.dumps(_document(told), indent=2))
    else:
        for kind, count in told.mutated.made.items():
            click.echo(f"{kind}: {counted(count, 'variant')}")
        click.echo(f"{told.out}: {counted(len(told.mutated.cases), 'case')}")
    for (kind, reason), count in Counter(
        (one.kind, one.reason) for one in told.mutated.turned
    ).items():
        tell(f"{kind}: {count} not made: {reason}")
    if left := told.mutated.left:
        what = f"{counted(left, 'variant')} had no usable reply"
        tell(f"{what}; the same command with another --out asks for no more than that again")
    return NOT_MET if strict and told.mutated.turned else SUCCESS


def _document(told: Varied) -> dict[str, Any]:
    return {
        "path": str(told.out),
        "rejects": str(told.rejects) if told.rejects else None,
        "cases": len(told.mutated.cases),
        "variants": dict(told.mutated.made),
        "rejected": dict(Counter(one.reason for one in told.mutated.turned)),
        "calls": told.calls,
        "cache_hits": told.cache_hits,
        "cost_usd": told.usd,
    }
