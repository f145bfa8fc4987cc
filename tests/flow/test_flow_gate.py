"""May this be merged? `compare`, `gate` and `trend` as a user and a CI job run them."""

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
            return {"answer_text": "yes " + os.environ.get("SAYS", "")}
"""
METRICS = f"metrics: [{RECALL}, retrieval.mrr, system.latency_seconds]\n"
CASES = 40


def shop(folder: Path, gate: str = "", cases: int = CASES) -> Project:
    project = Project(folder, PIPELINE)
    tagged = ({"tags": {"intent": "refund" if at % 2 else "order"}} for at in range(cases))
    project.dataset(question(at, **more) for at, more in enumerate(tagged))
    project.config(METRICS + (f"gate: {gate}\n" if gate else ""))
    return project


def ran(project: Project, *arguments: str, **env: str) -> str:
    done = project.run("run", "--json", *arguments, env=env)
    assert done.code in (0, 2), done.err
    return str(done.document["run_id"])


def copied(project: Project, folder: Path, gate: str) -> Project:
    """A project with the same runs and other rules."""
    shutil.copytree(project.folder, folder, dirs_exist_ok=True)
    other = Project.__new__(Project)
    other.folder, other.target = folder, project.target
    other.config(METRICS + f"gate: {gate}\n")
    return other


def inside(project: Project, *arguments: str) -> Done:
    """Run a command that starts no pipeline in this process: the same, and a second sooner."""
    out, err = StringIO(), StringIO()
    with chdir(project.folder), redirect_stdout(out), redirect_stderr(err):
        code = exit_code(lambda: root.main(arguments, standalone_mode=False))
    return Done(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def before_and_after(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str, str]:
    """A run that loses one case in ten, and one that loses four."""
    project = shop(tmp_path_factory.mktemp("shop"))
    good = ran(project, "--label", "main")
    return project, good, ran(project, "--label", "[/x]", LOST="4", SAYS="<script>[/x]")


@pytest.fixture
def compared(before_and_after: tuple[Project, str, str]) -> tuple[Project, str, str]:
    return before_and_after


GATES: list[tuple[str, int, list[str]]] = [
    (f"{{thresholds: {{{RECALL}: {{min: 0.6}}}}}}", 0, ["pass"]),
    (f"{{thresholds: {{{RECALL}: {{min: 0.61}}}}}}", 1, ["fail"]),
    (f"{{baseline: latest, thresholds: {{{RECALL}: {{max_drop: 0.02}}}}}}", 1, ["fail"]),
    (f"{{baseline: main, thresholds: {{{RECALL}: {{max_drop: 0.6}}}}}}", 0, ["pass"]),
    (
        f"{{baseline: main, thresholds: {{{RECALL}: {{max_drop: 0.25}}}}}}",
        0,
        ["inconclusive"],
    ),
    (
        f"{{baseline: main, on_inconclusive: fail, thresholds: {{{RECALL}: {{max_drop: 0.25}}}}}}",
        1,
        ["inconclusive"],
    ),
    (
        f"{{baseline: main, thresholds: {{{RECALL}: {{max_drop: 0.25, non_inferiority: true}}}}}}",
        1,
        ["fail"],
    ),
    ("{thresholds: {retrieval.ndcg_at_k: {min: 0.5}}}", 1, ["fail"]),
    ("{on_missing: skip, thresholds: {retrieval.ndcg_at_k: {min: 0.5}}}", 0, ["skip"]),
    (
        f"{{thresholds: {{{RECALL}: [{{min: 0.5, slice: {{intent: refund}}}}, "
        "{min: 0.9, slice: {intent: [refund, order]}, role: exploratory}]}}",
        0,
        ["pass", "warn"],
    ),
    (
        "{thresholds: {system.latency_seconds: {max: 9, statistic: p95, min_samples: 41}}}",
        1,
        ["inconclusive"],
    ),
    (
        f"{{thresholds: {{{RECALL}: {{min: 0.9}}}}, "
        f"waivers: [{{metric: {RECALL}, reason: rebuild, expires: 2999-01-01}}]}}",
        0,
        ["warn"],
    ),
]


@pytest.mark.parametrize(("gate", "code", "verdicts"), GATES)
def test_a_gate_exits_as_its_rules_say(
    compared: tuple[Project, str, str], tmp_path: Path, gate: str, code: int, verdicts: list[str]
) -> None:
    done = inside(copied(compared[0], tmp_path, gate), "gate", "--json")
    assert done.code == code, done.err
    assert done.document["passed"] is (code == 0)
    assert [one["status"] for one in done.document["results"]] == verdicts


WRONG: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("{}", (), ("nothing can fail this gate: it has no thresholds",)),
    (f"{{thresholds: {{{RECALL}: {{min: 0.5, role: exploratory}}}}}}", (), ("is exploratory",)),
    (f"{{thresholds: {{{RECALL}: {{min: 85}}}}}}", (), ("ragproof.yaml:", "can never be met")),
    (f"{{thresholds: {{{RECALL}: {{min: .nan}}}}}}", (), ("ragproof.yaml:", "got .nan")),
    (f"{{thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}", (), ("there is no baseline",)),
    (
        f"{{baseline: latest, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}",
        ("--run", "main"),
        ("no earlier completed run of project 'shop'",),
    ),
    (
        f"{{baseline: main, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}",
        ("--run", "main"),
        ("is the run itself",),
    ),
    (
        f"{{baseline: nightly, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}",
        (),
        ("There is no run 'nightly'", "(main)"),
    ),
    (
        f"{{baseline: gone.jsonl, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}",
        (),
        ("gone.jsonl cannot be read: No such file",),
    ),
    (
        f"{{baseline: pipe.jsonl, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}",
        (),
        ("pipe.jsonl:1: this is no line of a table",),
    ),
]


@pytest.mark.parametrize(("gate", "arguments", "words"), WRONG)
def test_a_gate_that_cannot_be_checked_is_wrong_input(
    compared: tuple[Project, str, str],
    tmp_path: Path,
    gate: str,
    arguments: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    project = copied(compared[0], tmp_path, gate)
    project.write("pipe.jsonl", "{}\n")
    done = inside(project, "gate", "--json", *arguments)
    assert (done.code, done.out) == (3, "")
    assert done.says(*words), done.err


def test_a_gate_writes_what_a_ci_server_and_a_pull_request_show(
    compared: tuple[Project, str, str], tmp_path: Path
) -> None:
    rules = f"{{baseline: main, thresholds: {{{RECALL}: {{min: 0.1, max_drop: 0.02}}}}}}"
    project = copied(compared[0], tmp_path, rules)
    done = project.run("gate", "--junit", "j.xml", "--markdown", "m.md", env={"COLUMNS": "80"})
    assert done.code == 1
    assert done.out.startswith("Gate did not pass: 1 pass, 1 fail")
    assert "the gate's rules were not there yet when the run began" in " ".join(done.out.split())
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert 'tests="2" failures="1" errors="0"' in (tmp_path / "j.xml").read_text()
    assert (tmp_path / "m.md").read_text().startswith("### Gate did not pass")


def test_an_error_stands_in_junit_too(compared: tuple[Project, str, str], tmp_path: Path) -> None:
    rules = f"{{thresholds: {{{RECALL}: {{min: 0.1, max_drop: 0.02}}}}}}"
    done = copied(compared[0], tmp_path, rules).run("gate", "--junit", "j.xml")
    assert done.code == 3
    assert done.out.startswith("Gate could not be checked")
    assert 'failures="0" errors="1"' in (tmp_path / "j.xml").read_text()


def test_rules_that_were_fixed_before_the_run_are_told_from_others(tmp_path: Path) -> None:
    project = shop(tmp_path, f"{{thresholds: {{{RECALL}: {{min: 0.1}}}}}}", cases=2)
    ran(project)
    assert inside(project, "gate", "--json").document["notes"] == []
    project.config(METRICS + f"gate: {{thresholds: {{{RECALL}: {{min: 0.2}}}}}}\n")
    assert inside(project, "gate", "--json").document["notes"] == [
        "the gate's rules were changed after the run began"
    ]


def test_a_baseline_may_come_from_another_machine(
    compared: tuple[Project, str, str], tmp_path: Path
) -> None:
    source, main, _ = compared
    rules = f"{{thresholds: {{{RECALL}: {{max_drop: 0.02}}}}}}"
    project = copied(source, tmp_path / "there", rules)
    assert source.run("export", main, "--to", "jsonl", str(tmp_path / "main.jsonl")).code == 0
    shutil.copy(source.store, tmp_path / "ci.db")
    known = inside(project, "gate", "--json", "--baseline", "main").document
    for name in ("main.jsonl", "ci.db"):
        done = inside(project, "gate", "--json", "--baseline", str(tmp_path / name))
        assert done.code == 1, done.err
        assert done.document["results"] == known["results"]
        assert done.document["baseline"] == main
    (note,) = (
        one
        for one in inside(
            project, "gate", "--json", "--baseline", str(tmp_path / "main.jsonl")
        ).document["notes"]
        if "file" in one
    )
    assert "tells neither dataset nor judge" in note
    lines = (tmp_path / "main.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(one for one in lines if '"q1"' not in one))
    cut = inside(project, "gate", "--json", "--baseline", str(tmp_path / "cut.jsonl")).document
    assert "the baseline lacks 1 of the 40 cases of the run" in cut["notes"]
    itself = ("gate", "--json", "--run", "main", "--baseline", str(tmp_path / "main.jsonl"))
    assert inside(project, *itself).says("is the run itself")


def test_a_store_that_cannot_be_read_is_no_failed_gate(
    compared: tuple[Project, str, str], tmp_path: Path
) -> None:
    project = copied(compared[0], tmp_path, f"{{thresholds: {{{RECALL}: {{min: 0.1}}}}}}")
    project.store.write_bytes(b"SQLite format 3\0 and then nothing of the kind")
    done = project.run("gate", "--json")
    assert done.code == 2
    assert done.says(".ragproof/ragproof.db")


def test_a_run_that_mostly_failed_does_not_pass(tmp_path: Path) -> None:
    rules = f"{{on_missing: skip, on_inconclusive: warn, thresholds: {{{RECALL}: {{min: 0.1}}}}}}"
    project = shop(tmp_path, rules, cases=10)
    for failing in ("5", "10"):
        ran(project, FAILING=failing)
        done = inside(project, "gate", "--json")
        assert done.code == 1
        assert done.document["results"][0]["status"] == "inconclusive"


def test_a_small_sample_is_held_against_a_full_baseline(tmp_path: Path) -> None:
    project = shop(tmp_path, f"{{baseline: latest, thresholds: {{{RECALL}: {{max_drop: 0.02}}}}}}")
    full = ran(project)
    ran(project, "--limit", "12")
    ran(project, "--limit", "20")
    done = inside(project, "gate", "--json")
    # not the sample of twelve, which lacks cases
    assert (done.code, done.document["baseline"]) == (0, full)
    assert done.document["results"][0]["pairs"] == 20
    assert "the selection of cases was all, now limit 20" in done.document["notes"]


def test_a_changed_dataset_is_refused_unless_common_cases_are_asked_for(tmp_path: Path) -> None:
    project = shop(tmp_path, f"{{baseline: main, thresholds: {{{RECALL}: {{max_drop: 0.5}}}}}}")
    main = ran(project, "--label", "main")
    project.dataset([question(at) for at in range(CASES + 5)])
    now = ran(project)
    for command in (("gate",), ("compare", main, now)):
        done = inside(project, *command, "--json")
        assert (done.code, done.out) == (3, "")
        assert done.says("the dataset was dataset", "--common-cases")
        assert inside(project, *command, "--json", "--common-cases").code == 0
    told = inside(project, "compare", main, now, "--json", "--common-cases").document
    assert told["cases"] == {
        "common": CASES, "only_baseline": 0, "only_candidate": 5, "failed_in_either": 0,
        "failed_in_baseline": 0, "failed_in_candidate": 0,
    }  # fmt: skip
    assert len(told["tolerated"]) == 1


def test_runs_of_different_k_are_not_compared(tmp_path: Path) -> None:
    project = shop(tmp_path, cases=3)
    runs = ran(project), ran(project, "--k", "2")
    done = inside(project, "compare", *runs)
    assert done.code == 3
    assert done.says("k was 5, now 2", "same settings")


def judged(store: Path, run: str, judge: str) -> None:
    """Write a judge into a run's header."""
    with sqlite3.connect(store) as connection:
        (text,) = connection.execute("SELECT header FROM runs WHERE id = ?", (run,)).fetchone()
        header = json.loads(text) | {"judge": judge}
        connection.execute("UPDATE runs SET header = ? WHERE id = ?", (json.dumps(header), run))
    connection.close()


