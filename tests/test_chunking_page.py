"""The recipes of the page on chunking, run as they stand there."""

from __future__ import annotations

import json
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, examples

from ragproof.cli.main import root

LIMIT = "44"
"""All 37 documents, and some questions."""


def test_the_recipes_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told: dict[str, dict[str, Any]] = {}
    for one in examples(pages=[ROOT / "docs/chunking.md"]):
        if one.mark == "file":
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
        for line in one.text.splitlines() if one.mark == "run" else ():
            name, *arguments = shlex.split(line)
            if name == "python":
                runpy.run_path(arguments[0])
                continue
            asked = [*arguments, "--limit", LIMIT, "--json"]
            assert root.main(asked, standalone_mode=False) == 0, line
            document = json.loads(capsys.readouterr().out)
            told[document["sweep"]] = document
    assert told.keys() == {"chunkers", "overlaps", "contexts"}
    assert {one["status"] for one in told.values()} == {"completed"}
    _chunkers_differ_in_what_they_tear(capsys)
    _overlap_costs_what_it_says(told["overlaps"], capsys)


def _figures(label: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    root.main(["report", label, "--json"], standalone_mode=False)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["metrics"]
    return found


def _chunkers_differ_in_what_they_tear(capsys: pytest.CaptureFixture[str]) -> None:
    torn = {
        name: _figures(f"sweep:chunkers/chunker={name}", capsys)
        for name in ("fixed", "recursive", "structural", "semantic")
    }
    intact = {name: one["chunking.structure_intact"]["mean"] for name, one in torn.items()}
    assert intact["structural"] > intact["recursive"] > intact["fixed"]
    for one in torn.values():
        assert one["chunking.attribution_fidelity"]["mean"] == 1
        assert one["retrieval.recall_at_k"]["scored"] == one["generation.token_f1"]["scored"] > 0
        assert one["chunking.size[statistic=max]"]["mean"] <= 512


def _overlap_costs_what_it_says(sweep: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    shares = [
        _figures(f"sweep:overlaps/overlap={overlap}", capsys)["chunking.duplicated_tokens"]["mean"]
        for overlap in ("0", "0.1", "0.2", "0.3")
    ]
    assert shares == pytest.approx([0, 0.1, 0.2, 0.3], abs=0.03)
    assert len(sweep["points"]) == 4
