"""Do a command's work in a supervised child, where this process is ours to fork."""

from __future__ import annotations

from collections.abc import Callable

from ragproof.cli.main import EXECUTION_FAILED, Process, exit_code, say
from ragproof.engine import supervise
from ragproof.engine.board import Board

SHOWN = 5
"""So many lost cases are named."""


def in_child(
    process: Process | None,
    work: Callable[[Board, Process], int],
    lost: Callable[[str], object] = lambda _note: None,
) -> int:
    """Do the work and return its exit code.

    When the child is lost, the cases that were in hand are named, and `lost` is given the word
    that the child had left.
    """
    mine = process or Process()
    if not (mine.own and supervise.possible()):
        return work(Board(), Process())
    ended = supervise.supervised(lambda board: exit_code(lambda: work(board, mine)))
    if isinstance(ended, int):
        return ended
    names = ", ".join(repr(call.case) for call in ended.calls[:SHOWN]) or "none"
    more = f" and {len(ended.calls) - SHOWN} more" if len(ended.calls) > SHOWN else ""
    noun = "case" if len(ended.calls) == 1 else "cases"
    say(f"the run was ended: {ended.why} ({noun} in hand: {names}{more})", EXECUTION_FAILED)
    if ended.note:
        lost(ended.note)
    return EXECUTION_FAILED
