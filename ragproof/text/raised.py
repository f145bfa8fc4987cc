"""What foreign code raised, in one line."""

from __future__ import annotations

import asyncio
import signal
import sysconfig
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

_LONGEST = 2_000
"""Characters of a foreign message that are kept."""
_OURS = str(Path(__file__).parents[1])
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def described(error: BaseException) -> str:
    """Say what was raised and where in the user's own code: `KeyError: 'x' (pipeline.py:12)`."""
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # noqa: BLE001  the error is reported even if it cannot be read
        message = "(its message cannot be read)"
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]}..."
    kind = type(error).__name__
    return (f"{kind}: {message}" if message else kind) + _place(error)


class Listener:
    """A handler of signals that hands them on; while it listens, no signal raises anything."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def __call__(self, _number: int, _frame: object) -> None:
        """Hear a signal."""
        self._act()


def is_wish(error: BaseException) -> bool:
    """Whether who waits for foreign code is to end, and not the code has failed.

    So it is with Ctrl-C, and when the task was cancelled from outside. `sys.exit()`, being
    cancelled when nobody asked for it, or `raise KeyboardInterrupt` where no signal can have
    raised it, is what the code did.
    """
    if isinstance(error, asyncio.CancelledError):
        return _is_cancelled()
    if isinstance(error, KeyboardInterrupt):
        return _raised_by_signals()
    return isinstance(error, GeneratorExit)


def _raised_by_signals() -> bool:
    """Whether Ctrl-C would raise something here and now: in the main thread, unless it is heard."""
    here = threading.current_thread() is threading.main_thread()
    return here and not isinstance(signal.getsignal(signal.SIGINT), Listener)


def _is_cancelled() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:  # in a thread there is no task, so nobody cancelled it
        return False
    return task is not None and task.cancelling() > 0


def _place(error: BaseException) -> str:
    """File and line of the last frame in the user's code, else in the code that it called.

    What cannot even be parsed has no frame of its own, and says where it is.
    """
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f" ({Path(error.filename).name}:{error.lineno})"
    frames = [
        frame
        for frame in traceback.StackSummary.extract(
            traceback.walk_tb(error.__traceback__), lookup_lines=False
        )
        if not frame.filename.startswith((_OURS, "<"))
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_INSTALLED)] or frames
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
