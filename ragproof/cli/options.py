"""Options that several commands share, and where results go."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

config = click.option(
    "--config", "-c", type=click.Path(path_type=Path), help="Config file [default: ragproof.yaml]."
)
store = click.option("--store", metavar="PATH_OR_URL", help="Store of runs; wins over the config.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

markdown = click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write a comment for a pull request."
)
common_cases = click.option(
    "--common-cases", is_flag=True, help="Compare what both have where the datasets differ."
)
allow_mixed_judges = click.option(
    "--allow-mixed-judges", is_flag=True, help="Compare though judge or prompts differ."
)


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
        yield stream
