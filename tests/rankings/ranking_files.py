"""Rankings as files, and what the command makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ragproof.cli.rankings import command

Judged = Mapping[str, Mapping[str, int]]
Ranked = Mapping[str, Mapping[str, float]]


def qrels_lines(judged: Judged) -> list[str]:
    return [f"{q} 0 {doc} {grade}" for q, docs in judged.items() for doc, grade in docs.items()]


def run_lines(ranked: Ranked) -> list[str]:
    """The rank column is always 0: nothing may look at it."""
    return [
        f"{q} Q0 {doc} 0 {score!r} t" for q, docs in ranked.items() for doc, score in docs.items()
    ]


def written(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def scored(qrels: Path, run: Path, *arguments: str) -> dict[str, Any]:
    """What `ragproof rankings --json` says."""
    told = CliRunner().invoke(
        command,
        ["--qrels", str(qrels), "--run", str(run), "--json", *arguments],
        catch_exceptions=False,
    )
    assert told.exit_code == 0, told.output
    document: dict[str, Any] = json.loads(told.stdout)
    return document


def metrics(names: Sequence[str]) -> list[str]:
    return [part for name in names for part in ("--metric", name)]
