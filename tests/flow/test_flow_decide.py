"""May the candidate be adopted? `decide` as a user runs it, and labels beside a gate."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from project import Done, Project, question

from ragproof.cli.main import exit_code, root

RECALL = "retrieval.recall_at_k"
PIPELINE = """
    import os

    class Pipeline:
        def retrieve(self, question, k):
            number = int(question.split()[-1])
            if number < int(os.environ.get("FAILING", "0")):
                raise ValueError("the index is down")
            lost = number % 10 < int(os.environ.get("LOST", "1"))
            return [{"id": "b" if lost else "a"}]

        def answer(self, question):
            other = int(question.split()[-1]) < int(os.environ.get("POOLED", "0"))
            pool = [{"id": "a"}, {"id": "c" if other else "b"}]
            return {"answer_text": "yes", "trace": {"candidates": pool[::-1], "reranked": pool}}
"""
METRICS = f"metrics: [{RECALL}, retrieval.mrr, system.latency_seconds, reranking.mrr_gain]\n"
RULES = f"""
decisions:
  better:
    gain: {{metric: {RECALL}, min_gain: 0.05}}
    guardrails: [{{metric: system.latency_seconds, statistic: p95, max: 5, tested_on: point}}]
    adopt: "ship [/x] <script>"
  much-better:
    gain: {{metric: {RECALL}, min_gain: 0.9}}
  hardly-told:
    gain: {{metric: {RECALL}, min_gain: 0.28, slice: {{intent: order}}}}
  absent:
    recipe: hard_or_soft_filter
    delta_min: 0
    epsilon: 0.02
    recall_loss_max: 0
    metrics: {{precision: {RECALL}}}
  traffic:
    gain: {{metric: {RECALL}, min_gain: 0.05}}
    experiment:
      {{unit: session, estimand: recall a session, stopping_rule: at the end, sample_size: 30}}
"""
CASES = 40


def shop(folder: Path, rules: str = RULES, cases: int = CASES, name: str = "q") -> Project:
    project = Project(folder, PIPELINE)
    project.dataset(
        {**question(at, tags={"intent": "refund" if at % 2 else "order"}), "id": f"{name}{at}"}
        for at in range(cases)
    )
    project.config(METRICS + rules)
    return project


def ran(project: Project, *arguments: str, **env: str) -> str:
    done = project.run("run", "--json", *arguments, env=env)
    assert done.code in (0, 2), done.err
    return str(done.document["run_id"])


def copied(project: Project, folder: Path, rules: str = RULES) -> Project:
    """A project with the same runs and other rules."""
    shutil.copytree(project.folder, folder, dirs_exist_ok=True)
    other = Project.__new__(Project)
    other.folder, other.target = folder, project.target
    other.config(METRICS + rules)
    return other


def inside(project: Project, *arguments: str) -> Done:
    """Run a command that starts no pipeline in this process: the same, and a second sooner."""
    out, err = StringIO(), StringIO()
    with chdir(project.folder), redirect_stdout(out), redirect_stderr(err):
        code = exit_code(lambda: root.main(arguments, standalone_mode=False))
    return Done(code, out.getvalue(), err.getvalue())


def decided(project: Project, *arguments: str, baseline: str = "before") -> Done:
    return inside(project, "decide", *arguments, "--baseline", baseline, "--json")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A run that loses four cases in ten, one that loses one, one on which all failed."""
    project = shop(tmp_path_factory.mktemp("shop"))
    ran(project, "--label", "broken", FAILING="40")
    ran(project, "--label", "before", LOST="4", POOLED="3")
    ran(project, "--label", "after")
    return project


@pytest.mark.parametrize(
    ("rule", "code", "verdict", "states"),
    [
        ("better", 0, "adopt", ["met", "met"]),
        ("much-better", 1, "reject", ["not met"]),
        ("hardly-told", 1, "inconclusive", ["undecided"]),
        ("absent", 1, "inconclusive", ["met", "missing evidence", "met"]),
        ("traffic", 1, "inconclusive", ["met"]),
    ],
)
def test_a_rule_exits_as_it_decides(
    runs: Project, rule: str, code: int, verdict: str, states: list[str]
) -> None:
    done = decided(runs, rule)
    assert done.code == code, done.err
    assert done.document["adopted"] is (code == 0)
    found = done.document["decisions"][rule]
    assert (found["verdict"], found["pre_registered"]) == (verdict, True)
    assert [one["status"] for one in found["clauses"]] == states


