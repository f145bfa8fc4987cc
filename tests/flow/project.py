"""A user's project in a folder, and the command run in it as a user would run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

from ragproof.core import Outcome, Scored
from ragproof.store.open import open_store

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which a process counts as hanging."""
STORE = ".ragproof/ragproof.db"
LATENCY = "system.latency_seconds"

PIPELINE = """
    class Pipeline:
        def retrieve(self, question, k):
            note(question)
            return [{"id": "a", "text": "the a"}, {"id": "b"}]

        def answer(self, question):
            return {"answer_text": "yes", "citations": [{"chunk_id": "a"}]}
"""
"""A pipeline that does well."""
_NOTE = '''
import os

def note(text):
    """Write down that a question was asked; one write, so that threads do not mix."""
    file = os.open(os.path.join(os.path.dirname(__file__), "asked.log"),
                   os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, (text + "\\n").encode())
    os.close(file)

'''


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on stdout."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    def says(self, *words: str) -> bool:
        """Whether the one message on stderr has all these words, and no traceback."""
        assert "Traceback" not in self.err, self.err
        return all(word in self.err for word in words)


class Project:
    """A folder with `ragproof.yaml`, `pipe.py` and `dataset.jsonl`."""

    def __init__(self, folder: Path, pipeline: str = PIPELINE, *, cases: int = 10) -> None:
        self.folder = folder
        self.target = "pipe:Pipeline"
        self.pipeline(pipeline)
        self.dataset(question(number) for number in range(cases))
        self.config()

    def pipeline(self, source: str) -> None:
        """Write the pipeline's module, in which `note(question)` can be called."""
        self.write("pipe.py", _NOTE + dedent(source))

    def dataset(self, cases: Iterable[Mapping[str, Any]]) -> None:
        """Write the dataset."""
        self.write("dataset.jsonl", "".join(json.dumps(case) + "\n" for case in cases))

    def config(self, more: str = "", run: str = "{concurrency: 2}", adapter: str = "") -> None:
        """Write the config."""
        self.write(
            "ragproof.yaml",
            f"project: shop\nadapter: {{type: python, target: {self.target!r}{adapter}}}\n"
            f"dataset: dataset.jsonl\nrun: {run}\n{dedent(more)}",
        )

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the project."""
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    @property
    def store(self) -> Path:
        """Where runs are kept."""
        return self.folder / STORE

    @property
    def asked(self) -> list[str]:
        """The questions that the pipeline noted, in order."""
        log = self.folder / "asked.log"
        return log.read_text().splitlines() if log.exists() else []

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        """Start the command."""
        given: dict[str, Any] = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "cwd": self.folder,
            **more,
        }
        return subprocess.Popen(
            [sys.executable, "-m", "ragproof", *arguments],
            env=environment() | given.pop("env", {}),
            text=True,
            encoding="utf-8",
            **given,
        )

    def run(self, *arguments: str, **more: Any) -> Done:
        """Run the command to its end."""
        return ended(self.start(*arguments, **more))

    def outcomes(self, run_id: str) -> dict[tuple[str, int], dict[str, Outcome]]:
        """What became of every metric on every case; measured times are taken out."""
        with open_store(self.store, create=False) as store:
            cases = store.record(run_id).cases
            saved = [(case, store.detail(run_id, case.id, case.repeat)) for case in cases]
        return {
            (case.id, case.repeat): {row.key: _untimed(row.key, row.outcome) for row in one.rows}
            for case, one in saved
        }


def question(number: int, **more: object) -> dict[str, object]:
    """A case of the dataset."""
    return {
        "id": f"q{number}",
        "question": f"question {number}",
        "expected_source_ids": ["a"],
        "expected_answer": "yes",
        **more,
    }


def environment() -> dict[str, str]:
    """This process's, without what would configure ragproof or a terminal."""
    others = ("RAGPROOF_", "NO_COLOR", "FORCE_COLOR", "PYTHONWARNINGS", "COLUMNS", "TERM")
    return {name: value for name, value in os.environ.items() if not name.startswith(others)}


def ended(process: subprocess.Popen[str]) -> Done:
    """Wait for a command's end."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it hangs; stderr: {err}") from None
    return Done(process.returncode, out, err)


def eventually(ask: Callable[[], T], process: subprocess.Popen[str] | None = None) -> T:
    """Ask until the answer is yes, or the process has ended."""
    until = time.monotonic() + PATIENCE
    while not (answer := ask()):
        if process is not None and process.poll() is not None:
            return ask()
        if time.monotonic() > until:
            raise AssertionError("it never came about")
        time.sleep(0.002)
    return answer


def child_of(process: subprocess.Popen[str]) -> int | None:
    """The process that does the work; None before and after there is one."""
    try:
        text = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    except OSError:
        return None
    return int(text.split()[0]) if text.split() else None


def _untimed(key: str, outcome: Outcome) -> Outcome:
    return (
        replace(outcome, value=0.0) if key == LATENCY and isinstance(outcome, Scored) else outcome
    )
