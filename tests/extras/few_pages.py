"""A corpus of three pages, questions about them, and what an adapter makes of a target."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragproof.adapters.framework import Framework, FrameworkAdapter
from ragproof.core import Observation, QuestionCase, Turn

HERE = Path(__file__).parent
PAGES = {
    "warranty.md": "The warranty of goods lasts 24 months from the date of purchase.",
    "returns.md": "Unused goods can be returned within 30 days.",
    "shipping.md": "Goods are delivered in four working days.",
}
QUESTIONS = {
    "warranty.md": "How long does the warranty of goods last?",
    "returns.md": "Until when can unused goods be returned?",
    "shipping.md": "In how many days are goods delivered?",
}
HISTORY = (Turn(role="user", content="Hello."), Turn(role="assistant", content="Hello!"))
CASES = [
    QuestionCase(id=page, question=question, history=HISTORY)
    for page, question in QUESTIONS.items()
]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def by_overlap(question: str) -> list[str]:
    """Pages by how many words they share with the question, the best first."""
    shared = {page: len(words(question) & words(text)) for page, text in PAGES.items()}
    return sorted(shared, key=lambda page: -shared[page])


def adapter(framework: Framework, target: str, depth: int = 2, **params: Any) -> FrameworkAdapter:
    return FrameworkAdapter.load(framework, target, params, HERE, depth)


def observed(
    framework: Framework, target: str, cases: Sequence[QuestionCase] = CASES[:1], **params: Any
) -> Sequence[Observation]:
    """What is seen of the cases, all put to the pipeline at once."""

    async def act() -> list[Observation]:
        one = adapter(framework, target, **params)
        try:
            return await asyncio.gather(*(one.observe(case) for case in cases))
        finally:
            await one.close()

    return asyncio.run(act())


def evaluated(framework: str, target: str, folder: Path, **params: Any) -> dict[str, Any]:
    """The JSON of a whole run over the three questions, by the command line."""
    lines = [
        {"id": page, "question": question, "expected_source_ids": [page]}
        for page, question in QUESTIONS.items()
    ]
    (folder / "dataset.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    adapter = {"type": framework, "target": target, "params": params}
    config = {"adapter": adapter, "dataset": "dataset.jsonl", "run": {"source_match": "document"}}
    (folder / "ragproof.yaml").write_text(json.dumps(config), encoding="utf-8")
    for file in HERE.glob("*.py"):
        if file.name != "conftest.py":
            (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    found: dict[str, Any] = json.loads(said(folder, "run", "--json"))
    return found


def started(framework: str, folder: Path) -> dict[str, Any]:
    """The JSON of a run of the files that a new project starts from."""
    said(folder, "init", "--from", framework)
    said(folder, "check")
    found: dict[str, Any] = json.loads(said(folder, "run", "--json"))
    return found


def said(folder: Path, *arguments: str) -> str:
    """What a command that succeeds prints."""
    shown = subprocess.run(
        [sys.executable, "-m", "ragproof", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert shown.returncode == 0, shown.stderr
    return shown.stdout
