"""Repeats of one run, and documents with their chunks, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.cli.main import root

PIPELINE = """
asked = []

class Pipeline:
    def retrieve(self, question, k):
        return [{"id": "a"}]

    def answer(self, question):
        asked.append(question)
        again = asked.count(question) > 2
        context = [{"id": "b" if again and question == "two?" else "a", "text": "x"}]
        text = "another" if again and question == "two?" else "the same"
        return {"answer_text": text, "retrieved_chunks": context, "trace": {"context": context}}

    def chunk(self, document):
        text = document["text"]
        return [{"id": str(at), "text": text[at : at + 8]} for at in range(0, len(text), 8)]
"""
CASES = [
    {"id": "one", "question": "one?"},
    {"id": "two", "question": "two?"},
    {
        "id": "doc",
        "kind": "document",
        "document": {"text": "Rest 1.\n- dust\n- dry it"},
        "expected_boundaries": [{"at": 8, "sensible": True}, {"at": 16, "sensible": False}],
    },
]


def test_repeats_of_a_run_are_compared_and_the_stage_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("repeated_pipeline.py").write_text(PIPELINE, encoding="utf-8")
    lines = "\n".join(json.dumps(case) for case in CASES)
    Path("cases.jsonl").write_text(lines, encoding="utf-8")
    Path("ragproof.yaml").write_text(
        "adapter: {type: python, target: repeated_pipeline:Pipeline}\ndataset: cases.jsonl\n"
        "run: {concurrency: 1}\n"
        "metrics: [system.reproducibility, chunking.boundary_quality, chunking.structure_intact]\n",
        encoding="utf-8",
    )
    root.main(["run", "--repeats", "4", "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)["metrics"]
    same = found["system.reproducibility[sameness=exact]"]
    assert (same["mean"], same["scored"]) == (pytest.approx(4 / 6), 2)
    assert found["chunking.boundary_quality"]["mean"] == 0.5
    assert found["chunking.structure_intact"]["mean"] == pytest.approx(1 / 3)
    root.main(["export", "--to", "jsonl", "rows.jsonl"], standalone_mode=False)
    rows = Path("rows.jsonl").read_text(encoding="utf-8").splitlines()
    told = [row for row in rows if "reproducibility" in row and '"two"' in row]
    assert told
    assert all("first_stage" in row and "context" in row for row in told)
