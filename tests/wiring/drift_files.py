"""Questions and vectors in files, and the command as its user meets it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result

from ragproof.cli.main import root

TOPICS = {
    "pump": "How often must the {} pump of unit {} be checked for leaks?",
    "invoice": "Where can I see the {} invoice of order {} and pay it?",
}
WORDS = ("blue", "small", "heavy", "second", "spare", "main", "rear", "upper", "quiet", "old")
QUICK = ("--permutations", 99)


def questions(topic: str, number: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{topic}-{at}",
            "question": TOPICS[topic].format(WORDS[at % len(WORDS)], at),
            "tags": {"topic": topic},
        }
        for at in range(first, first + number)
    ]


def lines(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def array(path: Path, values: object) -> Path:
    np.save(path, np.asarray(values, dtype=np.float32))
    return path


def vectors(rows: int, seed: int = 0, shift: float = 0.0, size: int = 6) -> Any:
    found = np.random.default_rng(seed).normal(size=(rows, size))
    found[:, 0] = 3 * found[:, 0] + shift
    return found


def drift(*arguments: object) -> Result:
    runner = CliRunner(env={"COLUMNS": "80"})
    return runner.invoke(root, ["drift", *(str(one) for one in arguments)])


def document(*arguments: object) -> dict[str, Any]:
    told = drift(*arguments, "--json")
    assert told.exit_code in (0, 1), told.output
    assert told.stdout.isascii()
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def refused(*arguments: object) -> str:
    told = drift(*arguments)
    assert (told.exit_code, told.stdout) == (3, ""), told.output
    return told.stderr
