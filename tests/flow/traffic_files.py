"""Traffic to import, and the command that does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ragproof.cli.main import root

T0 = 1_772_000_000


class Done:
    """What a command left behind."""

    def __init__(self, *arguments: str | Path) -> None:
        done = CliRunner().invoke(root, [*map(str, arguments)])
        self.code, self.out, self.err = done.exit_code, done.stdout, done.stderr

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


def written(path: Path, *lines: Any) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def asked(name: str, question: str, at: float, session: str | None = None) -> dict[str, Any]:
    told = {"id": name, "question": question, "answer": "x", "at": T0 + at, "session": session}
    return {key: value for key, value in told.items() if value is not None}


def imported(folder: Path, *said: str | Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The document of an import, and each recorded line by its case."""
    done = Done("monitor", "import", *said, "--out", folder / "out", "--json")
    assert done.code == 0, done.err
    found = {one["case_id"]: one for one in lines(folder / "out" / "observations.jsonl")}
    return done.document, found


def span(number: int, **told: str) -> dict[str, Any]:
    pairs = [{"key": k.replace("__", "."), "value": {"stringValue": v}} for k, v in told.items()]
    return {
        "traceId": f"{number:032x}", "spanId": "1" * 16, "name": "chat",
        "startTimeUnixNano": str(T0 * 10**9), "endTimeUnixNano": str(T0 * 10**9 + 1),
        "attributes": pairs,
    }  # fmt: skip
