"""Do a command's work in a supervised child, where this process is ours to fork."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO, TypeAlias

from ragproof.cli import options
from ragproof.cli.main import EXECUTION_FAILED, STOPPED, Process, exit_code, say
from ragproof.core import RunError
from ragproof.engine import supervise
from ragproof.engine.board import Board, Call
from ragproof.engine.supervise import Lost

SHOWN = 5
"""So many lost cases are named."""

Work: TypeAlias = Callable[[Board, TextIO], int]
"""What is done: with the notice board and the stream for results; it returns the exit code."""


def in_child(
    process: Process | None,
    work: Work,
    *,
    as_json: bool,
    lost: Callable[[Lost], object] = lambda _: None,
) -> int:
    """Do the work and return its exit code.

    When the child is lost, the cases that were in hand are named, and `lost` is called if the
    child had left word.
    """
    if not (process and process.own and supervise.possible()):
        with options.results(own_process=False) as out:
            return work(Board(), out)

    def whole(board: Board) -> int:
        with options.results(own_process=True) as out:
            return exit_code(lambda: work(board, out), out if as_json else None)

    ended = supervise.supervised(whole)
    if isinstance(ended, int):
        return ended
    told = f"the run was ended: {ended.why} ({_in_hand(ended.calls)})"
    if not ended.note:
        raise KeyboardInterrupt if ended.stopped else RunError(told)
    code = say(told, STOPPED if ended.stopped else EXECUTION_FAILED)
    lost(ended)
    return code


def _in_hand(calls: tuple[Call, ...]) -> str:
    noun = "case" if len(calls) == 1 else "cases"
    names = ", ".join(repr(call.case) for call in calls[:SHOWN]) or "none"
    more = f" and {len(calls) - SHOWN} more" if len(calls) > SHOWN else ""
    return f"{noun} in hand: {names}{more}"