def test_different_judges_are_refused_unless_they_are_allowed(tmp_path: Path) -> None:
    project = shop(tmp_path, cases=3)
    runs = ran(project), ran(project)
    judged(project.store, runs[1], "another")
    done = inside(project, "compare", *runs)
    assert done.code == 3
    assert done.says("the judge was none, now another", "--allow-mixed-judges")
    allowed = inside(project, "compare", *runs, "--json", "--allow-mixed-judges")
    assert allowed.code == 0
    assert allowed.document["tolerated"] == ["the judge was none, now another"]


def test_a_comparison_shows_what_changed_with_both_answers(
    compared: tuple[Project, str, str],
) -> None:
    project, main, bad = compared
    told = inside(project, "compare", "main", "latest", "--json").document
    assert (told["baseline"], told["candidate"]) == (main, bad)
    recall = told["metrics"][RECALL]
    assert (recall["baseline_mean"], recall["candidate_mean"]) == (0.9, 0.6)
    assert (recall["wins"], recall["losses"], recall["ties"]) == (0, 12, 28)
    assert recall["p_value"] == 2 / 2**12
    assert len(told["changed_most"]) == 5
    first = told["changed_most"][0]
    assert first["baseline_answer"] == "yes "
    assert first["candidate_answer"] == "yes <script>[/x]"


