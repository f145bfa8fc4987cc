"""Options that several commands share, and where results go."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
STDOUT = Path("-")

config = click.option(
    "--config", "-c", type=click.Path(path_type=Path), help="Config file [default: ragproof.yaml]."
)
store = click.option("--store", metavar="PATH_OR_URL", help="Store of runs; wins over the config.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

markdown = click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="Write a comment for a pull request; `-` prints it.",
)
common_cases = click.option(
    "--common-cases", is_flag=True, help="Compare what both have where the datasets differ."
)
allow_mixed_judges = click.option(
    "--allow-mixed-judges", is_flag=True, help="Compare though judge or prompts differ."
)
dataset = click.option("--dataset", type=click.Path(path_type=Path), help="Cases: JSONL or frozen.")


def names(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Any:  # noqa: ANN401
    """Read a list of metrics."""
    if value is None:
        return None
    names = tuple(one.strip() for one in value.split(",") if one.strip())
    if not names:
        raise click.BadParameter(f"{value!r} names no metric")
    return names


def refuse_two_on_stdout(files: Mapping[str, Path | None], *, as_json: bool) -> None:
    """Refuse to print two things that only a file of its own could keep apart."""
    printed = [f"--{form} -" for form, file in files.items() if file == STDOUT]
    printed += ["--json"] if as_json else []
    if len(printed) > 1:
        raise click.UsageError(f"{' and '.join(printed)} both print to stdout; give one of them")


def refuse_inputs(read: Iterable[Path | None], written: Iterable[Path | None]) -> None:
    """Refuse to write over a file that is read."""
    from ragproof.text.files import is_any_of

    inputs = tuple(read)
    for path in written:
        if path is not None and path.is_file() and is_any_of(path, inputs):
            raise click.UsageError(f"'{path}' is read; write to another file.")


def put(path: Path, text: str) -> None:
    """Write a file whole, or print it where the path is `-`."""
    from ragproof.text.files import write_whole

    if path != STDOUT:
        write_whole(path, text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()


def put_told(path: Path, text: str) -> None:
    """Write a file whole and say so in a line, or print it where the path is `-`."""
    put(path, text)
    if path != STDOUT:
        click.echo(f"wrote {path}", err=True)


def together(options: Sequence[Callable[[Any], Any]]) -> Callable[[F], F]:
    """Make one decorator of several options, which a command's help shows in this order."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_EVALUATION: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--retry-errors",
        is_flag=True,
        help="With --resume: try failed cases anew; no usable reply is paid again.",
    ),
    click.option("--no-cache", is_flag=True, help="Ask the judge anew, whatever it said before."),
    click.option("--limit", type=int, metavar="N", help="Only the first N cases."),
    click.option("--sample", type=int, metavar="N", help="Only N cases, stratified by tags."),
    click.option("--seed", type=int, metavar="N", help="Which sample [default: 0]."),
    click.option("--split", metavar="NAME", help="Only the cases of a split."),
    click.option("--metrics", callback=names, metavar="ID,...", help="Only these; globs allowed."),
    click.option("--k", type=int, metavar="N", help="Cut-off of *_at_k metrics [default: 5]."),
    click.option("--source-match", metavar="UNIT", help="What source ids name: chunk or document."),
    click.option("--concurrency", type=int, metavar="N", help="Cases at once [default: 8]."),
    click.option("--repeats", type=int, metavar="N", help="Times each case is tried [default: 1]."),
)
evaluation = together(_EVALUATION)
"""What shapes an evaluation, of one run as of each point of a sweep."""


class OutFile(click.Path):
    """A file written beside what is printed, so that `-` cannot mean what it does elsewhere."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Read a path."""
        path = super().convert(value, param, ctx)
        if path == STDOUT:
            self.fail("'-' names no file, and this one is not printed", param, ctx)
        if str(value).startswith("--"):  # a file of that name is ./--name
            self.fail(f"a file was expected, got {str(value)!r}", param, ctx)
        return path


class ToFile(click.Command):
    """A command that takes `--to FORMAT FILE`, which may also be said `--to FORMAT --out FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the second form into the first."""
        return super().parse_args(ctx, _to_file(args))


def _to_file(args: list[str]) -> list[str]:
    found = [one.partition("=")[0] for one in args]
    if found.count("--out") != 1 or found.count("--to") != 1:
        return args
    out, to = found.index("--out"), found.index("--to")
    _, is_joined, path = args[out].partition("=")
    left = args[:out] + args[out + (1 if is_joined else 2) :]
    if not is_joined:
        path = args[out + 1] if out + 1 < len(args) else ""
    to -= 0 if to < out else len(args) - len(left)
    at = to + (1 if "=" in left[to] else 2)
    return [*left[:at], path, *left[at:]] if path and at <= len(left) else args


def to_file(help_: str, *formats: str) -> Callable[[F], F]:
    """In which format, and to which file; of a `ToFile`."""
    both = (click.Choice(formats), OutFile())

    def decorate(command: F) -> F:
        apart = click.option("--out", metavar="FILE", expose_value=False, help="FILE, said apart.")
        to = click.option("--to", type=both, required=True, metavar="FORMAT FILE", help=help_)
        return to(apart(command))

    return decorate


class FiniteRange(click.FloatRange):
    """A number within bounds. NaN is within none, though no comparison says that it is outside."""

    name = "float range"

    def convert(
        self,
        value: Any,  # noqa: ANN401  as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Give the number, or say what is wrong with it."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number

    def _describe_range(self) -> str:
        """Say nothing of a range without ends; click's own words would be `x<=None`."""
        return "" if self.min is None and self.max is None else super()._describe_range()


@contextlib.contextmanager
def results(*, own_process: bool) -> Iterator[TextIO]:
    """Give the stream for results; whatever else prints to stdout meanwhile goes to stderr.

    A pipeline that prints must not spoil the one JSON document that a script reads. In a process
    of its own this holds for C libraries and child processes too.
    """
    out = sys.stdout
    if not own_process:
        with contextlib.redirect_stdout(sys.stderr):
            yield out
        return
    out.flush()
    with os.fdopen(os.dup(1), "w", encoding=out.encoding, errors="backslashreplace") as stream:
        os.dup2(2, 1)
        try:
            yield stream
        except BaseException:
            out.flush()
            os.dup2(stream.fileno(), 1)  # with --json, a failure is told where results would be
            raise
