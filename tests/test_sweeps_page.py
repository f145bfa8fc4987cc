"""The recipes of the page on sweeps, run as they stand there."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, examples

from ragproof.cli.main import root
from ragproof.demo.pages import DATASET


def test_the_recipes_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATASET, tmp_path)
    told: dict[str, dict[str, Any]] = {}
    for one in examples(pages=[ROOT / "docs/sweeps.md"]):
        if one.mark == "file":
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
        for line in one.text.splitlines() if one.mark == "run" else ():
            name, *arguments = shlex.split(line)
            if name == "ragproof":
                few = [] if {"alpha.yaml", "--show"} & {*arguments} else ["--limit", "20"]
                assert root.main([*arguments, *few, "--json"], standalone_mode=False) == 0, line
                document = json.loads(capsys.readouterr().out)
                told[document["sweep"]] = document
    assert told.keys() == {"chunks", "lookups", "lanes", "alpha"}
    assert {one["status"] for one in told.values()} == {"completed"}
    assert "chunk_size=8, overlap=0.2" in (tmp_path / "sweep.md").read_text()
    assert "<svg" in (tmp_path / "sweep.html").read_text()

    looked = {one["params"]["lookup"]: one for one in told["lookups"]["points"]}
    assert looked["none"]["tokens"] == {"system.tokens[type=input]": 0.0}
    assert looked["full"]["cost"]["mean"] > 10 * looked["both"]["cost"]["mean"]
    assert looked["none"]["quality"]["mean"] < looked["lexical"]["quality"]["mean"]
    lanes = told["lanes"]["points"]
    assert [one["params"]["lookup"] for one in lanes] == ["dense", "lexical", "both"]
    assert len(told["lanes"]["selection"]["steps"]) == 2
    shares = {one["point"]: one["share"] for one in told["alpha"]["selection"]["shares"]}
    assert 0.75 < shares[1] < 0.85
    assert told["alpha"]["selection"]["decided"] is False
