"""A resume goes on with the same run or says why it is not the same."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from project import PIPELINE, Project, ended, eventually, question

from ragproof.store.open import open_store

FRAGILE = PIPELINE.replace(
    "note(question)",
    "note(question)\n            if question == 'question 3':\n"
    "                __import__('time').sleep(.5)\n                os.kill(os.getpid(), 9)",
)
"""Is killed at the fourth case, as if from outside; those before it are saved by then."""
VERSIONED = """
    class Pipeline:
        version = "1"

        def __init__(self, depth=1):
            pass
"""


@pytest.fixture
def stopped(tmp_path: Path) -> Project:
    """A project whose run ended after three cases of ten."""
    project = Project(tmp_path, FRAGILE.replace("    class Pipeline:\n", VERSIONED))
    project.config(run="{concurrency: 1}", adapter=", params: {depth: 1}")
    assert project.run("run").code == 2
    return project


def _changed(**run: object) -> Callable[[Project], object]:
    def change(project: Project) -> None:
        project.config(run=json.dumps({"concurrency": 1, **run}), adapter=", params: {depth: 1}")

    return change


def _adapter(more: str) -> Callable[[Project], object]:
    return lambda project: project.config(run="{concurrency: 1}", adapter=more)


def _target(project: Project) -> None:
    project.target = "pipe:Other"
    project.write("pipe.py", (project.folder / "pipe.py").read_text() + "\nOther = Pipeline\n")
    project.config(run="{concurrency: 1}", adapter=", params: {depth: 1}")


CHANGES: dict[str, tuple[Callable[[Project], object], str, tuple[str, ...]]] = {
    "a line of the dataset": (
        lambda p: p.dataset(
            question(n, expected_answer="no" if n == 4 else "yes") for n in range(10)
        ),
        "",
        ("the dataset's hash was",),
    ),
    "the target": (_target, "", ("adapter's target was pipe:Pipeline, now pipe:Other",)),
    "a parameter": (_adapter(", params: {depth: 2}"), "", ("adapter's params was {'depth': 1}",)),
    "the version": (
        _adapter(", params: {depth: 1}, version: '2'"),
        "",
        ("adapter's version was 1, now 2",),
    ),
    "k": (_changed(k=3), "", ("k was 5, now 3",)),
    "k by a flag": (lambda _: None, "--k 2", ("k was 5, now 2",)),
    "the source match": (_changed(source_match="document"), "", ("source_match was chunk",)),
    "the repeats": (lambda _: None, "--repeats 2", ("repeats was 1, now 2",)),
    "the metrics": (
        lambda _: None,
        "--metrics retrieval.mrr",
        ("retrieval.recall_at_k is missing now",),
    ),
    "the selection": (lambda _: None, "--limit 4", ("the selection of cases was all",)),
}


def test_a_changed_run_is_refused_with_the_difference(stopped: Project) -> None:
    files = {
        name: (stopped.folder / name).read_text()
        for name in ("dataset.jsonl", "pipe.py", "ragproof.yaml")
    }
    asked = len(stopped.asked)
    for change, flags, told in CHANGES.values():
        change(stopped)
        done = stopped.run("run", "--resume", "latest", "--json", *flags.split())
        assert (done.code, done.out) == (3, "")
        assert done.says("cannot be resumed", *told), done.err
        stopped.target = "pipe:Pipeline"
        for name, text in files.items():
            stopped.write(name, text)
    assert len(stopped.asked) == asked


def test_concurrency_and_time_limits_may_change(stopped: Project) -> None:
    stopped.pipeline(PIPELINE.replace("    class Pipeline:\n", VERSIONED))
    _changed(concurrency=5, case_timeout_seconds=9)(stopped)
    assert stopped.run("run", "--resume", "latest").code == 0


def test_a_resume_needs_no_flags(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (project.folder / "ragproof.yaml").unlink()
    project.dataset(question(number, tags={"half": str(number % 2)}) for number in range(10))
    lines = [{"case_id": f"q{number}", "retrieved": [{"id": "a"}]} for number in range(10)]
    project.write("o.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    inputs = ("--dataset", "dataset.jsonl", "--recorded", "o.jsonl", "--label", "mine")
    shape = ("--metrics", "retrieval.mrr", "--sample", "6", "--seed", "3", "--k", "2")
    first = project.run("run", *inputs, *shape, "--json")
    assert (first.code, first.document["cases"]["total"]) == (0, 6)
    _forget_half(project, first.document["run_id"])
    again = project.run("run", "--resume", "mine", "--json")
    assert again.code == 0, again.err
    same = ("run_id", "label", "status", "cases", "metrics", "dataset", "k")
    assert {key: again.document[key] for key in same} == {key: first.document[key] for key in same}


def _forget_half(project: Project, run_id: str) -> None:
    """Take the last cases out of the store, as if the run had been stopped before them."""
    with sqlite3.connect(project.store) as connection:
        connection.execute("DELETE FROM results WHERE subject >= 3")
        connection.execute("DELETE FROM subjects WHERE number >= 3")
        connection.execute("UPDATE runs SET state = 'running', total = NULL")
    connection.close()
    with open_store(project.store, create=False) as store:
        assert store.counts(run_id).total == 3


def test_a_completed_run_is_shown_and_nothing_is_asked(tmp_path: Path) -> None:
    project = Project(tmp_path)
    first = project.run("run", "--json")
    again = project.run("run", "--resume", first.document["run_id"][:6], "--json")
    assert (again.code, again.document) == (0, first.document)
    assert again.says("is done already")
    assert len(project.asked) == 10


def test_only_failed_cases_are_tried_again(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        PIPELINE.replace(
            "note(question)",
            "note(question)\n            if question[-1] in '37': raise OSError",
        ),
    )
    first = project.run("run", "--json")
    assert (first.code, first.document["cases"]["errors"]) == (0, 2)
    project.pipeline(PIPELINE)
    assert project.run("run", "--resume", "latest").code == 0
    assert len(project.asked) == 10
    again = project.run("run", "--resume", "latest", "--retry-errors", "--json")
    assert (again.code, again.document["run_id"]) == (0, first.document["run_id"])
    assert (again.document["cases"]["ok"], again.document["cases"]["errors"]) == (10, 0)
    assert sorted(project.asked[10:]) == ["question 3", "question 7"]


def test_of_two_resumes_at_once_one_is_refused(stopped: Project) -> None:
    waits = PIPELINE.replace("    class Pipeline:\n", VERSIONED).replace(
        "note(question)",
        "note(question)\n            while not os.path.exists('go'): __import__('time').sleep(.01)",
    )
    stopped.pipeline(waits)
    before = len(stopped.asked)
    first = stopped.start("run", "--resume", "latest", "--json")
    eventually(lambda: len(stopped.asked) > before, first)
    second = stopped.run("run", "--resume", "latest", "--json")
    assert (second.code, second.document["status"]) == (2, "failed")
    assert second.says("another process is writing the run")
    stopped.write("go", "")
    done = ended(first)
    assert (done.code, done.document["status"]) == (0, "completed")
    assert len(stopped.asked) == before + 7


def test_runs_at_once_on_a_fresh_store_both_complete(tmp_path: Path) -> None:
    project = Project(tmp_path)
    both = [project.start("run", "--json") for _ in range(2)]
    ids = {ended(process).document["run_id"] for process in both}
    assert len(ids) == 2
    listed = project.run("runs", "--json").document["runs"]
    assert {(run["run_id"], run["status"]) for run in listed} == {(one, "completed") for one in ids}
