"""What several commands of `ragproof dataset` take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ragproof.cli import options

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path(path_type=Path)

dataset = click.argument("dataset", type=FILE)
seed = click.option("--seed", type=int, default=0, metavar="N", help="Another draw [default: 0].")
some_split = click.option("--split", metavar="NAME", help="Only the cases of a split.")
strict = click.option("--strict", is_flag=True, help="Exit 1 where fewer came of it than asked.")
resume = click.option(
    "--resume",
    is_flag=True,
    help="Go on with what --out holds; try again what had no usable reply.",
)
plan = click.option("--plan", is_flag=True, help="Show calls and cost, and ask nothing.")
runs = click.option(
    "--run", "runs", multiple=True, metavar="RUN", help="May be repeated [default: latest]."
)


def out(help_: str) -> Callable[[F], F]:
    """Where the command writes."""
    return click.option("--out", type=options.OutFile(), required=True, metavar="FILE", help=help_)


def columns(help_: str, metavar: str = "FIELD=COLUMN") -> Callable[[F], F]:
    """Which column is which field."""
    return click.option(
        "--map", "mapping", multiple=True, callback=pairs, metavar=metavar, help=help_
    )


def names(option: str, *more: str, **said: Any) -> Callable[[F], F]:  # noqa: ANN401
    """A list of names, as in `intent,document_type`: each once, in order."""
    return click.option(option, *more, callback=_listed, **said)


def _listed(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip() for one in (text or "").split(",") if one.strip()))


def pairs(_: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Read `question=query`, several of them parted by commas or repeated."""
    found: dict[str, str] = {}
    for pair in (one for text in given for one in text.split(",")):
        name, sign, column = (part.strip() for part in pair.partition("="))
        if not sign or not name or not column:
            raise click.BadParameter(f"got {pair!r}; allowed: {param.metavar}")
        found[name] = column
    return found
