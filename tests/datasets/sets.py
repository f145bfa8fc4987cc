"""Small datasets for the tests of what is done to datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragproof.core import Case, QuestionCase
from ragproof.datasets import load
from ragproof.wiring.dataset_import import Imported, ImportRequest, imported


def asked(id: str, question: str = "", **more: Any) -> QuestionCase:  # noqa: A002
    """A case with an answer, unless `more` says otherwise."""
    more.setdefault("expected_answer", "an answer of its own")
    return QuestionCase(id=id, question=question or f"what of {id}?", **more)


def lines(path: Path, *values: object) -> Path:
    """Write a JSON value a line."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    path.write_text(text, encoding="utf-8")
    return path


def got(form: str, source: Path, **more: Any) -> tuple[Imported, tuple[Case, ...]]:
    out = source.parent / "out.jsonl"
    found = imported(ImportRequest(form=form, source=source, out=out, **more))
    return found, load(out).cases


def one(form: str, source: Path, **more: Any) -> QuestionCase:
    _, cases = got(form, source, **more)
    assert isinstance(cases[0], QuestionCase)
    return cases[0]


def document(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path
