"""The root command. A command's file is imported when the command is called, not before."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn, TextIO, cast

import click

from ragproof import __version__
from ragproof.core import RagproofError, UsageError
from ragproof.engine.stop import handlers_kept

COMMANDS = {
    "demo": "The first minute: a real evaluation, no key, no network, no config.",
    "init": "Write a config, an adapter and a dataset to start from.",
    "check": "Validate config, dataset, store and adapter before anything is spent.",
    "run": "Evaluate a pipeline on a dataset.",
    "runs": "List the runs of a store.",
    "compare": "Compare two runs case by case: what changed, and what could not be seen.",
    "gate": "Hold a run to thresholds and to a baseline; exit 1 stops a merge.",
    "sweep": "Compare combinations of parameters, and choose by a rule.",
    "decide": "Adopt a candidate or not, by rules that were fixed before the runs.",
    "trend": "Follow one metric through the runs.",
    "trace-gold": "Find the first stage at which each case lost its evidence.",
    "calibrate": "Measure the judge against people, before its figures are trusted.",
    "judge": "Look at the judge itself: `ragproof judge bias` shows where it leans.",
    "report": "Show a run: figures, skips, errors, the worst cases.",
    "export": "Write a run's outcomes and observations to files.",
    "rankings": "Score whole files of ranked lists as trec_eval does, at any size.",
    "index": "Hold a vector index to exact search, tune one, see how late it learns.",
    "monitor": "Bring production traffic in, and watch it: figures by window, guardrails.",
    "review": "Have people review answers of traffic: how often they are bad, what tells of it.",
    "drift": "Tell whether queries or embeddings have drifted, and how sure that is.",
    "metrics": "List the metrics, or explain one.",
    "dataset": "The life of a dataset: import, validate, split, coverage, power, diff.",
    "generate": "Have a model write a dataset from your documents, each case verified.",
    "freeze": "Write a hash-verified copy of a dataset.",
}
"""Name to the line that `--help` shows; `cli/<name>.py` holds `command`, `_` in place of `-`."""

SUCCESS, NOT_MET, EXECUTION_FAILED, WRONG_INPUT, STOPPED = 0, 1, 2, 3, 130


def command_named(name: str) -> click.Command:
    """Import the file of a command."""
    file = name.replace("-", "_")
    return cast("click.Command", import_module(f"ragproof.cli.{file}").command)


@dataclass(frozen=True)
class Process:
    """What a command may do with the process that it runs in."""

    own: bool = False
    """Whether the process is there for this command alone: it may fork, redirect and exit."""


WHOLE = 10_000
"""Characters: longer than any first sentence of a command's help."""


class Named(click.Group):
    """A group that says which command was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named first."""
        name = args[0]
        if self.get_command(ctx, name) is None and name[:1] != "-":
            from ragproof.text.nearest import nearest  # only for a failure: it takes its time

            ctx.fail(f"No such command {name!r}.{nearest(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its whole first sentence: click cuts it to one line."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, found.get_short_help_str(WHOLE)) for name, found in commands if found]
            )


class Ordered(Named):
    """Keeps the order in which its commands were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name them as a user meets them."""
        return list(self.commands)


class Root(Named):
    """Loads commands lazily and gives every way to fail its exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's file."""
        if cmd_name not in COMMANDS:
            return None
        return command_named(cmd_name)

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
            with handlers_kept():
                return click.Group.main(self, args, prog_name, complete_var, False, **extra)  # noqa: FBT003

        if not standalone_mode:
            return run()
        wants_json = "--json" in (sys.argv[1:] if args is None else args)
        return leave(exit_code(run, sys.stdout if wants_json else None))


def exit_code(run: Callable[[], Any], document: TextIO | None = None) -> int:
    """Run a command to its exit code; say on stderr in a sentence why it failed.

    A script that reads JSON is told so in `document`, too, unless its own input is wrong.
    """
    try:
        result = run()
    except UsageError as fault:
        return say(str(fault), WRONG_INPUT)
    except click.ClickException as fault:
        with contextlib.suppress(OSError):  # as in `tell`
            fault.show()
        return WRONG_INPUT
    except (KeyboardInterrupt, click.Abort):
        return _failed("stopped", STOPPED, document)
    except (BrokenPipeError, SystemExit):  # whoever read our output has seen enough; rich exits
        drop(sys.__stdout__)
        return EXECUTION_FAILED
    except RagproofError as fault:
        return _failed(str(fault), EXECUTION_FAILED, document)
    except OSError as fault:  # what reads and writes files says more; this is our output
        if fault.errno == errno.ENAMETOOLONG:
            name = str(fault.filename)
            return say(f"{name[:60]} ...: a name of {len(name):,} characters", WRONG_INPUT)
        if fault.filename is not None:
            return _failed(f"{fault.filename}: {fault.strerror}", EXECUTION_FAILED, document)
        drop(sys.__stdout__)
        return say(f"the output could not be written: {fault.strerror or fault}", EXECUTION_FAILED)
    except Exception:  # noqa: BLE001  the last resort
        traceback.print_exc()
        told = "this is a fault of ragproof itself; nothing saved is lost"
        return _failed(told, EXECUTION_FAILED, document)
    return result if isinstance(result, int) else SUCCESS


def is_cut_off(fault: BaseException) -> bool:
    """Whether whoever read our output closed it, having seen enough; rich makes an exit of that."""
    return isinstance(fault, BrokenPipeError) or isinstance(fault.__context__, BrokenPipeError)


def drop(stream: TextIO | None) -> None:
    """Have nothing more written: the interpreter would try again at its end, and complain."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failed(message: str, code: int, document: TextIO | None) -> int:
    if document is not None:
        from ragproof.core import RunState  # only for a failure: it takes its time

        status = RunState.INTERRUPTED if code == STOPPED else RunState.FAILED
        json.dump({"status": status, "error": message}, document, indent=2)
        document.write("\n")
        document.flush()
    return say(message, code)


def say(message: str, code: int) -> int:
    """Print a message to stderr and hand on the code."""
    tell(message)
    return code


def tell(message: str) -> None:
    """Print a message to stderr, whatever characters it has, if anyone still listens there.

    It may quote what a data set or a pipeline brought: what a terminal would obey is escaped.
    """
    seen = "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode()
        for one in message
    )
    plain = f"ragproof: {seen}".encode(sys.stderr.encoding or "utf-8", "backslashreplace")
    with contextlib.suppress(OSError):
        click.echo(plain.decode(sys.stderr.encoding or "utf-8"), err=True)


def leave(code: int) -> NoReturn:
    """Exit the process."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            drop(stream)
    sys.exit(code)


@click.command(
    cls=Root,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Docs: ragproof COMMAND --help, ragproof metrics ID",
)
@click.version_option(__version__, "-V", "--version", prog_name="ragproof")
def root() -> None:
    """Prove that a RAG pipeline works, find where it fails, stop CI when it gets worse."""
