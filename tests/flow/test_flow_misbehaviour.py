"""A pipeline may do anything to a case; it costs that case and nothing else."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from project import PIPELINE, Done, Project, question

from ragproof.core import CaseRun
from ragproof.store.open import open_store

BAD = dedent(r"""
    import asyncio, concurrent.futures, contextlib, subprocess, sys, threading, time

    held = threading.Lock()
    held.acquire()
    pool = concurrent.futures.ThreadPoolExecutor(2)

    def fail(error):
        raise error

    def talk():
        print("to stdout")
        os.write(1, b"to descriptor 1\n")
        subprocess.run([sys.executable, "-c", "print('from a child process')"])
        return []

    def leave_threads():
        threading.Thread(target=time.sleep, args=(3600,), daemon=False).start()
        pool.submit(time.sleep, 3600)
        return []

    ACTS = {
        "ValueError": lambda: fail(ValueError("no")),
        "SystemExit": lambda: fail(SystemExit(0)),
        "KeyboardInterrupt": lambda: fail(KeyboardInterrupt()),
        "StopIteration": lambda: fail(StopIteration("done")),
        "CancelledError": lambda: fail(asyncio.CancelledError()),
        "its own TimeoutError": lambda: fail(TimeoutError("upstream")),
        "an unprintable error": lambda: fail(type("Odd", (Exception,), {"__str__": lambda s: 1})()),
        "sleeps": lambda: time.sleep(3600),
        "waits for a lock": held.acquire,
        "None": lambda: None,
        "a number": lambda: 7,
        "a chunk without id": lambda: [{"text": "x"}],
        "a score that is NaN": lambda: [{"id": "a", "score": float("nan")}],
        "integer ids": lambda: [{"id": 7}, {"id": 8}],
        "ids twice": lambda: [{"id": "b"}, {"id": "b"}, {"id": "a"}],
        "10 MB": lambda: [{"id": "a", "text": "x" * 10_000_000}],
        "broken text": lambda: [{"id": "a", "text": "\ud800 \0 \x1b[31m"}],
        "talks": talk,
        "leaves threads": leave_threads,
    }

    class Pipeline:
        def retrieve(self, question, k):
            return ACTS[question]()

        def answer(self, question):
            return "\ud800" if question == "broken text" else "yes"
""")
FAILURES = {
    "ValueError": ("adapter", "ValueError: no (pipe.py:"),
    "SystemExit": ("adapter", "SystemExit: 0"),
    "KeyboardInterrupt": ("adapter", "KeyboardInterrupt"),
    "StopIteration": ("adapter", "StopIteration: done"),
    "CancelledError": ("adapter", "CancelledError"),
    "its own TimeoutError": ("adapter", "TimeoutError: upstream"),
    "an unprintable error": ("adapter", "Odd"),
    "sleeps": ("timeout", "no result in 15 s"),
    "waits for a lock": ("timeout", "no result in 15 s"),
    "None": ("adapter", "None"),
    "a number": ("adapter", "7"),
    "a chunk without id": ("adapter", "id"),
    "a score that is NaN": ("adapter", "score"),
}
FINE = ("integer ids", "ids twice", "10 MB", "broken text", "talks", "leaves threads")
ASYNC = """
    import asyncio, contextlib, time

    class Pipeline:
        def __init__(self):
            pass

        async def retrieve(self, question, k):
            if question == "ignores being cancelled":
                while True:
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.sleep(3600)
            if question == "blocks the loop":
                time.sleep(0.5)
            if question == "leaves a task":
                self.task = asyncio.create_task(asyncio.sleep(3600))
            if question == "exits":
                raise SystemExit(3)
            if question == "interrupts":
                raise KeyboardInterrupt
            yield {"id": "a"}
