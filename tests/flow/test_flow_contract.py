"""What scripts rely on: the JSON of the commands, and what goes to which stream."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from functools import partial
from pathlib import Path

import pytest
from project import Done, Project, ended, question

FIGURES = {
    "mean", "p50", "p95", "p99", "ci95", "interval", "scored", "skipped", "not_applicable",
    "errors", "completion", "skip_reasons", "better", "unit",
}  # fmt: skip
RUN = ("run", "--dataset", "d.jsonl", "--recorded", "o.jsonl")
RECALL = "retrieval.recall_at_k"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Done]:
    """Five cases, of which one has no line and one failed, and two lines for no case."""
    project = Project(tmp_path_factory.mktemp("recorded"))
    (project.folder / "ragproof.yaml").unlink()
    project.write("d.jsonl", "".join(json.dumps(question(number)) + "\n" for number in range(5)))
    answer = {"answer_text": "yes", "citations": [{"chunk_id": "a"}]}
    lines = [
        {"case_id": "q0", "retrieved": [{"id": "a"}], "answer": answer, "seconds": 0.5},
        {"case_id": "q1", "retrieved": [{"id": "b"}], "answer": answer, "seconds": 1.5},
        {"case_id": "q2", "retrieved": [{"id": "b"}, {"id": "a"}], "answer": {"answer_text": "no"}},
        {"case_id": "q3", "timeout": True, "seconds": 60},
        {"case_id": "other"},
        {"case_id": "another"},
    ]
    project.write("o.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    return project, project.run(*RUN, "--json")


def test_a_recording_needs_no_config(recorded: tuple[Project, Done]) -> None:
    project, done = recorded
    assert done.code == 0, done.err
    assert project.store.exists()
    told = done.document
    assert (told["label"], told["status"], told["project"]) == (None, "completed", "d")
    assert (told["k"], told["source_match"], told["dataset"]["cases"]) == (5, "chunk", 5)
    assert len(told["dataset"]["hash"]) == 64


def test_every_key_of_the_contract_is_there(recorded: tuple[Project, Done]) -> None:
    told = recorded[1].document
    assert told.keys() >= {"run_id", "label", "status", "cases", "metrics", "judge", "dataset", "k"}
    assert told["cases"].keys() >= {"total", "ok", "errors", "timeouts"}
    assert told["judge"] == {
        "model": None, "prompt_hashes": {}, "calls": 0, "cache_hits": 0, "cost_usd": 0.0,
        "unanswered_usd": 0.0, "calibration": [], "replies": None,
    }  # fmt: skip
    assert {RECALL, "retrieval.mrr", "echo.exact_match", "generation.citation_validity"} <= set(
        told["metrics"]
    )
    for figures in told["metrics"].values():
        assert figures.keys() >= FIGURES


def test_a_case_without_a_line_is_an_error_of_every_metric(recorded: tuple[Project, Done]) -> None:
    told = recorded[1].document
    cases = told["cases"]
    assert (cases["total"], cases["ok"], cases["errors"], cases["timeouts"]) == (5, 3, 1, 1)
    recall = told["metrics"][RECALL]
    # q0 and q2 find a, q1 does not; q3 and q4 are errors
    assert (recall["mean"], recall["scored"], recall["errors"]) == (pytest.approx(2 / 3), 3, 2)
    assert (recall["completion"], recall["interval"]) == (0.6, "wilson")
    assert all(figures["errors"] == 2 for figures in told["metrics"].values())
    cited = told["metrics"]["generation.citation_validity"]
    assert (cited["mean"], cited["skip_reasons"]) == (0.5, {"answer has no citations": 1})


def test_lines_for_unknown_cases_are_a_warning_with_a_count(recorded: tuple[Project, Done]) -> None:
    (warning,) = recorded[1].document["warnings"]
    assert warning == "o.jsonl: lines for cases that the dataset does not have: 2"


def test_a_report_says_the_same(recorded: tuple[Project, Done]) -> None:
    project, done = recorded
    told = project.run("report", "--json").document
    changed = {key for key in done.document if told[key] != done.document[key]}
    assert changed <= {"warnings"}


def test_the_other_commands_print_one_document_too(recorded: tuple[Project, Done]) -> None:
    project, done = recorded
    (listed,) = project.run("runs", "--json").document["runs"]
    assert listed.items() >= {"run_id": done.document["run_id"], "status": "completed"}.items()
    explained = project.run("metrics", RECALL, "--json").document
    assert explained["id"] == RECALL
    known = json.loads(project.run("metrics", "--json").out)
    assert explained in known
    frozen = project.run("freeze", "d.jsonl", "--json").document
    assert frozen["hash"] == done.document["dataset"]["hash"]
    again = project.run(
        "check", "--dataset", "d.frozen.json", "--recorded", "o.jsonl", "--json"
    ).document
    assert again["ok"] is True
    assert {step["name"] for step in again["steps"]} >= {"dataset", "store", "adapter", "pipeline"}


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}, {"TERM": "xterm-256color"}])
def test_a_pipe_gets_neither_colour_nor_progress(
    recorded: tuple[Project, Done], variables: dict[str, str]
) -> None:
    project, _ = recorded
    for command in (("report",), ("metrics",), (*RUN, "--store", "o.db")):
        done = project.run(*command, env=variables)
        assert (done.code, done.err) == (0, "")
        assert not {"\x1b", "\r"} & set(done.out)


@pytest.mark.parametrize("variables", [{"TERM": "xterm"}, {"TERM": "xterm", "NO_COLOR": "1"}])
def test_a_terminal_gets_progress_and_colour_only_where_it_wants_it(
    recorded: tuple[Project, Done], variables: dict[str, str]
) -> None:
    project, _ = recorded
    ours, theirs = pty.openpty()
    process = project.start(
        *(*RUN, "--store", "pty.db"),
        stdout=theirs,
        stderr=theirs,
        env=variables,
    )
    os.close(theirs)
    shown = _all_of(ours)
    assert ended(process).code == 0
    assert "5 of 5 cases (100 %)" in shown
    is_coloured = re.search(r"\x1b\[[0-9;]*[34][0-7]m", shown)
    assert not (is_coloured and "NO_COLOR" in variables)
    assert "\x1b[1m" in shown


@pytest.mark.parametrize("command", ["metrics", "report"])
def test_a_reader_that_has_seen_enough_is_no_failed_gate(
    recorded: tuple[Project, Done], command: str
) -> None:
    process = recorded[0].start(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    done = ended(process)
    assert (done.code, done.err) == (2, "")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_run_whose_reader_has_seen_enough_ends_by_its_own_code(
    recorded: tuple[Project, Done], form: tuple[str, ...]
) -> None:
    project, store = recorded[0], f"cut{len(form)}.db"
    process = project.start(*RUN, "--store", store, *form, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    done = ended(process)
    assert (done.code, done.err) == (0, "")
    kept = project.run("report", "--store", store, "--json")
    assert kept.document["status"] == "completed"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("command", ["runs", "report --json", "metrics", "freeze d.jsonl"])
def test_output_that_cannot_be_written_is_one_sentence(
    recorded: tuple[Project, Done], command: str
) -> None:
    with Path("/dev/full").open("w") as full:
        done = recorded[0].run(*command.split(), stdout=full)
    assert done.code == 2
    assert done.says("the output could not be written: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize(("command", "code"), [("nonsense", 3), ("report nothing", 3), ("runs", 0)])
def test_the_exit_code_holds_though_nobody_hears_why(
    recorded: tuple[Project, Done], command: str, code: int
) -> None:
    with Path("/dev/full").open("w") as full:
        assert recorded[0].run(*command.split(), stderr=full).code == code


def test_closed_streams_are_no_failed_gate(recorded: tuple[Project, Done]) -> None:
    project, _ = recorded
    done = project.run(
        *(*RUN, "--store", "closed.db", "--json"),
        preexec_fn=partial(os.closerange, 2, 3),
    )
    assert (done.code, done.document["status"]) == (0, "completed")


def test_the_demo_shows_a_page_and_a_document(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "ragproof.yaml").unlink()
    done = project.run("demo", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    assert (tmp_path / "ragproof-demo.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / ".ragproof/demo.db").exists()
    assert not project.asked
    assert project.run("report", "--store", ".ragproof/demo.db").code == 0


def _all_of(terminal: int) -> str:
    """What was written to a terminal until everyone closed it."""
    shown = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is closed
            some = b""
        if not some:
            os.close(terminal)
            return shown.decode()
        shown += some


def test_a_run_says_whether_its_cases_are_fixed_or_sampled_traffic(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.run("run", "--json").document["mode"] == "offline"
    sampled = project.run("run", "--mode", "online")
    assert sampled.code == 0
    assert "dataset, sampled traffic, 10 of 10 cases" in " ".join(sampled.out.split())
    assert project.run("report", "--json").document["mode"] == "online"
    wrong = project.run("run", "--mode", "live")
    assert wrong.code == 3
    assert wrong.says("--mode: got 'live'; allowed: offline, online")
