"""A folder with a corpus and a scripted model, in which `ragproof generate` is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from model_server import PRICES, Provider
from scripted_writer import Writer, corpus

from ragproof.cli.generate import command
from ragproof.core import QuestionCase
from ragproof.datasets import load

VARIABLES = ("GEN_MODEL", "STORE", "LLM_BASE_URL", "MAX_COST_USD", "MAX_CONCURRENCY")


def bad(manner: str, reply: str) -> str:
    """What a model of this manner writes instead of a good draft."""
    draft = json.loads(reply)
    if manner == "refusing":
        return "I am sorry, but I cannot help with that."
    if manner == "garbage":
        return '{"question": 5, "answer"'
    changes = {
        "lazy": {"question": "Has it been kept in the yard since the spring, beside the gate?"},
        "wrong_language": {"question": "Wie schwer ist das denn, und wann wurde es gebaut?"},
        "invented_quote": {"quote": f"Surely {draft['quote']}"},
        "no_answer_in_quote": {"answer": "12 tons"},
        "told": {"question": f"{draft['question']} Is it {draft['answer']}?"},
        "wrong_answer": {"answer": draft["quote"].split()[2]},
        "off_topic": {"question": "When does the train for the coast leave?"},
        "nothing": {"question": ""},
    }
    return json.dumps({**draft, **changes[manner]})


class Caller:
    """A folder with a corpus, in which the command is called."""

    def __init__(self, folder: Path, provider: Provider) -> None:
        self.folder, self.provider = folder, provider
        (folder / "docs").mkdir()
        for name, text in corpus().items():
            (folder / "docs" / name).write_text(text)
        self.config()

    def config(self, more: str = "", concurrency: int = 8) -> None:
        judge = f"base_url: {self.provider.url!r}, prices: {PRICES}, concurrency: {concurrency}"
        lines = ["project: yard", "generation_model: g", more, "judge: {" + judge + "}"]
        (self.folder / "ragproof.yaml").write_text("\n".join(lines))

    def write_as(self, manner: str, numbers: range) -> Writer:
        """Have the drafts of these numbers be bad."""

        def reply(number: int, good: str) -> str | None:
            return bad(manner, good) if number in numbers else None

        writer = Writer(reply)
        self.provider.says_by = {"g": writer}
        return writer

    def __call__(self, *said: str, out: str = "set.jsonl") -> tuple[int, Any]:
        said = ("--corpus", "docs", "--out", out, *said)
        done = CliRunner().invoke(command, said, standalone_mode=False)
        if done.exception is not None:
            raise done.exception
        shown = json.loads(done.stdout) if "--json" in said else done.output
        return done.return_value or 0, shown

    def cases(self, out: str = "set.jsonl") -> list[QuestionCase]:
        return [one for one in load(self.folder / out).cases if isinstance(one, QuestionCase)]

    def rejects(self, out: str = "set.rejects.jsonl") -> list[dict[str, Any]]:
        path = self.folder / out
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
