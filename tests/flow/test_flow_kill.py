"""Whatever kills a run, nothing that was saved is lost, and a resume comes to the same end."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from project import PIPELINE, Project, child_of, ended, eventually, question

from ragproof.core import Outcome

CASES, AT_ONCE, KILLS = 200, 4, 20
SLOW = """
    import time

    class Pipeline:
        def retrieve(self, question, k):
            note(question)
            time.sleep(0.02)
            number = int(question.split()[1])
            if number % 7 == 3:
                raise KeyError(question)
            return [{"id": f"c{(number * 5 + place) % 9}"} for place in range(k)]

        def answer(self, question):
            return "yes" if len(question) % 2 else "no"
"""
WILD = """
    import re, time

    class Pipeline:
        def retrieve(self, question, k):
            if question == "question 5":
                time.sleep(0.3)  # so that those before it are saved
                re.match(r"(a+)+$", "a" * 64 + "b")
            return [{"id": "a"}]
"""
ONCE_SAVED = """note(question)
            if question == "question 5":  # once those before it are durable
                import sqlite3, time
                store = sqlite3.connect(".ragproof/ragproof.db")
                while store.execute("select count(*) from subjects").fetchone()[0] < 5:
                    time.sleep(0.01)
                {death}"""
DEATHS = {
    "os._exit(0)": "ended the process",
    "os._exit(1)": "ended the process",
    "__import__('ctypes').string_at(0)": "SIGSEGV",
    "os.kill(os.getpid(), 9)": "SIGKILL",
}


def slow_project(folder: Path) -> Project:
    project = Project(folder, SLOW)
    project.config(run=f"{{concurrency: {AT_ONCE}}}")
    kinds = ("qa", "unanswerable", "qa")
    project.dataset(
        question(number, expected_source_ids=[f"c{number % 9}"], kind=kinds[number % 3])
        for number in range(CASES)
    )
    return project


@pytest.fixture(scope="module")
def undisturbed(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[tuple[str, int], dict[str, Outcome]]:
    project = slow_project(tmp_path_factory.mktemp("undisturbed"))
    done = project.run("run", "--json")
    assert done.code == 0, done.err
    return project.outcomes(done.document["run_id"])


@pytest.mark.skipif(sys.platform != "linux", reason="the child is found through /proc")
def test_a_run_killed_at_any_moment_ends_as_one_that_was_not(
    tmp_path: Path, undisturbed: dict[tuple[str, int], dict[str, Outcome]]
) -> None:
    project = slow_project(tmp_path)
    chance = random.Random(7)
    moments = sorted(chance.sample(range(CASES), KILLS))
    kills = 0
    for moment in moments:
        resuming = ("--resume", "latest") if project.store.exists() else ()
        process = project.start("run", *resuming)
        eventually(lambda: len(set(project.asked)) > moment, process)  # noqa: B023
        child = eventually(lambda: child_of(process), process)  # noqa: B023
        if child is None:
            break
        victim = chance.choice((process.pid, child))
        os.kill(victim, signal.SIGKILL)
        kills += 1
        done = ended(process)
        assert done.code == (-signal.SIGKILL if victim == process.pid else 2), done.err
        assert done.says()
        assert ("SIGKILL" in done.err) == (victim == child)
        eventually(lambda: _is_gone(child))  # noqa: B023
    assert kills >= KILLS - 1
    done = project.run("run", "--resume", "latest", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
    assert project.outcomes(done.document["run_id"]) == undisturbed
    asked = Counter(project.asked)
    assert len(asked) == CASES
    assert asked.total() - CASES <= kills * 2 * AT_ONCE


@pytest.mark.parametrize("death", DEATHS)
def test_a_pipeline_that_ends_the_process_fails_the_run_and_keeps_what_was_saved(
    tmp_path: Path, death: str
) -> None:
    deadly = PIPELINE.replace("note(question)", ONCE_SAVED.format(death=death))
    project = Project(tmp_path, deadly)
    project.config(run="{concurrency: 1}")
    done = project.run("run", "--json")
    assert done.code == 2
    assert done.says(DEATHS[death], "case in hand: 'q5'")
    assert (done.document["status"], done.document["cases"]["ok"]) == ("partial", 5)
    cases = done.document["cases"]
    own = int("SIGKILL" not in DEATHS[death])  # a kill comes from outside, and is no case's fault
    assert (cases["errors"], cases["missing"]) == (own, 5 - own)
    if not own:
        project.pipeline(PIPELINE)
    before = len(project.asked)
    again = project.run("run", "--resume", "latest", "--json")
    assert (again.code, again.document["status"]) == (0, "completed"), "it gets past the case"
    assert again.document["run_id"] == done.document["run_id"]
    assert project.asked[before:] == [f"question {number}" for number in range(5 + own, 10)]
    project.pipeline(PIPELINE)
    mended = project.run("run", "--resume", again.document["run_id"], "--retry-errors", "--json")
    assert mended.document["cases"]["ok"] == 10
    assert project.asked[-1] == ("question 5" if own else "question 9")


def test_a_pipeline_that_ends_the_process_while_it_is_loaded_does_not_pass_for_a_success(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path, "os._exit(0)")
    for command in ("run", "check"):
        done = project.run(command, "--json")
        assert (done.code, done.document["status"]) == (2, "failed")
        assert done.says("ended the process", "exit code 0")


def test_a_regular_expression_gone_wild_ends_the_run_and_is_named(tmp_path: Path) -> None:
    project = Project(tmp_path, WILD)
    project.config(run="{concurrency: 4, case_timeout_seconds: 4}")
    done = project.run("run", "--json")
    assert done.code == 2
    assert done.says("held the interpreter", "case in hand: 'q5'")
    cases = done.document["cases"]
    assert done.document["status"] == "partial"
    assert cases["timeouts"] == 1
    assert cases["ok"] + cases["missing"] == 9
    assert cases["ok"] >= 5
    again = project.run("run", "--resume", "latest", "--json")
    assert (again.code, again.document["cases"]["ok"]) == (0, 9), "it gets past the case"


def _is_gone(process: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return True
