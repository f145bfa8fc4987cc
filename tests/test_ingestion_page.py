"""The recipe of the page on ingestion, run as it stands there."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, examples

from ragproof.cli.main import root


def test_parsers_are_compared_on_recorded_outputs_and_held_to_limits_by_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told: dict[str, Any] = {}
    for one in examples(pages=[ROOT / "docs/ingestion.md"]):
        if one.mark == "file":
            (tmp_path / str(one.file)).parent.mkdir(exist_ok=True)
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
        for line in one.text.splitlines() if one.mark == "run" else ():
            _, *arguments = shlex.split(line)
            assert root.main([*arguments, "--json"], standalone_mode=False) in {0, None}, line
            told[" ".join(arguments[:2])] = json.loads(capsys.readouterr().out)
            last = told[" ".join(arguments[:2])]
            told["by_class"] = last.get("by_class", told.get("by_class"))
    plain, layout = (point["quality"] for point in told["sweep"]["points"])
    assert plain["mean"] == pytest.approx(5 / 80)  # 4 edits of 38, 1 of 25, 0 of 17 characters
    assert layout["mean"] == 0
    by_class = told["sweep"]["points"][0]["parts"]["ingestion.cer"]
    assert by_class["scan"] == {"mean": pytest.approx(5 / 63), "scored": 2, "errors": 0}
    assert by_class["table"] == {"mean": 0, "scored": 1, "errors": 0}
    assert told["by_class"]["ingestion.cer"] == by_class  # of `ragproof run`, the same parser
    results = {one["detail"]: one["status"] for one in told["gate"]["results"]}
    assert list(results.values()) == ["pass", "pass"]
    assert any("0.0794" in detail for detail in results), results  # 5 of 63 characters of scans
    report = (tmp_path / "plain.html").read_text(encoding="utf-8")
    assert "document_class" in report
