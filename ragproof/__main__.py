"""The command `ragproof`, and `python -m ragproof`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ragproof.cli.main import Process, root

ARITHMETIC = {"rankings", "compare", "gate", "decide", "trend", "runs", "report", "trace-gold"}
"""Commands that run nothing of the user's, and whose sums are too short for threads of BLAS."""


def main() -> None:
    """Run the command that the arguments name and exit with its code."""
    open_streams()
    if ARITHMETIC.intersection(sys.argv[1:2]):  # its idle threads cost as much as numpy's import
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    root.main(prog_name="ragproof", obj=Process(own=True))


def open_streams() -> None:
    """Open each standard stream that was closed (`2>&-`), lest a file of ours take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  as long as we run


if __name__ == "__main__":
    main()
