"""Small datasets for the tests of what is done to datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragproof.core import QuestionCase


def asked(id: str, question: str = "", **more: Any) -> QuestionCase:  # noqa: A002
    """A case with an answer, unless `more` says otherwise."""
    more.setdefault("expected_answer", "an answer of its own")
    return QuestionCase(id=id, question=question or f"what of {id}?", **more)


def lines(path: Path, *values: object) -> Path:
    """Write a JSON value a line."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    path.write_text(text, encoding="utf-8")
    return path
