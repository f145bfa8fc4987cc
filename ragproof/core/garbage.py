"""When to look for garbage: not while things are made that stay."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Do our own work that makes much and drops little, without looking through it meanwhile.

    Nothing of the user's may run in here: a pipeline may well leave cycles behind.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
