"""The command starts fast: what a call does not need it does not import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ragproof.cli.main import COMMANDS

HEAVY = ("numpy", "pydantic", "sqlalchemy", "alembic", "rich", "aiohttp", "jinja2", "asyncio")
PROBE = """
import sys
from ragproof.__main__ import main
try:
    main()
finally:
    print("imported:", *(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
"""


def imported_by(*arguments: str) -> set[str]:
    """The heavy packages that a call of the command imports."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split()[1:])


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_needs_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert imported_by(*arguments) == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_needs_no_data_library(command: str) -> None:
    assert not imported_by(command, "--help") & {"numpy", "pydantic", "sqlalchemy", "alembic"}


EARLY = """
import os, signal, sys

class Stopping:
    def find_spec(self, name, *_):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stopping())
from ragproof.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (("run",), ""),
        (("run", "--json"), '{"status": "interrupted", "error": "stopped"}\n'),
    ],
)
def test_ctrl_c_while_the_command_is_still_being_imported_is_told_in_one_line(
    arguments: tuple[str, ...], out: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, out, "ragproof: stopped\n")
