"""The command `ragproof`, and `python -m ragproof`."""

import os
import sys

TYPE_CHECKING = False  # of `typing`, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import NoReturn

ARITHMETIC = {
    *("rankings", "compare", "gate", "decide", "trend", "runs", "report", "trace-gold", "drift"),
    *("monitor", "review"),
}
"""Commands whose many sums are too short for threads of BLAS: these would wait for each other.

They run nothing of the user's, but for a function that embeds texts for `drift`.
"""


def main() -> None:
    """Run the command that the arguments name and exit with its code."""
    try:
        open_streams()
        from ragproof.cli.main import Process, root  # noqa: PLC0415  Ctrl-C may come this early
    except KeyboardInterrupt:
        stopped()
    if ARITHMETIC.intersection(sys.argv[1:2]):  # its idle threads cost as much as numpy's import
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    root.main(prog_name="ragproof", obj=Process(own=True))


def open_streams() -> None:
    """Open each standard stream that was closed (`2>&-`), lest a file of ours take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115  for as long as we run


def stopped() -> "NoReturn":
    """Leave as a command does that is stopped, before there is one."""
    if "--json" in sys.argv[1:]:
        sys.stdout.write('{"status": "interrupted", "error": "stopped"}\n')
    sys.stderr.write("ragproof: stopped\n")
    sys.exit(130)


if __name__ == "__main__":
    main()
