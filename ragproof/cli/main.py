"""The root command. A command's file is imported when the command is called, not before."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn, cast

import click

from ragproof import __version__
from ragproof.core import RagproofError, UsageError

COMMANDS = {
    "demo": "The first minute: a real evaluation, no key, no network, no config.",
    "check": "Validate config, dataset, store and adapter before anything is spent.",
    "run": "Evaluate a pipeline on a dataset.",
    "runs": "List the runs of a store.",
    "report": "Show a run: figures, skips, errors, the worst cases.",
    "metrics": "List the metrics, or explain one.",
    "freeze": "Write a hash-verified copy of a dataset.",
}
"""Name to the line that `--help` shows; the file `cli/<name>.py` holds `command`."""

SUCCESS, NOT_MET, EXECUTION_FAILED, WRONG_INPUT, STOPPED = 0, 1, 2, 3, 130


@dataclass(frozen=True)
class Process:
    """What a command may do with the process that it runs in."""

    own: bool = False
    """Whether the process is there for this command alone: it may fork, redirect and exit."""


class Root(click.Group):
    """Loads commands lazily and gives every way to fail its exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's file."""
        if cmd_name not in COMMANDS:
            return None
        return cast("click.Command", import_module(f"ragproof.cli.{cmd_name}").command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002  click's own signature
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run; when standalone, exit with the code that the contract gives each failure."""

        def run() -> Any:  # noqa: ANN401
            return click.Group.main(self, args, prog_name, complete_var, False, **extra)  # noqa: FBT003

        return leave(exit_code(run)) if standalone_mode else run()


def exit_code(run: Callable[[], Any]) -> int:
    """Run a command to its exit code; say on stderr in a sentence why it failed."""
    try:
        result = run()
    except UsageError as fault:
        return say(str(fault), WRONG_INPUT)
    except click.ClickException as fault:
        fault.show()
        return WRONG_INPUT
    except (KeyboardInterrupt, click.Abort):
        return say("stopped", STOPPED)
    except (BrokenPipeError, SystemExit):  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return EXECUTION_FAILED
    except RagproofError as fault:
        return say(str(fault), EXECUTION_FAILED)
    except Exception:  # noqa: BLE001  the last resort
        traceback.print_exc()
        return say("this is a fault of ragproof itself; nothing saved is lost", EXECUTION_FAILED)
    return result if isinstance(result, int) else SUCCESS


def say(message: str, code: int) -> int:
    """Print a message to stderr and hand on the code."""
    tell(message)
    return code


def tell(message: str) -> None:
    """Print a message to stderr, whatever characters it has."""
    plain = f"ragproof: {message}".encode(sys.stderr.encoding or "utf-8", "backslashreplace")
    click.echo(plain.decode(sys.stderr.encoding or "utf-8"), err=True)


def leave(code: int) -> NoReturn:
    """Exit the process."""
    sys.exit(code)


@click.command(
    cls=Root,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Docs: ragproof COMMAND --help, ragproof metrics ID",
)
@click.version_option(__version__, "-V", "--version", prog_name="ragproof")
def root() -> None:
    """Prove that a RAG pipeline works, find where it fails, stop CI when it gets worse."""