def test_a_clause_tells_its_numbers(runs: Project) -> None:
    gain, latency = decided(runs, "better").document["decisions"]["better"]["clauses"]
    assert (gain["baseline_value"], gain["candidate_value"]) == (0.6, 0.9)
    assert gain["value"] == pytest.approx(0.3)
    assert gain["ci95"][0] > 0.05
    assert (gain["bound"], gain["cases"], gain["units"], gain["of"]) == (0.05, 40, 40, "change")
    assert (latency["of"], latency["tested_on"], latency["statistic"]) == (
        "candidate",
        "point",
        "p95",
    )
    (open_,) = decided(runs, "hardly-told").document["decisions"]["hardly-told"]["clauses"]
    assert open_["cases_needed"] > open_["cases"]


def test_without_a_name_every_rule_must_adopt(runs: Project, tmp_path: Path) -> None:
    done = decided(runs)
    assert done.code == 1
    assert len(done.document["decisions"]) == 5
    one = copied(runs, tmp_path, f"decisions: {{it: {{gain: {{metric: {RECALL}, min_gain: 0}}}}}}")
    assert decided(one).code == 0


def test_a_worse_candidate_is_rejected(runs: Project) -> None:
    done = inside(
        runs, "decide", "better", "--baseline", "after", "--candidate", "before", "--json"
    )
    assert (done.code, done.document["decisions"]["better"]["verdict"]) == (1, "reject")


def test_a_rule_that_was_changed_since_is_not_pre_registered(runs: Project, tmp_path: Path) -> None:
    project = copied(runs, tmp_path, RULES.replace("min_gain: 0.05}", "min_gain: 0.01}"))
    done = decided(project, "better")
    found = done.document["decisions"]["better"]
    assert (done.code, found["verdict"], found["pre_registered"]) == (0, "adopt", False)
    assert found["registration"]["changed"] == {
        f"clauses[{RECALL}].bound": {"was": 0.05, "now": 0.01}
    }
    shown = inside(project, "decide", "better", "--baseline", "before").out
    assert "NOT pre-registered" in " ".join(shown.split())


