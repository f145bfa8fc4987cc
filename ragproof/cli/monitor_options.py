"""Options that the commands of `ragproof monitor` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ragproof.cli import options

LENGTH = "30m, 6h, 1d, 7d"
_TRAFFIC: tuple[Callable[[Any], Any], ...] = (
    click.argument("runs", nargs=-1, metavar="[RUN]..."),
    click.option("--timezone", metavar="NAME", help="Whose midnight it is [default: UTC]."),
    click.option("--since", metavar="TIME", help="Only cases asked from then on (ISO 8601)."),
    click.option(
        "--until",
        metavar="TIME",
        help="Only cases asked before; the traffic is known up to then [default: when the newest "
        "run was made].",
    ),
    options.config,
    options.store,
    options.as_json,
)


traffic = options.together(_TRAFFIC)
"""What says which traffic is meant."""


window = click.option("--window", metavar="LENGTH", help=f"Of a window: {LENGTH} [default: 1d].")
step = click.option("--step", metavar="LENGTH", help="From one to the next [default: the length].")
