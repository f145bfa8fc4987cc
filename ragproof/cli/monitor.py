"""ragproof monitor"""

from __future__ import annotations

from importlib import import_module

import click

from ragproof.cli.main import Ordered

NAMES = ("demo", "import", "report", "check", "calibrate")
"""In the order in which a user meets them; `cli/monitor_<name>.py` holds `command`."""


@click.group(cls=Ordered)
def command() -> None:
    """Bring production traffic in, and watch it."""


for _name in NAMES:
    command.add_command(import_module(f"ragproof.cli.monitor_{_name}").command, _name)
