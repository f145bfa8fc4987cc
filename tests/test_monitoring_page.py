"""What the page on production traffic says, done as it stands there."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, examples

from ragproof.cli.main import root

PAGE = ROOT / "docs/monitoring.md"
MORE = ",robustness.refused,generation.quantities_supported,generation.citation_validity"
"""What the page has both runs of a shadow evaluation measure."""


def call(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    name, *arguments = shlex.split(line)
    assert name == "ragproof"
    code = root.main([*arguments, "--json"], standalone_mode=False)
    return code or 0, json.loads(capsys.readouterr().out)


def test_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = [*examples(pages=[PAGE])]
    for one in found:
        if one.mark == "file":
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
    (first,) = (one for one in found if one.mark == "run")
    demo, run = first.text.splitlines()
    assert root.main(shlex.split(demo)[1:], standalone_mode=False) in (0, None)
    capsys.readouterr()
    assert call(run.replace("cost_usd'", f"cost_usd{MORE}'"), capsys)[0] == 0

    wanted = ("monitor report", "monitor check", "monitor calibrate", "run -c", "compare")
    told: dict[str, tuple[int, dict[str, Any]]] = {}
    for one in found:
        for line in one.text.splitlines() if one.language == "sh" else ():
            if line.startswith(tuple(f"ragproof {each}" for each in wanted)):
                told[line] = call(line, capsys)
    assert len(told) == 7
    checked = next(one for line, one in told.items() if "check" in line)
    assert checked[0] == 1
    (slow,) = (one for one in checked[1]["results"] if one["status"] == "alert")
    assert slow["metric"] == "system.latency_seconds"
    assert slow["triage"]["points_to"] == "regression"
    assert slow["triage"]["releases"][0]["name"] == "1.5.0"
    assert checked[1]["chance_to_err"] == pytest.approx(1 / 30 / 5)
    compared = next(one for line, one in told.items() if "compare" in line)
    assert compared[0] == 0
    assert compared[1]["metrics"]["robustness.refused[situation=unlabelled]"]["pairs"] > 200
    assert [code for line, (code, _) in told.items() if "check" not in line] == [0] * 6


def test_a_shadow_that_may_write_does_not_start() -> None:
    (code,) = (one for one in examples("python", pages=[PAGE]) if one.file == "candidate.py")
    made: dict[str, Any] = {}
    exec(code.text, made)
    with pytest.raises(ValueError, match="dry_run: true"):
        made["Candidate"](dry_run=False)
