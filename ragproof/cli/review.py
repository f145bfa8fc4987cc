"""ragproof review"""

from __future__ import annotations

from importlib import import_module

import click

from ragproof.cli.main import Ordered

NAMES = ("sample", "show", "merge", "report", "promote")
"""In the order in which a user meets them; `cli/review_<name>.py` holds `command`."""


@click.group(cls=Ordered)
def command() -> None:
    """Have people review answers of traffic, blind: how often they are bad, what tells of it."""


for _name in NAMES:
    command.add_command(import_module(f"ragproof.cli.review_{_name}").command, _name)
