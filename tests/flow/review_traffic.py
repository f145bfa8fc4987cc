"""A folder with traffic of which it is known which answers are bad, for the tests of review."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from project import Done, environment

from ragproof.cli.main import root

TRACES = 300


def is_bad(number: int) -> bool:
    return number % 5 == 0


def traffic(folder: Path) -> None:
    """Traces of which every fifth is bad; users vote such answers down often, others seldom."""
    draw = random.Random(5)
    cases, seen = [], []
    for number in range(TRACES):
        bad = is_bad(number)
        words = ["".join(draw.choices("abdefgiklmnoprstu", k=7)) for _ in range(6)]
        events: list[dict[str, Any]] = [{"kind": "dwell", "seconds": draw.random() * 9}]
        if draw.random() < (0.7 if bad else 0.02):
            events.append({"kind": "thumbs_down", "reason": "wrong"})
        if draw.random() < (0.6 if bad else 0.05):
            events.append({"kind": "regenerate"})
        if draw.random() < (0.5 if bad else 0.05):
            events.append({"kind": "follow_up", "text": "Are you sure?"})
        intent = "refund" if number % 2 else "shipping"
        cases.append(
            {
                "id": f"trace-{number}",
                "question": f"Where are my {' '.join(words)} for the {intent}?",
                "tags": {"intent": intent},
                "split": "monitoring",
            }
        )
        line: dict[str, Any] = {
            "case_id": f"trace-{number}",
            "asked_at": 1_795_000_000 + 60 * number,
            "retrieved": [{"id": f"d{number % 7}", "text": f"Parcels of kind {number % 7}."}],
            "answer": {
                "answer_text": f"=It is at place {number} \x1b[31m\u202e.",
                "trace": {"confidence": round(0.3 + draw.random() * 0.3 + 0.3 * (not bad), 3)},
            },
            "feedback": {
                "exposed": ["thumbs_down", "thumbs_up", "regenerate", "follow_up", "dwell"],
                "events": events,
            },
        }
        if number % 50 == 49:
            line = {"case_id": f"trace-{number}", "error": "no answer"}
        seen.append(line)
    for name, rows in (("cases", cases), ("observations", seen)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text)


def start(folder: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-m", "ragproof", *arguments],
        cwd=folder,
        env=environment() | {"COLUMNS": "80"},
        text=True,
        encoding="utf-8",
        **{**pipes, **more},
    )


def call(folder: Path, *arguments: str, typed: str | bytes = "") -> Done:
    """Run the command in this process: what it raises is not caught, but for its exit."""
    hidden = dict.fromkeys({*os.environ} - {*environment()})
    runner = CliRunner(env={**hidden, "COLUMNS": "80"})
    with chdir(folder):
        done = runner.invoke(root, arguments, input=typed, catch_exceptions=False)
    return Done(done.exit_code, done.stdout, done.stderr)


def sample(folder: Path, out: str, *more: str) -> Done:
    return call(folder, "review", "sample", "week1", "--out", out, *more)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def keyed(path: Path) -> dict[str, dict[str, Any]]:
    return {one["item"]: one for one in read(path)[1:]}


def fill(queue: Path, key: Path, out: Path, says: Callable[[int], dict[str, Any]]) -> None:
    """Fill a queue in as people would who know which answers are bad."""
    hidden = keyed(key)
    rows = []
    for line in read(queue):
        number = int(hidden[line["item"]]["case_id"].partition("-")[2])
        rows.append({**line, **says(number)})
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))


def honest(number: int) -> dict[str, Any]:
    if is_bad(number):
        told = {"verdict": "bad", "reasons": ["wrong"], "distrust": True}
        return {**told, "better_answer": f"At place {number + 1}.", "sources": [1]}
    return {"verdict": "good", "distrust": False}


def scored_run(folder: Path) -> Path:
    """Write the traffic and score it."""
    traffic(folder)
    ran = call(
        folder,
        *("run", "--dataset", "cases.jsonl", "--recorded", "observations.jsonl"),
        *("--label", "week1", "--metrics", "monitoring.*,system.*", "--json"),
    )
    assert ran.code == 0, ran.err
    return folder
