"""The GitHub Action and the GitLab template: their shell is run, with a baseline on disk."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fake_runner import (
    ACTION,
    CURL,
    EXPRESSION,
    GH,
    GITLAB,
    MATCH,
    OFFICIAL,
    ROOT,
    STEPS,
    STUB,
    Runner,
    baseline,
    gitlab,
    held,
    project,
)


def test_the_action_is_composite_and_rests_on_official_actions_only() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        if "uses" in step:
            assert OFFICIAL.fullmatch(step["uses"]), step
        else:
            assert step["shell"] == "bash", step
            # what others write (a branch's name) must not become part of a script
            assert "${{" not in step["run"], step
    for one in ACTION["inputs"].values():
        assert one["description"]
        assert "default" in one


def test_every_expression_names_an_input_a_step_or_a_known_fact() -> None:
    ids = {step["id"] for step in STEPS if "id" in step}
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in re.findall(r"(?:inputs|steps|github)\.[\w.-]+", " ".join(EXPRESSION.findall(text))):
        kind, _, rest = name.partition(".")
        if kind == "inputs":
            assert rest in ACTION["inputs"], name
        if kind == "steps":
            assert rest.partition(".")[0] in ids, name


def test_without_a_baseline_the_default_branch_makes_one_and_warns(tmp_path: Path) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    first = Runner(tmp_path, {"install": ""}, "push", "refs/heads/main", environ={"STUB_GATE": "3"})
    assert first.run() == 0, first.said
    assert "::warning::no baseline is kept yet, so changes were not checked: told" in first.said
    assert (first.cached / "store.db").is_file()
    assert not (tmp_path / "fake/comments.json").exists()


def test_without_a_baseline_a_rule_that_needs_none_still_stops(tmp_path: Path) -> None:
    project(tmp_path, gh=GH, curl=CURL, ragproof=STUB)
    environ = {"STUB_GATE": "3", "STUB_WRITES": "<failure />"}
    first = Runner(tmp_path, {"install": ""}, "push", "refs/heads/main", environ=environ)
    assert first.run() == 1, first.said
    assert not first.cached.exists()
    assert gitlab(tmp_path, CI_MERGE_REQUEST_IID="", **environ)[0] == 1


def test_arguments_may_stand_on_several_lines(tmp_path: Path) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    inputs = {"install": "", "run-args": "--sample 50\n--repeats 2\n"}
    assert Runner(tmp_path, inputs).run() == 0
    assert "--sample 50 --repeats 2\n" in (tmp_path / "fake/log").read_text()


def test_the_commands_of_the_action_stop_what_falls_below_the_baseline(tmp_path: Path) -> None:
    runner = Runner(project(tmp_path, gh=GH), {"install": ""})
    baseline(tmp_path, runner.cached / "store.db")
    kept = (runner.cached / "store.db").read_bytes()
    project(tmp_path, wrong=10)
    assert runner.run() == 1, runner.said
    assert (runner.cached / "store.db").read_bytes() == kept
    assert {"report.html", "report.sarif", "gate.xml", "store.db"} == {*runner.uploaded}
    assert f"`{MATCH}`" in (tmp_path / "fake/summary").read_text()
    (comment,) = held(tmp_path, "comments.json")
    assert comment["body"].startswith("<!-- ragproof:ragproof -->\n")
    assert f"`{MATCH}`" in comment["body"]
    assert "fail" in comment["body"]


def test_a_second_run_updates_its_own_comment_and_nobody_elses(tmp_path: Path) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    mark = "<!-- ragproof:ragproof -->"
    others = [
        {"id": 1, "user": {"login": "somebody"}, "body": f"{mark} mine"},
        {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "of another tool"},
    ]
    (tmp_path / "fake/comments.json").write_text(json.dumps(others))
    for _ in range(2):
        assert Runner(tmp_path, {"install": ""}).run() == 0
    found = held(tmp_path, "comments.json")
    assert found[:2] == others
    assert [one["body"] for one in found[2:]] == [f"{mark}\nreport\n"]
    log = (tmp_path / "fake/log").read_text()
    assert log.count("--method POST repos/me/shop/issues/7/comments ") == 1
    assert log.count("--method PATCH repos/me/shop/issues/comments/3 ") == 1
    silent = Runner(tmp_path, {"comment": "false"}, outputs={"run": {"code": "0"}})
    assert silent.run("Comment") == 0
    assert (tmp_path / "fake/log").read_text() == log


@pytest.mark.parametrize(
    ("run", "gate", "code"), [(0, 0, 0), (0, 1, 1), (0, 3, 3), (2, 1, 2), (3, 0, 3)]
)
def test_the_actions_exit_code_is_that_of_the_run_or_else_of_the_gate(
    tmp_path: Path, run: int, gate: int, code: int
) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    inputs = {"install": "", "without-baseline": "fail", "run-args": "--sample 50"}
    environ = {"STUB_RUN": str(run), "STUB_GATE": str(gate)}
    runner = Runner(tmp_path, inputs, "push", "refs/heads/main", environ)
    assert runner.run() == code
    assert runner.cached.exists() == (code == 0)
    log = (tmp_path / "fake/log").read_text()
    assert "run --config ragproof.yaml --store .ragproof/ci/store.db --sample 50\n" in log
    assert ("gate" in log) == (run != 3)


@pytest.mark.parametrize(
    ("event", "ref", "save", "kept"),
    [
        ("push", "refs/heads/main", "true", True),
        ("schedule", "refs/heads/main", "true", True),
        ("push", "refs/heads/feature", "true", False),
        ("push", "refs/heads/main", "false", False),
        ("pull_request_target", "refs/heads/main", "true", False),
        ("pull_request", "refs/pull/7/merge", "true", False),
    ],
)
def test_only_the_default_branch_makes_a_baseline(
    tmp_path: Path, event: str, ref: str, save: str, *, kept: bool
) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    runner = Runner(tmp_path, {"save-baseline": save}, event, ref)
    (runner.work / ".ragproof/ci").mkdir(parents=True)
    runner.outputs = {"run": {"code": "0"}, "gate": {"code": "0"}}
    assert runner.run("Keep as the next baseline", "Save the baseline") == 0, runner.said
    assert runner.cached.exists() == kept


def test_a_token_that_may_only_read_warns_and_the_verdict_stands(tmp_path: Path) -> None:
    project(tmp_path, gh=GH, ragproof=STUB)
    (tmp_path / "fake/readonly").touch()
    runner = Runner(tmp_path, {"install": ""}, environ={"STUB_GATE": "1"})
    assert runner.run() == 1
    assert "::warning::the comment could not be written" in runner.said


def test_a_name_that_would_break_a_query_is_refused(tmp_path: Path) -> None:
    project(tmp_path, ragproof=STUB)
    runner = Runner(tmp_path, {"install": "", "name": 'x") | .id'})
    assert runner.run() == 3
    assert "::error::name: got" in runner.said


def test_the_gitlab_job_keeps_its_reports_whatever_becomes_of_it() -> None:
    job = GITLAB[".ragproof"]
    assert job["artifacts"]["when"] == "always"
    assert job["artifacts"]["reports"]["junit"].startswith(job["artifacts"]["paths"][0])
    assert {*job} == {"image", "variables", "rules", "script", "artifacts"}


def test_the_gitlab_job_gates_against_the_artifact_of_the_default_branch(tmp_path: Path) -> None:
    baseline(project(tmp_path, curl=CURL), tmp_path / "fake/store.db")
    project(tmp_path, wrong=10)
    code, said = gitlab(tmp_path)
    assert code == 1, said
    (note,) = held(tmp_path, "notes.json")
    assert note["body"].startswith("<!-- ragproof:ragproof -->\n")
    assert f"`{MATCH}`" in note["body"]
    assert (tmp_path / "work/ragproof-report/gate.xml").stat().st_size


def test_without_a_baseline_the_gitlab_job_warns(tmp_path: Path) -> None:
    project(tmp_path, curl=CURL, ragproof=STUB)
    code, said = gitlab(tmp_path, CI_MERGE_REQUEST_IID="", STUB_GATE="3")
    assert code == 0, said
    assert "no baseline is kept yet, so changes were not checked" in said
    assert gitlab(tmp_path, STUB_GATE="3", RAGPROOF_WITHOUT_BASELINE="fail")[0] == 3


@pytest.mark.parametrize(("run", "gate", "code"), [(0, 1, 1), (2, 0, 2), (3, 0, 3)])
def test_the_gitlab_job_updates_its_note_and_hands_the_exit_code_on(
    tmp_path: Path, run: int, gate: int, code: int
) -> None:
    project(tmp_path, curl=CURL, ragproof=STUB)
    for _ in range(2):
        done, said = gitlab(tmp_path, STUB_RUN=str(run), STUB_GATE=str(gate))
        assert done == code, said
    if run == 3:
        assert not (tmp_path / "fake/notes.json").exists()
        return
    (note,) = held(tmp_path, "notes.json")
    assert note["body"] == "<!-- ragproof:ragproof -->\nreport\n"
