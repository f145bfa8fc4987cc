"""A folder with a dataset and a judged pool, in which `ragproof dataset nuggets` is called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from generate_caller import VARIABLES
from model_server import PRICES, Provider, serving

from ragproof.cli.dataset_nuggets import command
from ragproof.core import QuestionCase
from ragproof.datasets import load

PASSAGE = re.compile(r"<passage-(\w+)([^>]*)>\n(.*?)\n</passage-\1>", re.DOTALL)
NUGGET = re.compile(r"<nugget-(\w+)([^>]*)>\n(.*?)\n</nugget-\1>", re.DOTALL)
ID = re.compile(r'id="(\w+)"')


def scripted(text: str) -> str:
    """A judge that makes a nugget of each passage, finds it there, and calls weights vital."""
    system, _, user = text.partition("\nQuestion:" if "Question:" in text else "\nNuggets:")
    nuggets = [(ID.search(more), body) for _, more, body in NUGGET.findall(user)]
    passages = [(ID.search(more), body) for _, more, body in PASSAGE.findall(user)]
    if '"importance"' in system:
        rated = [
            {"id": id_[1], "importance": "vital" if "kg" in body else "okay"}
            for id_, body in nuggets
            if id_
        ]
        return json.dumps({"nuggets": rated})
    if '"said_by"' in system:
        held = []
        for id_, body in nuggets:
            said = [
                {"passage": name[1], "quote": body}
                for name, text_ in passages
                if name and body in text_
            ]
            held.append({"id": id_ and id_[1], "said_by": said})
        return json.dumps({"nuggets": held})
    known = [body for _, body in nuggets]
    return json.dumps({"nuggets": [*dict.fromkeys([*known, *(body for _, body in passages)])]})


def pool(case: str, *found: tuple[str, str, int | None]) -> list[dict[str, Any]]:
    return [
        {"case_id": case, "source_id": source, "text": text, "grade": grade, "best_rank": rank}
        for rank, (source, text, grade) in enumerate(found, 1)
    ]


DATASET: list[dict[str, Any]] = [
    {"id": "a", "question": "How heavy is Alder?", "distractor_source_ids": ["d3"]},
    {"id": "no", "kind": "unanswerable", "question": "What colour is it?"},
    {"id": "b", "question": "And Birch?", "history": [{"role": "user", "content": "Trees?"}]},
    {
        "id": "has",
        "question": "How heavy is Cedar?",
        "expected_nuggets": [{"text": "It weighs 9kg.", "vital": True, "aliases": ["nine"]}],
    },
    {"id": "c", "question": "Dogwood?"},
]
POOL = [
    *pool(
        "a",
        ("d1", "Alder stands in the yard.", None),
        ("d2", "Alder weighs 7kg.", 2),
        ("d3", "Alder weighs 8kg.", None),
        ("d4", "Nothing of use.", 0),
        ("d5", "Alder  stands in the yard.", None),
    ),
    *pool("b", ("d6", "Birch weighs 3kg.", 1)),
    *pool("has", ("d7", "It weighs 9kg.", 1), ("d8", "Cedar is old.", 1)),
    *pool("c", ("d9", "Dogwood is red.", None)),
]


@dataclass
class Caller:
    """A folder with a dataset and a judged pool."""

    folder: Path
    provider: Provider

    def config(self, more: str = "", concurrency: int = 8) -> None:
        judge = f"base_url: {self.provider.url!r}, prices: {PRICES}, concurrency: {concurrency}"
        lines = ["project: yard", more, "judge: {model: j, " + judge + "}"]
        (self.folder / "ragproof.yaml").write_text("\n".join(lines))

    def __call__(self, *said: str, out: str = "out.jsonl") -> tuple[int, Any]:
        said = ("set.jsonl", "--pool", "pool.jsonl", "--out", out, *said)
        return called(command, *said)

    def cases(self, out: str = "out.jsonl") -> dict[str, QuestionCase]:
        found = load(self.folder / out).cases
        return {one.id: one for one in found if isinstance(one, QuestionCase)}


def called(what: click.Command, *said: str) -> tuple[int, Any]:
    done = CliRunner().invoke(what, said, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    shown = json.loads(done.stdout) if "--json" in said else done.output
    return done.return_value or 0, shown


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@contextmanager
def nugget_caller(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    """Have the command called in the folder, with the scripted judge."""
    for name in (*VARIABLES, "JUDGE_MODEL"):
        monkeypatch.delenv(f"RAGPROOF_{name}", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)
    write(folder / "set.jsonl", DATASET)
    write(folder / "pool.jsonl", POOL)
    with serving(Provider(says_by={"j": scripted})) as provider:
        caller = Caller(folder, provider)
        caller.config()
        yield caller
