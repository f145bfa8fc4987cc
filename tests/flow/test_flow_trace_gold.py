"""`ragproof trace-gold` on recorded answers, as a user runs it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from project import Project

from ragproof.cli.main import exit_code
from ragproof.cli.trace_gold import command
from ragproof.core import RunState
from ragproof.store.open import open_store

STAGES = ("corpus", "chunking", "filter", "retrieval", "reranking", "context", "answer")
SOURCES = {
    "kept": ["d1"],
    "filtered": ["d2"],
    "partly": {"d1": 2, "d3": 1},
    "uncited": ["d1"],
    "gone": ["d9"],
    "down": ["d1"],
    "open": None,
}
TRACE = {
    "survivors": ["d1", "d3"],
    "candidates": [{"id": "d1"}, {"id": "d3"}],
    "reranked": [{"id": "d1"}],
    "context": [{"id": "d1"}],
}
EVIL = "<script>alert(1)</script>\x1b[31m"


def lines() -> Iterator[str]:
    """The dataset and what was recorded."""
    cases, seen = [], []
    for name, sources in SOURCES.items():
        case = {"id": name, "question": f"What of {name}? {EVIL}", "expected_source_ids": sources}
        cases.append({key: value for key, value in case.items() if value is not None})
        cited = [] if name == "uncited" else [{"chunk_id": "d1"}]
        answer = {"answer_text": "yes", "citations": cited, "trace": TRACE}
        one = {"case_id": name, "retrieved": [{"id": "d1"}], "answer": answer}
        seen.append({"case_id": name, "error": "refused"} if name == "down" else one)
    for many in (cases, seen):
        yield "".join(json.dumps(one) + "\n" for one in many)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run."""
    project = Project(tmp_path_factory.mktemp("traced"))
    dataset, seen = lines()
    project.write("dataset.jsonl", dataset)
    project.write("seen.jsonl", seen)
    corpus = "".join(json.dumps({"id": f"d{at}", "text": "?"}) + "\n" for at in (1, 2, 3))
    project.write("corpus.jsonl", corpus)
    project.config("corpus: corpus.jsonl")
    done = project.run("run", "--recorded", "seen.jsonl", "--metrics", "retrieval.*,citation.*")
    assert done.code == 0, done.err
    return project.folder


def called(folder: Path, *arguments: str) -> Result:
    given = [*arguments, "--config", str(folder / "ragproof.yaml")]
    return CliRunner().invoke(command, given, catch_exceptions=False, env={"COLUMNS": "80"})


def document(folder: Path, *arguments: str) -> dict[str, Any]:
    done = called(folder, "--json", *arguments)
    assert done.exit_code == 0
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_document_is_that_of_the_contract(folder: Path) -> None:
    found = document(folder)
    wanted = {**dict.fromkeys(STAGES, 0), "kept": 1, "not_observed": 0}
    lost = {"filter": 1, "reranking": 1, "answer": 1, "corpus": 1}
    assert found["counts"] == {**wanted, **lost}
    assert list(found["counts"]) == [*STAGES, "kept", "not_observed"]
    cases = {one["case_id"]: one for one in found["cases"]}
    assert {name: one["lost_at"] for name, one in cases.items()} == {
        "kept": None,
        "filtered": "filter",
        "partly": "reranking",
        "uncited": "answer",
        "gone": "corpus",
    }
    partly = cases["partly"]
    assert (partly["missing"], partly["partial"]) == (["d3"], True)
    assert partly["not_observed"] == ["chunking"]
    assert [one["case_id"] for one in found["failed"]] == ["down"]
    assert found["without_gold"] == 1
    assert found["warnings"] == []
    assert found["stages"]["retrieval"]["metrics"]["retrieval.recall_at_k"] is not None


def test_the_page_for_people_names_stages_cases_and_metrics(folder: Path) -> None:
    shown = called(folder).stdout
    assert "5 cases with gold: 1 kept it, 4 lost it (1 in part)" in shown
    assert re.search(r"Lost at reranking: 1 case .*\n(.*\n)*?.*partly .*\n.*missing +d3", shown)
    assert "citation.gold_recall" in shown
    assert "1 case failed, in no count: down" in shown
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_of_a_run_that_was_not_finished_it_is_said(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "copy.db"
    shutil.copy(folder / ".ragproof/ragproof.db", store)
    with open_store(store) as opened:
        run_id = opened.find("latest").header.id
        opened.begin(opened.find("latest").header)
        opened.finish(run_id, RunState.INTERRUPTED, {})
    (warning,) = document(folder, "--store", str(store))["warnings"]
    assert warning == "the run is interrupted: cases that were not tried are in no count"


def test_one_case_is_shown_stage_by_stage(folder: Path) -> None:
    shown = called(folder, "--case", "partly").stdout
    assert "lost at reranking, 1 of 2 sources" in shown
    assert re.search(r"d1 \(grade 2\)\n.*corpus +there", shown)
    assert re.search(r"reranking +missing <- lost here", shown)
    assert document(folder, "--case", "partly")["counts"]["reranking"] == 1


def test_only_cases_that_fall_short_by_a_metric_are_kept(folder: Path) -> None:
    found = document(folder, "--failing", "citation.gold_recall")
    assert {one["case_id"] for one in found["cases"]} == {"filtered", "partly", "uncited", "gone"}
    assert found["only"] == "cases that fall short by citation.gold_recall"


def test_the_page_escapes_what_it_shows(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "gold.html"
    assert called(folder, "--html", str(target)).exit_code == 0
    page = target.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "\x1b" not in page
    assert all(f"gold-{stage}" in page for stage in ("corpus", "filter", "reranking", "answer"))
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], ["nothing"]),
        (["--case", "partyl"], ["partyl", "Did you mean 'partly'?"]),
        (["--failing", "citation.gold_recal"], ["Did you mean 'citation.gold_recall'?"]),
        (["--failing", "system.latency_seconds"], ["--failing", "no metric"]),
        (["--corpus", "nowhere.jsonl"], ["nowhere.jsonl", "no such file"]),
    ],
)
def test_wrong_input_is_one_sentence(
    folder: Path, arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*arguments, "--json", "--config", str(folder / "ragproof.yaml")]
    code = exit_code(lambda: command.main(given, standalone_mode=False))
    said = capsys.readouterr()
    assert (code, said.out) == (3, "")
    assert all(word in said.err for word in words), said.err
