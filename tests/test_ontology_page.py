"""The page on ontologies, run as it stands there."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from test_examples import ROOT, examples

from ragproof.cli.main import root
from ragproof.core import UsageError


def test_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "outputs").mkdir()
    page = list(examples(pages=[ROOT / "docs/ontology.md"]))
    for one in page:
        if one.mark == "file":
            (tmp_path / str(one.file)).write_text(one.text, encoding="utf-8")
    told: dict[str, Any] = {}
    for line in (line for one in page if one.mark == "run" for line in one.text.splitlines()):
        name, *arguments = shlex.split(line)[1:]
        code = root.main([name, *arguments, "--json"], standalone_mode=False)
        said = capsys.readouterr()
        assert code == 0, (line, said)
        told[name] = json.loads(said.out)
    steps = [one["detail"] for one in told["check"]["steps"] if one["name"] == "ontology"]
    assert len(steps) == 1
    assert "6 entities, 1 root, depth 3, 0 with several parents" in steps[0]
    figures = {name: one["mean"] for name, one in told["run"]["metrics"].items()}
    for name in ("hierarchical_f1", "wu_palmer", "sibling_confusion", "schema_validity"):
        assert figures[f"ontology.{name}"] == pytest.approx(0.5)
    assert figures["ontology.false_exclusion_rate"] == figures["ontology.over_linking_rate"] == 1
    points = {one["params"]["backend"]: one for one in told["sweep"]["points"]}
    assert [points[one]["quality"]["mean"] for one in ("free", "grammar")] == [0.5, 1.0]

    (tmp_path / "cars.csv").write_text((tmp_path / "cars.csv").read_text() + "boat,watercraft\n")
    assert root.main(["run", "--json", "--label", "later"], standalone_mode=False) == 0
    first = told["run"]["run_id"]
    root.main(["compare", first, "later", "--json"], standalone_mode=False)
    assert "version of ontology" in capsys.readouterr().out


def test_what_does_not_fit_is_told_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    mention = {"start": 0, "end": 1, "text": "?", "entity_id": "nobody"}
    case = {"id": "q", "question": "?", "expected_entities": [mention]}
    (tmp_path / "d.jsonl").write_text(json.dumps(case))
    (tmp_path / "r.jsonl").write_text('{"case_id": "q", "answer": {"answer_text": "?"}}')
    (tmp_path / "o.obo").write_text("[Term]\nid: a\nis_a: gone\n\n[Term]\nid: b\n")
    (tmp_path / "ragproof.yaml").write_text(
        "dataset: d.jsonl\nontology: o.obo\nadapter: {type: recorded, path: r.jsonl}\n"
    )
    assert root.main(["check", "--json"], standalone_mode=False) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    told = [one["detail"] for one in steps if one["name"] in ("ontology", "warning")]
    assert told[1].startswith("2 roots, which nothing joins")
    assert told[2] == "1 parent not in the ontology: gone (above a)"
    assert told[3] == "1 expected entity of 1 not in the ontology: nobody"
    (tmp_path / "o.obo").write_text("[Term]\nid: a\nis_a: a\n")
    with pytest.raises(UsageError, match=r"yaml:2: .*above themselves: a -> a"):
        root.main(["check"], standalone_mode=False)