@pytest.mark.parametrize("width", ["60", "80", "160"])
def test_a_comparison_is_readable_at_any_width(
    compared: tuple[Project, str, str], width: str
) -> None:
    done = compared[0].run("compare", "main", "latest", env={"COLUMNS": width})
    assert done.code == 0, done.err
    assert all(len(line) <= int(width) for line in done.out.splitlines())
    assert "([/x])" in done.out
    assert RECALL in done.out
    assert "worse" in done.out


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (("main", "main"), ("are one run",)),
        (("main", "nothing"), ("There is no run 'nothing'",)),
        (("main",), ("Missing argument 'B'",)),
    ],
)
def test_two_runs_must_be_named(
    compared: tuple[Project, str, str], runs: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = inside(compared[0], "compare", *runs)
    assert (done.code, done.out) == (3, "")
    assert done.says(*words)


def test_a_partial_run_is_compared_on_what_is_there(tmp_path: Path) -> None:
    project = shop(tmp_path, cases=6)
    runs = ran(project), ran(project, FAILING="6")
    told: dict[str, Any] = inside(project, "compare", *runs, "--json").document
    assert told["cases"]["failed_in_either"] == told["cases"]["failed_in_candidate"] == 6
    assert told["metrics"] == {}
    assert told["not_compared"][RECALL] == "scored in the baseline, in no case of the candidate"
    assert told["runs"]["candidate"]["status"] == "failed"


def test_a_trend_marks_where_the_yardstick_changed(tmp_path: Path) -> None:
    project = shop(tmp_path, cases=10)
    runs = [ran(project), ran(project, "--label", "v2", LOST="3")]
    project.dataset(question(at) for at in range(12))
    runs.append(ran(project))
    told = inside(project, "trend", RECALL, "--json").document
    assert [one["run_id"] for one in told["runs"]] == runs
    assert [one["mean"] for one in told["runs"]] == pytest.approx([0.9, 0.7, 10 / 12])
    assert [len(one["breaks"]) for one in told["runs"]] == [0, 0, 1]
    shown = inside(project, "trend", RECALL, "--last", "2")
    assert shown.code == 0
    assert "--- the dataset was dataset" in shown.out
    assert runs[0] not in shown.out
    wrong: Done = inside(project, "trend", "retrieval.recal_at_k")
    assert (wrong.code, wrong.out) == (3, "")
    assert wrong.says(f"Did you mean '{RECALL}'?")
