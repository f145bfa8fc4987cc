"""Ctrl-C and SIGTERM: what is in hand is finished and saved, and a resume goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from project import PIPELINE, Done, Project, ended, eventually

BOTH = (signal.SIGINT, signal.SIGTERM)
SLOW = """
    import time

    class Pipeline:
        def retrieve(self, question, k):
            note(question)
            time.sleep(0.4)
            note("back")
            return [{"id": "a"}]
"""
STUCK = """
    import time

    class Pipeline:
        def retrieve(self, question, k):
            note(question)
            if question != "question 0":
                time.sleep(3600)
            return [{"id": "a"}]
"""
HOLDS = {
    "async def": """
    import time

    class Pipeline:
        async def retrieve(self, question, k):
            if question == "question 1":
                note("holding")
                time.sleep(3600)
            return []
""",
    "regular expression": """
    import re

    class Pipeline:
        def retrieve(self, question, k):
            if question == "question 1":
                note("holding")
                re.match(r"(a+)+$", "a" * 64 + "b")
            return []
""",
}
SLOW_TO_LOAD = """
    import time

    class Pipeline:
        def __init__(self):
            note("loading")
            time.sleep(3600)

        def retrieve(self, question, k):
            return []
"""


@pytest.mark.parametrize("number", BOTH)
def test_what_is_in_hand_is_finished_and_a_resume_does_the_rest(
    tmp_path: Path, number: signal.Signals
) -> None:
    project = Project(tmp_path, SLOW, cases=12)
    project.config(run="{concurrency: 3}")
    process = project.start("run", "--json")
    eventually(lambda: len(project.asked) >= 3, process)
    process.send_signal(number)
    done = ended(process)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    assert done.says("stopping: finishing the cases in hand")
    begun = [note for note in project.asked if note != "back"]
    assert project.asked.count("back") == len(begun) == done.document["cases"]["ok"] < 12
    again = project.run("run", "--resume", "latest", "--json")
    assert (again.code, again.document["status"]) == (0, "completed")
    assert sorted(note for note in project.asked if note != "back") == sorted(
        f"question {case}" for case in range(12)
    )


def test_ctrl_c_in_a_terminal_reaches_both_processes_and_is_one_wish(tmp_path: Path) -> None:
    project = Project(tmp_path, SLOW, cases=12)
    process = project.start("run", "--json", start_new_session=True)
    eventually(lambda: project.asked, process)
    os.killpg(process.pid, signal.SIGINT)  # to parent and child, and the parent hands it on
    done = ended(process)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    assert done.err.count("stopping") == 1
    assert project.asked.count("back") == done.document["cases"]["ok"]


def test_a_second_ctrl_c_lets_go_of_what_is_in_hand(tmp_path: Path) -> None:
    project = Project(tmp_path, STUCK, cases=6)
    process = project.start("run", "--json", stderr=subprocess.PIPE)
    eventually(lambda: len(project.asked) >= 3, process)
    process.send_signal(signal.SIGINT)
    time.sleep(1)  # longer than an echo takes
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    assert (done.document["cases"]["ok"], done.document["cases"]["missing"]) == (1, 5)
    project.pipeline(PIPELINE)
    assert project.run("run", "--resume", "latest").code == 0
    assert project.asked.count("question 0") == 1


@pytest.mark.parametrize("hold", ["async def", "regular expression"])
def test_a_second_ctrl_c_ends_even_a_pipeline_that_holds_the_interpreter(
    tmp_path: Path, hold: str
) -> None:
    project = Project(tmp_path, HOLDS[hold], cases=3)
    project.config(run="{concurrency: 1}")
    process = project.start("run", "--json", start_new_session=True)
    eventually(lambda: "holding" in project.asked, process)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    done = ended(process)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    assert done.says("held the interpreter", "case in hand: 'q1'")
    assert done.document["cases"]["ok"] <= 1  # what was on its way to the disk may be lost


@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_command_stops_while_the_pipeline_is_being_loaded(
    tmp_path: Path, command: str, number: signal.Signals
) -> None:
    project = Project(tmp_path, SLOW_TO_LOAD)
    done = _stopped(project, command, number)
    assert (done.code, done.document["status"]) == (130, "interrupted")
    assert done.err == "ragproof: stopped\n"


def test_a_check_stops_while_it_waits_for_the_pipeline(tmp_path: Path) -> None:
    project = Project(tmp_path, SLOW_TO_LOAD.replace("__init__(self)", "answer(self, question)"))
    done = _stopped(project, "check", signal.SIGINT)
    assert (done.code, done.document["status"]) == (130, "interrupted")


def _stopped(project: Project, command: str, number: signal.Signals) -> Done:
    process = project.start(command, "--json", start_new_session=True)
    eventually(lambda: project.asked, process)
    os.killpg(process.pid, number)
    return ended(process)


def test_a_run_inside_another_program_gives_its_signals_back(tmp_path: Path) -> None:
    stops = PIPELINE.replace("note(question)", "os.kill(os.getpid(), 2) if '3' in question else 0")
    project = Project(tmp_path, stops)
    project.config(run="{concurrency: 1}")
    script = (
        "import signal, sys\n"
        "from ragproof.cli.main import root\n"
        "before = signal.getsignal(signal.SIGINT)\n"
        "code = root.main(['run', '--json'], standalone_mode=False)\n"
        "print(code, signal.getsignal(signal.SIGINT) is before, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert json.loads(done.stdout)["status"] == "interrupted"
    assert done.stderr.splitlines()[-1] == "130 True"