"""


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Done]:
    project = Project(tmp_path_factory.mktemp("bad"), BAD)
    project.dataset(question(0, id=name, question=name) for name in (*FAILURES, *FINE))
    project.config(run="{concurrency: 32, case_timeout_seconds: 15}")
    return project, project.run("run", "--json")


@pytest.fixture(scope="module")
def runs(bad: tuple[Project, Done]) -> dict[str, CaseRun]:
    project, done = bad
    with open_store(project.store, create=False) as store:
        return {one.case.id: one for one in store.case_runs(done.document["run_id"])}


def test_stdout_is_one_document_whatever_the_pipeline_prints(bad: tuple[Project, Done]) -> None:
    _, done = bad
    assert done.code == 0, done.err
    assert done.document["status"] == "completed"
    for told in ("to stdout", "to descriptor 1", "from a child process"):
        assert told in done.err
        assert told not in done.out


def test_every_case_is_counted_and_the_failed_ones_are_in_no_mean(
    bad: tuple[Project, Done],
) -> None:
    _, done = bad
    cases = done.document["cases"]
    timeouts = sum(cause == "timeout" for cause, _ in FAILURES.values())
    assert (cases["total"], cases["ok"]) == (len(FAILURES) + len(FINE), len(FINE))
    assert (cases["errors"], cases["timeouts"]) == (len(FAILURES) - timeouts, timeouts)
    for figures in done.document["metrics"].values():
        assert figures["errors"] == len(FAILURES)
    # a is found in 3 of 6 (nothing, or other ids, in the others); where b comes first, at rank 2
    assert done.document["metrics"]["retrieval.recall_at_k"]["mean"] == pytest.approx(3 / 6)
    assert done.document["metrics"]["retrieval.mrr"]["mean"] == pytest.approx((1 + 1 + 1 / 2) / 6)


@pytest.mark.parametrize("name", FAILURES)
def test_the_failure_says_whose_it_was_and_what_happened(
    runs: dict[str, CaseRun], name: str
) -> None:
    failure = runs[name].observation.failure
    assert failure is not None
    assert failure.cause == FAILURES[name][0]
    assert FAILURES[name][1] in failure.message


@pytest.mark.parametrize("name", FINE)
def test_what_can_be_used_is_used(runs: dict[str, CaseRun], name: str) -> None:
    assert runs[name].observation.failure is None


def test_text_is_kept_to_the_last_character(runs: dict[str, CaseRun]) -> None:
    def text(name: str) -> str:
        return (runs[name].observation.retrieved or ())[0].text

    assert len(text("10 MB")) == 10_000_000
    assert text("broken text") == "\ud800 \0 \x1b[31m"
    assert [chunk.id for chunk in runs["integer ids"].observation.retrieved or ()] == ["7", "8"]


@pytest.mark.parametrize(
    "command", [("report",), ("report", "--json"), ("report", "--html", "r.html")]
)
def test_any_text_can_be_shown(bad: tuple[Project, Done], command: tuple[str, ...]) -> None:
    done = bad[0].run(*command, env={"PYTHONIOENCODING": "ascii"})
    assert (done.code, done.says()) == (0, True)
    assert "\x1b" not in done.out
    assert done.out.isascii()


def test_an_async_pipeline_costs_no_more_than_its_case(tmp_path: Path) -> None:
    project = Project(tmp_path, ASYNC)
    bad = ("ignores being cancelled", "blocks the loop", "leaves a task", "exits", "interrupts")
    names = (*bad, "nothing")
    project.dataset(question(0, id=name, question=name) for name in names)
    project.config(run="{concurrency: 5, case_timeout_seconds: 3}")
    done = project.run("run", "--json")
    assert (done.code, done.says()) == (0, True)
    failures = done.document["cases"]["failure_reasons"]
    assert {reason.split(" (")[0]: count for reason, count in failures.items()} == {
        "timeout: no result in 3 s": 1,
        "adapter: SystemExit: 3": 1,
        "adapter: KeyboardInterrupt": 1,
    }
    assert done.document["metrics"]["retrieval.recall_at_k"]["scored"] == 3


def test_async_code_that_blocks_in_turn_is_slow_and_not_lost(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        """
        import time

        class Pipeline:
            async def retrieve(self, question, k):
                time.sleep(0.9)
                return [{"id": "a"}]
        """,
        cases=8,
    )
    project.config(run="{concurrency: 8, case_timeout_seconds: 4}")
    done = project.run("run", "--json")  # for 7.2 seconds the loop does not turn
    assert (done.code, done.document["cases"]["ok"]) == (0, 8), done.err


def test_hung_cases_time_out_and_no_other_does(tmp_path: Path) -> None:
    hangs = PIPELINE.replace(
        "note(question)", "int(question.split()[1]) < 6 and __import__('time').sleep(3600)"
    )
    project = Project(tmp_path, hangs, cases=60)
    project.config(run="{concurrency: 8, case_timeout_seconds: 5}")
    cases = project.run("run", "--json").document["cases"]
    assert (cases["ok"], cases["timeouts"], cases["errors"]) == (54, 6, 0)


def test_synchronous_calls_run_as_many_at_once_as_configured(tmp_path: Path) -> None:
    project = Project(
        tmp_path,
        """
        import threading

        together = threading.Barrier(20)

        class Pipeline:
            def retrieve(self, question, k):
                together.wait(60)  # passes only when 20 are here
                return []
        """,
        cases=40,
    )
    project.config(run="{concurrency: 20}")
    assert project.run("run", "--json").document["cases"]["ok"] == 40


def test_a_pipeline_of_which_too_many_calls_hang_is_given_up_and_its_results_stay(
    tmp_path: Path,
) -> None:
    hangs = PIPELINE.replace("note(question)", "note(question); question == 'question 0' or hang()")
    project = Project(
        tmp_path, "import time\ndef hang(): time.sleep(3600)\n" + dedent(hangs), cases=100
    )
    project.config(run="{concurrency: 50, case_timeout_seconds: 4}")
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (2, "partial")
    assert done.says("calls of pipe:Pipeline never returned")
    assert done.document["cases"]["ok"] == 1
    assert done.document["cases"]["missing"] > 0


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ("[task.cancel() for task in asyncio.all_tasks()]", "cancelled tasks that are not its own"),
        ("asyncio.get_running_loop().stop()", "stopped the event loop"),
    ],
)
def test_a_pipeline_that_ends_all_that_runs_on_the_loop_does_so_in_no_silence(
    tmp_path: Path, act: str, told: str
) -> None:
    project = Project(
        tmp_path,
        f"""
        import asyncio

        class Pipeline:
            async def answer(self, question):
                note(question)
                if question == "question 3":
                    {act}
                    await asyncio.sleep(3600)
                return "yes"
        """,
    )
    done = project.run("run", "--json")
    assert (done.code, done.document["status"]) == (2, "partial")
    assert done.says(told)
    cases = done.document["cases"]
    assert cases["ok"] + cases["missing"] == cases["total"] == 10
    project.pipeline(PIPELINE)
    again = project.run("run", "--resume", "latest", "--json")
    assert (again.code, again.document["cases"]["ok"]) == (0, 10)
