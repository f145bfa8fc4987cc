"""ragproof check"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TextIO

import click

from ragproof.cli import options
from ragproof.cli.child import in_child
from ragproof.cli.main import EXECUTION_FAILED, SUCCESS, Process, say
from ragproof.core import RunError
from ragproof.engine.board import Board


@click.command()
@options.config
@options.store
@options.dataset
@click.option("--recorded", type=click.Path(path_type=Path), help="Recorded observations.")
@options.as_json
@click.pass_obj
def command(process: Process | None, /, *, as_json: bool, **said: Any) -> int:  # noqa: ANN401
    """Validate config, dataset, store and adapter before anything is spent.

    One case, the first, is put to the pipeline. What can be measured is told by family of metrics;
    --json names each metric.
    """
    return in_child(
        process, lambda board, out: _work(board, out, said, as_json=as_json), as_json=as_json
    )


def _work(board: Board, out: TextIO, said: dict[str, Any], *, as_json: bool) -> int:
    from rich.console import Console

    from ragproof.reports.checkup import Measurable, print_measurable
    from ragproof.reports.tables import print_step
    from ragproof.wiring.checkup import checkup
    from ragproof.wiring.wish import Wish

    steps, measurable, code = [], [], SUCCESS
    console = Console(file=out)
    try:
        for step in checkup(Wish(**said), os.environ, board):
            steps.append({"name": step.name, "detail": step.in_full})
            if step.metrics:
                measurable.append(Measurable(step.name, step.detail, step.metrics))
            elif not as_json:
                print_step(console, step.name, step.detail)
    except RunError as fault:
        code = say(str(fault), EXECUTION_FAILED)
        steps.append({"name": "failed", "detail": str(fault)})
    if as_json:
        out.write(json.dumps({"ok": code == SUCCESS, "steps": steps}, indent=2) + "\n")
    elif code == SUCCESS:
        print_measurable(console, measurable)
        print_step(console, "next", "ragproof run")
    return code
