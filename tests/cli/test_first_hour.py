"""The way of a new user, each command a process of its own: init, check, run, report, export."""

from __future__ import annotations

import csv
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Shown = subprocess.CompletedProcess[str]
WITHOUT = {"system.latency_seconds"}
"""Figures that no two runs share."""


def ragproof(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Shown:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAGPROOF_")}
    return subprocess.run(
        [sys.executable, "-m", "ragproof", *arguments],
        cwd=folder,
        env={**kept, **(environ or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def told(folder: Path, *arguments: str) -> Any:
    """The JSON document of a command that succeeds."""
    shown = ragproof(folder, *arguments, "--json")
    assert shown.returncode == 0, shown.stderr
    return json.loads(shown.stdout)


def means(run: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in run["metrics"].items() if key not in WITHOUT}


@pytest.fixture
def started(tmp_path: Path) -> Path:
    assert ragproof(tmp_path, "init").returncode == 0
    return tmp_path


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """The starter's server on a free port, to which the config is changed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "ragproof.yaml"
    config.write_text(config.read_text().replace(":8000/", f":{port}/"))
    server = subprocess.Popen(
        [sys.executable, "server.py", str(port)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout
    try:
        assert "listening" in server.stdout.readline()
        yield
    finally:
        server.kill()
        server.communicate()


def expect_sensible(run: Mapping[str, Any]) -> None:
    """One of four answerable questions is in other words than its document: it is not found."""
    assert run["status"] == "completed"
    assert run["cases"]["ok"] == 5
    assert run["metrics"]["retrieval.recall_at_k"]["mean"] == 0.75
    assert run["worst"][0]["case_id"] == "movie-loan"


def test_what_init_writes_passes_check_and_runs(started: Path) -> None:
    check = ragproof(started, "check")
    assert (check.returncode, check.stderr) == (0, "")
    assert "scored on it: " in check.stdout
    expect_sensible(told(started, "run"))


def test_recorded_answers_run_at_once(tmp_path: Path) -> None:
    assert ragproof(tmp_path, "init", "--from", "recorded").returncode == 0
    expect_sensible(told(tmp_path, "run"))


def test_a_service_is_asked_and_one_that_is_down_is_named(tmp_path: Path) -> None:
    assert ragproof(tmp_path, "init", "--from", "http").returncode == 0
    with served(tmp_path):
        assert told(tmp_path, "check")["ok"]
        expect_sensible(told(tmp_path, "run"))
    down = ragproof(tmp_path, "check")
    assert down.returncode == 2
    assert "the connection failed" in down.stderr


@pytest.mark.parametrize("kind", ["langchain", "llamaindex", "haystack"])
def test_a_framework_that_is_missing_is_one_sentence(tmp_path: Path, kind: str) -> None:
    core = {"langchain": "langchain_core", "llamaindex": "llama_index", "haystack": "haystack"}
    if find_spec(core[kind]):
        pytest.skip(f"{kind} is installed")
    assert ragproof(tmp_path, "init", "--from", kind).returncode == 0
    shown = ragproof(tmp_path, "check")
    assert (shown.returncode, shown.stdout) == (3, "")
    assert f"ragproof[{kind}]" in shown.stderr
    assert shown.stderr.count("\n") == 1


def test_init_says_what_it_wrote_and_what_comes_next(tmp_path: Path) -> None:
    first = told(tmp_path, "init")
    assert first["written"] == ["ragproof.yaml", "dataset.jsonl", "documents.jsonl", "pipeline.py"]
    assert first["next"][:2] == ["ragproof check", "ragproof run"]
    again = ragproof(tmp_path, "init", "--json")
    assert (again.returncode, again.stdout) == (3, "")
    assert "ragproof.yaml, dataset.jsonl, documents.jsonl, pipeline.py: there" in again.stderr
    unknown = ragproof(tmp_path, "init", "--from", "langchian")
    assert unknown.returncode == 3


def test_check_says_what_is_missing(started: Path) -> None:
    lines = (started / "dataset.jsonl").read_text().splitlines()
    cases = [
        {"id": f"q{at}", "question": json.loads(one)["question"]} for at, one in enumerate(lines)
    ]
    (started / "dataset.jsonl").write_text("\n".join(map(json.dumps, cases)))
    steps = told(started, "check")["steps"]
    missing = [one["detail"] for one in steps if one["name"] == "missing"]
    (sources,) = [one for one in missing if "case has no expected_source_ids" in one]
    assert sources.startswith("in every case of the dataset: ")
    assert "retrieval.recall_at_k" in sources
    (stages,) = [one for one in missing if "adapter does not expose stages: " in one]
    assert "system.stage_seconds" in stages
    assert not any("retrieval.recall_at_k" in one for one in missing if one != sources)


def test_check_fits_on_a_screen_and_blames_no_case_for_being_of_its_kind(started: Path) -> None:
    shown = ragproof(started, "check", environ={"COLUMNS": "80"}).stdout.splitlines()
    assert len(shown) <= 40
    assert any(one.startswith("metrics  ") and "scored on it: " in one for one in shown)
    missing = [one["detail"] for one in told(started, "check")["steps"] if one["name"] == "missing"]
    assert not any("robustness.abstention" in one for one in missing)  # a later case is about it


def test_ids_that_never_match_are_noticed(started: Path) -> None:
    documents = started / "documents.jsonl"
    documents.write_text(re.sub(r'"id": "(\w+)"', r'"id": "\1.md"', documents.read_text()))
    steps = told(started, "check")["steps"]
    (warning,) = [one["detail"] for one in steps if one["name"] == "warning"]
    assert "Expected is 'loans', retrieved 'loans.md', 'archive.md'" in warning
    run = told(started, "run")
    assert run["metrics"]["retrieval.recall_at_k"]["mean"] == 0.0
    assert "Do the ids match?" in run["warnings"][0]


def test_an_export_replayed_gives_the_same_figures(started: Path) -> None:
    run = told(started, "run")
    done = told(started, "export", "--to", "jsonl", "out.jsonl")
    assert done["observations"] == {"path": "out.observations.jsonl", "lines": 5}
    replayed = told(started, "run", "--recorded", "out.observations.jsonl", "--label", "replayed")
    assert replayed["metrics"] == run["metrics"]
    rows = [json.loads(line) for line in (started / "out.jsonl").read_text().splitlines()]
    counts = ("scored", "skipped", "not_applicable", "errors")
    told_of = sum(figures[count] for figures in run["metrics"].values() for count in counts)
    # of several figures a case may have one: it then has no row for the others
    assert told_of - 5 <= len(rows) == done["rows"] <= told_of
    for key, figures in run["metrics"].items():
        scores = [one["value"] for one in rows if one["metric"] == key and one["value"] is not None]
        assert len(scores) == figures["scored"]
        if scores:
            assert sum(scores) / len(scores) == pytest.approx(figures["mean"])


FAULTY = """
import time
from pipeline import Pipeline

class Faulty(Pipeline):
    def retrieve(self, question, k):
        if "card" in question:
            raise ValueError("=1+1, \\ud800\\x00 'quoted'")
        if "bicycle" in question:
            time.sleep(60)
        return super().retrieve(question, k)
"""


def test_failures_are_exported_and_replayed_as_failures(started: Path) -> None:
    (started / "faulty.py").write_text(FAULTY)
    config = started / "ragproof.yaml"
    changed = config.read_text().replace("pipeline:build", "faulty:Faulty")
    config.write_text(changed.replace("# case_timeout_seconds: 60", "case_timeout_seconds: 5"))
    run = json.loads(ragproof(started, "run", "--json").stdout)
    assert (run["cases"]["errors"], run["cases"]["timeouts"]) == (1, 1)
    told(started, "export", "--to", "csv", "out.csv")
    with (started / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    causes = {(one["case_id"], one["cause"]) for one in rows if one["status"] == "error"}
    assert causes == {("lost-card", "adapter"), ("bicycle", "timeout")}
    replayed = told(started, "run", "--recorded", "out.observations.jsonl")
    assert replayed["cases"] == run["cases"]
    assert replayed["metrics"] == run["metrics"]


def test_the_observations_go_where_they_are_told_or_nowhere(started: Path) -> None:
    told(started, "run")
    told(started, "export", "--to", "csv", "a.csv", "--observations", "seen.jsonl")
    assert (started / "seen.jsonl").is_file()
    alone = told(started, "export", "--to", "csv", "b.csv", "--no-observations")
    assert alone["observations"] is None
    assert not (started / "b.observations.jsonl").exists()
    both = ["--observations", "x", "--no-observations"]
    assert ragproof(started, "export", "--to", "csv", "c.csv", *both).returncode == 3
    same = ragproof(started, "export", "--to", "csv", "c.csv", "--observations", "c.csv")
    assert (same.returncode, "cannot be one file" in same.stderr) == (3, True)
    assert not (started / "c.csv").exists()


def test_of_repeats_the_first_is_a_recorded_line_and_all_are_rows(started: Path) -> None:
    told(started, "run", "--repeats", "3")
    shown = ragproof(started, "export", "--to", "jsonl", "out.jsonl", "--json")
    assert "10 repeats left out" in shown.stderr
    done = json.loads(shown.stdout)
    assert done["observations"]["lines"] == 5
    rows = [json.loads(line) for line in (started / "out.jsonl").read_text().splitlines()]
    assert {one["repeat"] for one in rows} == {0, 1, 2}


def test_an_export_that_cannot_be_written_leaves_nothing(started: Path) -> None:
    told(started, "run")
    shown = ragproof(started, "export", "--to", "csv", "no/such/folder.csv")
    assert (shown.returncode, shown.stderr.count("\n")) == (2, 1)
    unwritten = ["--to", "csv", "out.csv", "--observations", "no/such/folder.jsonl"]
    assert ragproof(started, "export", *unwritten).returncode == 2
    assert not (started / "out.csv").exists()
    assert not [path for path in started.iterdir() if path.name.endswith(".tmp")]


def test_an_export_of_no_run_or_no_format_is_wrong_input(started: Path) -> None:
    assert ragproof(started, "export", "--to", "xml", "out.xml").returncode == 3
    assert ragproof(started, "export", "--to", "csv", "out.csv").returncode == 3
    assert not (started / "out.csv").exists()


def test_markdown_is_written_or_printed_alone(started: Path) -> None:
    told(started, "run")
    alone = ragproof(started, "report", "--markdown", "-")
    assert alone.returncode == 0
    assert alone.stdout.startswith("### `my-rag`\n\ncompleted: 5 of 5 cases ok\n")
    written = ragproof(started, "report", "--markdown", "c.md", "--html", "r.html")
    assert (started / "c.md").read_text() == alone.stdout
    assert written.stdout == ""
    assert written.stderr == "wrote r.html\nwrote c.md\n"
    both = ragproof(started, "report", "--markdown", "-", "--json")
    assert (both.returncode, both.stdout) == (3, "")


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal_but_for_words(started: Path, width: int) -> None:
    narrow = {"COLUMNS": str(width), "NO_COLOR": "1"}
    for command in (["check"], ["run"], ["metrics"], ["runs"]):
        shown = ragproof(started, *command, environ=narrow)
        assert shown.returncode == 0
        assert "\x1b" not in shown.stdout
        assert max(map(len, shown.stdout.splitlines())) <= width
        assert not re.search(r"…|\.\.\.$", shown.stdout.replace(", ...", ""))
