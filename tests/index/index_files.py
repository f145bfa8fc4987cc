"""Vectors in files, a pipeline that searches them, and the command as its user meets it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result

from ragproof.cli.main import root

PLACES = [[1, 0], [0, 1], [2, 0], [1, 1], [-1, 0]]
"""Of five vectors; by L2 the nearest to (1.2, 0) are 0 (at 0.2), 2 (0.8), 3, 1, 4."""

PIPELINE = """
class Index:
    def __init__(self, **params):
        self.params, self.texts = params, {}
    def embed(self, texts):
        print("noise on stdout")
        return [[float(one) for one in text.split(",")] for text in texts]
    def search(self, vector, k):
        if vector[0] < 0:
            raise ValueError("no such region")
        return ["a", "b", "c"][:k]
    def add(self, document):
        if "refuse" in document["text"]:
            raise ValueError("refused")
        if "lose" not in document["text"]:
            self.texts[document["id"]] = document["text"]
    def retrieve(self, question, k):
        found = [one for one, text in self.texts.items() if question in text]
        return [{"id": one + "#1", "text": self.texts[one]} for one in found[:k]]
"""


def lines(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def array(path: Path, values: object, dtype: str = "float32") -> Path:
    np.save(path, np.array(values, dtype=dtype))
    return path


def project(folder: Path, config: Mapping[str, Any] | None = None) -> Path:
    """A config and a pipeline."""
    (folder / "index_pipeline.py").write_text(PIPELINE, encoding="utf-8")
    adapter = {"type": "python", "target": "index_pipeline:Index"}
    text = json.dumps({"adapter": adapter, **(config or {})})
    (folder / "ragproof.yaml").write_text(text, encoding="utf-8")
    return folder / "ragproof.yaml"


def asked(*arguments: object) -> Result:
    runner = CliRunner(env={"COLUMNS": "80"})
    return runner.invoke(root, ["index", *(str(one) for one in arguments)])


def document(*arguments: object) -> dict[str, Any]:
    told = asked(*arguments, "--json")
    assert told.exit_code in (0, 1), told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    assert (told.exit_code == 0) == (found.get("verdict", "pass") == "pass")
    return found


def refused(*arguments: object) -> str:
    told = asked(*arguments)
    assert told.exit_code == 3, told.output
    return told.stderr
