"""What several commands of `ragproof review` take."""

from __future__ import annotations

import click

from ragproof.cli.dataset_options import FILE

files = click.argument("files", type=FILE, nargs=-1, required=True)
keys = click.option(
    "--key",
    "keys",
    type=FILE,
    required=True,
    multiple=True,
    metavar="FILE",
    help="The queue's key; repeated, the keys of several weeks together.",
)
