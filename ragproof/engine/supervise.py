"""Run work in a child process that can be ended from outside.

No timeout inside a process holds against code that never lets go of the interpreter: a regular
expression gone wild, an endless loop in C. So the work is done by a child; this process only
waits, and ends the child when its board shows that nothing moves any more. The same goes for a
child that crashes or is killed: the cases that were out are named, and what was saved stays.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.engine.board import Board, Call
from ragproof.engine.stop import ECHO_SECONDS, SIGNALS, interruptible

GRACE_SECONDS = 5.0
LOOK_SECONDS = 0.5
CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"})
"""Signals that a process brings upon itself."""


@dataclass(frozen=True)
class Lost:
    """What the supervisor knows of a child that did not end by itself."""

    why: str
    """One sentence, without the cases."""
    calls: tuple[Call, ...]
    """The cases that were out; only the guilty one where it could be told."""
    note: str
    """What the child had left word of."""
    stopped: bool = False
    """Whether the user wanted it so."""
    stalled: bool = False
    """Whether nothing moved any more."""
    of_the_pipeline: bool = True
    """Whether a call did it, and not somebody outside."""


def possible() -> bool:
    """Whether work can be supervised here: not without fork, not under a debugger."""
    return hasattr(os, "fork") and sys.gettrace() is None


def supervised(work: Callable[[Board], int]) -> int | Lost:
    """Do the work in a child and return its exit code, or how it was lost.

    Must be called while this process has a single thread.
    """
    board = Board()
    lifeline, held = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(held)
        interruptible()
        _die_with_parent(lifeline)
        _exit_with(lambda: work(board), board)
    os.close(lifeline)
    with _forwarding(child, board) as let_go:
        stalled: list[tuple[Call, ...]] = []
        watch = threading.Thread(target=_watch, args=(child, board, stalled), daemon=True)
        watch.start()
        _, status = os.waitpid(child, 0)
    os.close(held)
    if let_go:
        why = "it was to stop at once, and the pipeline held the interpreter"
        return Lost(why, let_go[0], board.noted(), stopped=True, of_the_pipeline=False)
    if stalled:
        why = "held the interpreter without letting go, so that no timeout could end it"
        return Lost(why, stalled[0], board.noted(), stalled=True)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        hint = " (out of memory?)" if name == "SIGKILL" else ""
        why, own = f"the process was ended by {name}{hint}", name in CRASHES
        return Lost(why, _with_the_pipeline(board), board.noted(), of_the_pipeline=own)
    code = os.waitstatus_to_exitcode(status)
    if board.has_ended():
        return code
    why = f"the pipeline ended the process, with exit code {code}"
    return Lost(why, _with_the_pipeline(board), board.noted())


def _with_the_pipeline(board: Board) -> tuple[Call, ...]:
    """The calls that were out, without those that waited for the judge."""
    return tuple(call for call in board.calls() if not call.waits)


def _exit_with(work: Callable[[], int], board: Board) -> None:
    """End this process with the work's exit code, whatever threads are still about."""
    code = 2
    try:
        code = work()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        board.end()
        os._exit(code)


def _die_with_parent(lifeline: int) -> None:
    """See to it that the child does not outlive a parent that is killed."""
    if sys.platform == "linux":  # at once, even while the interpreter is held
        parent_death_signal = 1
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)

    def wait() -> None:
        os.read(lifeline, 1)
        os._exit(2)

    threading.Thread(target=wait, daemon=True).start()


@contextlib.contextmanager
def _forwarding(child: int, board: Board) -> Iterator[list[tuple[Call, ...]]]:
    """Hand signals on; from the second on, end a child that cannot hear them.

    What is given holds the calls that were out then; it is empty otherwise.
    """
    first = float("inf")
    let_go: list[tuple[Call, ...]] = []

    def forward(number: int, _frame: object) -> None:
        nonlocal first
        now = time.monotonic()
        first = min(first, now)
        if now - first > ECHO_SECONDS and board.last_beat() < first:
            let_go.append(tuple(board.calls()))
            number = signal.SIGKILL
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    before = {number: signal.signal(number, forward) for number in SIGNALS}
    try:
        yield let_go
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(child: int, board: Board, stalled: list[tuple[Call, ...]]) -> None:
    """End the child once it has gone too long without a beat while cases were out.

    Time is added up look by look, so that a machine that slept, or a job that was stopped and
    continued, is not taken for a stall.
    """
    beat, quiet, looked = 0.0, 0.0, time.monotonic()
    while True:
        time.sleep(LOOK_SECONDS)
        now = time.monotonic()
        passed, looked = min(now - looked, 2 * LOOK_SECONDS), now
        latest = board.last_beat()
        quiet = quiet + passed if latest == beat and board.calls() else 0.0
        beat = latest
        if quiet > board.limit() * _in_turn(board.calls()) + GRACE_SECONDS:
            stalled.append(_guilty(child, tuple(board.calls())))
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            return


def _in_turn(calls: Sequence[Call]) -> int:
    """How many calls may one after the other keep the loop busy, each for all of its time."""
    return max(1, sum(call.thread == 0 for call in calls))


def _guilty(child: int, calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """The call whose thread is busy, where the system tells; else all of them."""
    before = _cpu(child)
    time.sleep(LOOK_SECONDS)
    spent = {thread: ticks - before.get(thread, 0) for thread, ticks in _cpu(child).items()}
    busy = max(spent, key=lambda thread: spent[thread], default=0)
    mine = tuple(call for call in calls if call.thread == busy and spent[busy] > 0)
    return mine or tuple(call for call in calls if not call.waits) or calls


def _cpu(process: int) -> dict[int, int]:
    """Ticks of CPU that each thread of a process has spent; empty where that is not told."""
    ticks = {}
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            ticks[int(task.name)] = int(fields[11]) + int(fields[12])
    return ticks
