"""ragproof dataset"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click

from ragproof.cli.main import Ordered

NAMES = (
    *("import", "export", "show", "validate", "split", "diff"),
    *("coverage", "power", "sample", "judge-pool", "nuggets", "mutate"),
)
"""In the order in which a user meets them; `cli/dataset_<name>.py` holds `command`."""


@click.group(cls=Ordered)
def command() -> None:
    """Make, check, divide and measure a dataset: the life of the test set."""


for _name in NAMES:
    _file = f"ragproof.cli.dataset_{_name.replace('-', '_')}"
    if find_spec(_file) is not None:
        command.add_command(import_module(_file).command, _name)
