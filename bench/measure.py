"""Run a command and tell what it took, by the operating system's own account."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Took:
    """What a finished process took, its own children included."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    peak: float
    """MB of the largest single process."""
    output: str


def took(arguments: list[str], folder: Path) -> Took:
    """Run Python with these arguments; raise if it fails."""
    begun = time.perf_counter()
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    output = (folder / "out").read_text(encoding="utf-8")
    if process.returncode:
        raise RuntimeError(f"{arguments} ended with {process.returncode}: {output[-500:]}")
    wall = time.perf_counter() - begun
    return Took(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, output)