@pytest.mark.parametrize("width", ["60", "80", "160"])
def test_a_decision_is_readable_at_any_width(
    runs: Project, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    done = inside(runs, "decide", "--baseline", "before")
    assert done.code == 1
    assert done.out.startswith("Not adopted: 1 adopt, 1 reject, 3 inconclusive")
    assert all(len(line) <= int(width) for line in done.out.splitlines())
    words = " ".join(done.out.split())
    assert "ship [/x] <script>" in words
    assert "stopped at" not in words  # forty sessions of thirty that were planned
    assert "no case names its session" in words


def test_a_comment_for_a_pull_request_obeys_no_label(runs: Project, tmp_path: Path) -> None:
    done = inside(
        runs, "decide", "--baseline", "before", "--markdown", str(tmp_path / "m.md"), "--json"
    )
    assert done.code == 1
    text = (tmp_path / "m.md").read_text()
    assert text.startswith("### Not adopted: 1 adopt, 1 reject, 3 inconclusive")
    assert "`adopt: ship [/x] <script>`" in text
    assert "missing evidence" in text


WRONG: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    (("better",), ("Missing option '--baseline'",)),
    (("beter", "--baseline", "before"), ("There is no rule 'beter'", "Did you mean 'better'")),
    (("--baseline", "gone"), ("There is no run 'gone'",)),
    (("--baseline", "after"), ("are one run",)),
    (("--baseline", "before", "--candidate", "none"), ("There is no run 'none'",)),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_what_cannot_be_decided_is_wrong_input(
    runs: Project, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = inside(runs, "decide", *arguments, "--json")
    assert (done.code, done.out) == (3, "")
    assert done.says(*words), done.err


def test_without_rules_there_is_nothing_to_decide_by(runs: Project, tmp_path: Path) -> None:
    done = decided(copied(runs, tmp_path, ""))
    assert (done.code, done.out) == (3, "")
    assert done.says("there is no rule to decide by")


@pytest.mark.parametrize(
    ("rules", "command", "words"),
    [
        (
            f"decisions: {{it: {{gain: {{metric: {RECALL}, min_gain: 85}}}}}}",
            "check",
            "min_gain 85",
        ),
        (f"gate: {{thresholds: {{{RECALL}: {{min: 85}}}}}}", "run", "min 85"),
    ],
)
def test_a_bound_that_nothing_meets_is_wrong_before_anything_is_spent(
    runs: Project, tmp_path: Path, rules: str, command: str, words: str
) -> None:
    project = copied(runs, tmp_path, rules)
    asked = len(project.asked)
    done = project.run(command)
    assert (done.code, done.out) == (3, "")
    assert done.says("ragproof.yaml:", f"{words} can never be met"), done.err
    assert len(project.asked) == asked
    later = decided(project) if "decisions" in rules else inside(project, "gate", "--json")
    assert later.code == 3


def altered(store: Path, label: str, **header: Any) -> None:
    """Write other facts into a run's header."""
    with sqlite3.connect(store) as connection:
        asked = "SELECT id, header FROM runs WHERE label = ?"
        run, text = connection.execute(asked, (label,)).fetchone()
        told = json.loads(text) | header
        connection.execute("UPDATE runs SET header = ? WHERE id = ?", (json.dumps(told), run))
    connection.close()


@pytest.mark.parametrize(
    ("header", "words", "flag"),
    [
        ({"judge": "another"}, "the judge was none, now another", "--allow-mixed-judges"),
        ({"dataset": None}, "the dataset was dataset", "--common-cases"),
    ],
)
def test_runs_that_were_not_measured_alike_are_refused(
    runs: Project, tmp_path: Path, header: dict[str, Any], words: str, flag: str
) -> None:
    project = copied(runs, tmp_path)
    if "dataset" in header:
        (text,) = (
            sqlite3.connect(project.store)
            .execute("SELECT header FROM runs WHERE label = 'after'")
            .fetchone()
        )
        header = {"dataset": json.loads(text)["dataset"] | {"hash": "0" * 64}}
    altered(project.store, "after", **header)
    done = decided(project, "better")
    assert (done.code, done.out) == (3, "")
    assert done.says(words, flag)
    allowed = decided(project, "better", flag)
    assert allowed.code == 0
    assert len(allowed.document["tolerated"]) == 1


def test_runs_of_another_k_are_not_decided_on(runs: Project, tmp_path: Path) -> None:
    project = copied(runs, tmp_path)
    (text,) = (
        sqlite3.connect(project.store)
        .execute("SELECT header FROM runs WHERE label = 'after'")
        .fetchone()
    )
    altered(project.store, "after", settings=json.loads(text)["settings"] | {"k": 2})
    done = decided(project, "better")
    assert done.code == 3
    assert done.says("k was 5, now 2", "same settings")


def test_a_run_without_a_success_decides_nothing(runs: Project) -> None:
    done = inside(
        runs, "decide", "better", "--baseline", "before", "--candidate", "broken", "--json"
    )
    found = done.document["decisions"]["better"]
    assert (done.code, found["verdict"]) == (1, "inconclusive")
    assert found["not_to_be_decided"] == ["no case of the candidate succeeded"]
    assert found["clauses"][0]["status"] == "missing evidence"


def test_a_baseline_that_is_deleted_meanwhile_is_said(runs: Project, tmp_path: Path) -> None:
    project = copied(runs, tmp_path)
    with sqlite3.connect(project.store) as connection:
        connection.execute("DELETE FROM runs WHERE label = 'before'")
    connection.close()
    for command in (
        ("decide", "better", "--baseline", "before"),
        ("compare", "before", "after"),
    ):
        done = inside(project, *command, "--json")
        assert (done.code, done.out) == (3, "")
        assert done.says("There is no run 'before'")


def test_two_arms_of_traffic_are_each_of_their_own_cases(tmp_path: Path) -> None:
    project = shop(tmp_path)
    for arm, lost in (("a", "6"), ("b", "0")):
        project.dataset(
            {**question(at), "id": f"{arm}{at}", "group": f"{arm}-s{at // 2}"} for at in range(60)
        )
        ran(project, "--label", arm, "--mode", "online", LOST=lost)
    done = decided(project, "traffic", baseline="a")
    assert done.code == 0, done.out + done.err
    found = done.document["decisions"]["traffic"]
    assert found["experiment"]["units"] == {"baseline": 30, "candidate": 30}
    assert found["clauses"][0]["interval"] == "cluster welch t"
    assert found["experiment"]["estimand"] == "recall a session"
    other = decided(project, "better", baseline="a")
    assert (other.code, other.out) == (3, "")
    assert other.says("the dataset was", "for a rule with `experiment`")


def test_the_plan_of_an_experiment_is_stored_with_the_run(runs: Project) -> None:
    (text,) = (
        sqlite3.connect(runs.store)
        .execute("SELECT header FROM runs WHERE label = 'after'")
        .fetchone()
    )
    header = json.loads(text)
    assert header["decisions"]["traffic"]["experiment"] == {
        "unit": "session",
        "estimand": "recall a session",
        "stopping_rule": "at the end",
        "sample_size": 30,
    }
    assert {*header["rules"]} == {f"decisions.{name}" for name in header["decisions"]}


LABELLED = f"""
gate:
  human_labels: labels.jsonl
  thresholds:
    {RECALL}: {{min: 0.75, estimate: prediction_powered}}
    retrieval.mrr: {{min: 0.7}}
"""


def test_a_gate_corrects_a_mean_by_labels_on_request(runs: Project, tmp_path: Path) -> None:
    project = copied(runs, tmp_path, LABELLED)
    done = inside(project, "gate", "--json")
    assert (done.code, done.out) == (3, "")
    assert done.says("labels.jsonl: there is no such file", "ragproof.yaml:")
    lines = [{"case_id": f"q{at}", "score": float(at % 10 > 3)} for at in range(0, 40, 2)]
    project.write("labels.jsonl", "".join(json.dumps(one) + "\n" for one in lines))
    done = inside(project, "gate", "--json")
    recall, mrr = done.document["results"]
    assert (done.code, recall["status"], mrr["status"]) == (1, "fail", "pass")
    assert recall["value"] == 0.9
    corrected = recall["prediction_powered"]
    assert corrected["judged_mean"] == 0.9
    assert corrected["human_mean"] == 0.6
    assert corrected["value"] == pytest.approx(0.6 + corrected["weight"] * 0.1)
    assert corrected["labelled"] == 20
    assert mrr["prediction_powered"] is None
    shown = inside(project, "report", "--json").document
    assert shown["metrics"][RECALL]["mean"] == 0.9
    assert shown["prediction_powered"][RECALL] == corrected
    page = inside(project, "gate").out
    assert "by prediction-powered inference, 20 of 40 cases labelled by people" in " ".join(
        page.split()
    )
    assert "Corrected by human labels" in inside(project, "report").out


def test_rerankers_are_compared_on_the_same_candidates_or_that_is_said(
    runs: Project, tmp_path: Path
) -> None:
    told = inside(runs, "compare", "before", "after", "--json").document
    assert told["candidates"] == {
        "same": 37, "differ": 3, "not_told": 0, "named": ["q0", "q1", "q2"],
    }  # fmt: skip
    shown = " ".join(inside(runs, "compare", "before", "after").out.split())
    assert "the candidates before reranking differ in 3 of 40 cases (q0, q1, q2)" in shown
    rule = "decisions: {it: {gain: {metric: reranking.mrr_gain, min_gain: 0.1, of: change}}}"
    (note,) = decided(copied(runs, tmp_path, rule)).document["notes"]
    assert note.startswith("the candidates before reranking differ in 3 of 40 cases")
