"""`ragproof run --plan`: what the judge will be asked, and what that will cost."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import TYPE_CHECKING, TextIO

from ragproof.cli.child import in_child
from ragproof.cli.evaluation import Presentation, carry_out
from ragproof.cli.main import SUCCESS, Process, tell
from ragproof.engine.board import Board
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.wish import Wish


def show_plan(wish: Wish, process: Process | None, pilot: int | None, *, as_json: bool) -> int:
    """Print the plan; with a pilot, run so many cases first, within the budget."""

    def work(board: Board, out: TextIO) -> int:
        from ragproof.wiring.estimate import refuse_without_judge

        if pilot is not None:
            refuse_without_judge(wish, os.environ)
            part = dataclasses.replace(wish, sample=pilot, limit=None, label="pilot")
            tell(f"running {counted(pilot, 'case')} first")
            with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
                code = carry_out(part, board, Presentation(as_json=True), nowhere)
            if code != SUCCESS:
                return code
        return _show(wish, out, as_json=as_json)

    return in_child(process, work, as_json=as_json)


def _show(wish: Wish, out: TextIO, *, as_json: bool) -> int:
    from rich.console import Console

    from ragproof.reports.plan import print_plan
    from ragproof.wiring.estimate import estimate, plain
    from ragproof.wiring.prepare import draft

    told = estimate(draft(wish, os.environ))
    if as_json:
        out.write(json.dumps(plain(told), indent=2) + "\n")
    else:
        print_plan(Console(file=out), told.calls, told.forecast, told.runs)
    return SUCCESS
