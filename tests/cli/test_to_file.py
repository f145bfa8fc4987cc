"""`--to FORMAT FILE` and `--to FORMAT --out FILE` are one and the same."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from ragproof.cli import options


@click.command(cls=options.ToFile)
@click.argument("run", required=False, default="latest")
@options.to_file("Where.", "csv", "jsonl")
@click.option("--alone", is_flag=True)
def command(run: str, to: tuple[str, object], *, alone: bool) -> None:
    click.echo(f"{run} {to[0]} {to[1]} {alone}")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--to csv a", "latest csv a False"),
        ("--to csv --out a", "latest csv a False"),
        ("--to=csv --out=a", "latest csv a False"),
        ("--out a --to csv", "latest csv a False"),
        ("--out=a r --to=jsonl", "r jsonl a False"),
        ("--to csv --alone --out a r", "r csv a True"),
        ("--to csv a --alone r", "r csv a True"),
        ("r --to=csv a", "r csv a False"),
    ],
)
def test_both_forms_say_the_same(line: str, told: str) -> None:
    found = CliRunner().invoke(command, line.split())
    assert (found.exit_code, found.output) == (0, f"{told}\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--out a", "Missing option '--to'"),
        ("--to csv", "'--to' requires 2 arguments"),
        ("--to csv --out", "a file was expected, got '--out'"),
        ("--to csv --alone", "a file was expected, got '--alone'"),
        ("--to xml --out a", "'xml' is not one of"),
        ("--to csv --out -", "'-' names no file"),
        ("r --to csv a --out b", "unexpected extra argument (a)"),
        ("--to csv --out a --out b", "a file was expected, got '--out'"),
    ],
)
def test_what_says_no_file_or_two_is_refused(line: str, told: str) -> None:
    found = CliRunner().invoke(command, line.split())
    assert found.exit_code == 2  # ragproof makes 3 of it
    assert told in found.output
