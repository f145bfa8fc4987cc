"""Wrong input is exit 3 and one message, whatever else fails is exit 2; never a traceback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from project import PIPELINE, STORE, Project, question


@dataclass(frozen=True)
class Fault:
    """How a project is spoilt, the command that meets it, and what it says."""

    spoil: Callable[[Project], object]
    command: str
    says: tuple[str, ...]


def yaml(text: str) -> Callable[[Project], object]:
    return lambda project: project.write("ragproof.yaml", text)


def nothing(_: Project) -> None: ...


GOOD = json.dumps(question(0)) + "\n"
WRONG_INPUT = {
    "yaml that is none": Fault(yaml("project: [\n"), "run", ("ragproof.yaml:",)),
    "an unknown key": Fault(
        yaml("dataset: dataset.jsonl\nadaptor: {}\n"), "run", ("ragproof.yaml:2", "adapter")
    ),
    "a wrong type": Fault(yaml("run: {k: many}\n"), "check", ("ragproof.yaml:1", "run.k")),
    "no config": Fault(
        lambda p: (p.folder / "ragproof.yaml").unlink(), "run", ("no dataset is named",)
    ),
    "a config that is not there": Fault(nothing, "run -c other.yaml", ("other.yaml",)),
    "a line that is not JSON": Fault(
        lambda p: p.write("dataset.jsonl", GOOD + "{nonsense\n"), "run", ("dataset.jsonl:2",)
    ),
    "a case without question": Fault(
        lambda p: p.write("dataset.jsonl", GOOD + '{"id": "x"}\n'),
        "check",
        ("dataset.jsonl:2", "question"),
    ),
    "a dataset that is not UTF-8": Fault(
        lambda p: p.write("dataset.jsonl", b"\xff\xff"), "run", ("dataset.jsonl:1", "UTF-8")
    ),
    "no dataset": Fault(
        lambda p: (p.folder / "dataset.jsonl").unlink(), "run", ("dataset.jsonl", "no such file")
    ),
    "no module": Fault(
        lambda p: (p.folder / "pipe.py").unlink(), "run", ("there is no module pipe",)
    ),
    "no attribute": Fault(lambda p: p.pipeline("class Pipelin: pass"), "check", ("Pipeline",)),
    "no methods": Fault(lambda p: p.pipeline("class Pipeline: pass"), "run", ("retrieve",)),
    "an unknown metric": Fault(
        nothing, "run --metrics retrieval.recal_at_k", ("Did you mean 'retrieval.recall_at_k'",)
    ),
    "a metric of whom nobody knows": Fault(
        nothing, "metrics retrieval.nothing", ("ragproof metrics",)
    ),
    "a metric's module that is missing": Fault(nothing, "run --metrics mine:One", ("mine:One",)),
    "a metric's module that exits": Fault(
        lambda p: p.write("mine.py", "raise SystemExit(0)"),
        "run --metrics mine:One",
        ("mine:One", "SystemExit"),
    ),
    "an unknown option": Fault(nothing, "run --lable x", ("--label",)),
    "an unknown command": Fault(nothing, "rum", ("rum",)),
    "an option that is no number": Fault(nothing, "run --limit few", ("--limit",)),
    "no cases": Fault(nothing, "run --limit 0", ("limit: got 0",)),
    "no such split": Fault(nothing, "run --split nowhere", ("nowhere",)),
    "no repeats": Fault(nothing, "run --repeats 0", ("--repeats",)),
    "no concurrency": Fault(nothing, "run --concurrency 0", ("--concurrency",)),
    "errors of no run": Fault(nothing, "run --retry-errors", ("--resume",)),
    "no run to report": Fault(nothing, "report", ("There is no store",)),
    "no run to resume": Fault(nothing, "run --resume latest", ("There is no store",)),
    "no runs to list": Fault(nothing, "runs", ("There is no store",)),
    "nothing to freeze": Fault(nothing, "freeze other.jsonl", ("other.jsonl", "no such file")),
    "no recording": Fault(nothing, "run --recorded o.jsonl", ("o.jsonl", "no such file")),
    "a recording that is none": Fault(
        lambda p: p.write("o.jsonl", '{"case_id": "q0"}\n{"case": 1}\n'),
        "run --recorded o.jsonl",
        ("o.jsonl:2",),
    ),
    "a store that is a folder": Fault(nothing, "run --store .", ("is a folder",)),
}


@pytest.mark.parametrize("name", WRONG_INPUT)
def test_wrong_input_is_exit_3_with_one_message(tmp_path: Path, name: str) -> None:
    fault = WRONG_INPUT[name]
    project = Project(tmp_path)
    fault.spoil(project)
    done = project.run(*fault.command.split(), "--json")
    assert (done.code, done.out) == (3, "")
    assert done.says(*fault.says), done.err
    assert not project.asked
    assert not project.store.exists()


def foreign(project: Project) -> None:
    project.store.parent.mkdir()
    with sqlite3.connect(project.store) as connection:
        connection.execute("CREATE TABLE sales (amount)")
    connection.close()


def damaged(project: Project) -> None:
    assert project.run("run", "--limit", "1").code == 0
    content = project.store.read_bytes()
    project.store.write_bytes(content[:200] + b"\xff" * (len(content) - 200))
    (project.folder / f"{STORE}-wal").unlink(missing_ok=True)


def text(project: Project) -> None:
    project.store.parent.mkdir()
    project.store.write_text("these are not the runs you are looking for\n" * 100)


EXECUTION_FAILED = {
    "a factory that raises": Fault(
        lambda p: p.pipeline("def Pipeline(): raise KeyError('API_KEY')"),
        "run",
        ("could not be loaded: KeyError: 'API_KEY' (pipe.py:",),
    ),
    "a module that raises": Fault(
        lambda p: p.pipeline("import nowhere_at_all"), "run", ("No module named 'nowhere_at_all'",)
    ),
    "a module that exits": Fault(
        lambda p: p.pipeline("raise SystemExit(0)"), "run", ("SystemExit",)
    ),
    "a database of others": Fault(foreign, "run", ("ragproof.db", "not")),
    "a database of others, read": Fault(foreign, "report", ("ragproof.db", "not")),
    "a damaged store": Fault(damaged, "runs", ("ragproof.db", "damaged")),
    "a text for a store": Fault(text, "run", ("ragproof.db", "not a SQLite database")),
}


@pytest.mark.parametrize("name", EXECUTION_FAILED)
def test_what_else_goes_wrong_is_exit_2_with_one_sentence(tmp_path: Path, name: str) -> None:
    fault = EXECUTION_FAILED[name]
    project = Project(tmp_path)
    fault.spoil(project)
    done = project.run(*fault.command.split(), "--json")
    assert (done.code, done.document["status"]) == (2, "failed")
    assert done.says(*fault.says), done.err
    assert done.err.count("\n") == 1


def test_a_run_of_which_no_case_succeeds_has_failed_and_a_resume_does_not_hide_it(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path, PIPELINE.replace("note(question)", "raise OSError('down')"))
    for resuming in ((), ("--resume", "latest")):
        done = project.run("run", *resuming, "--json")
        assert (done.code, done.document["status"]) == (2, "failed")
    assert done.document["cases"]["errors"] == 10
    assert done.document["metrics"]["retrieval.recall_at_k"]["mean"] is None
    whole = done.document["metrics"]["retrieval.universe_coverage"]
    assert (whole["mean"], whole["errors"]) == (None, 10)
    assert whole["skip_reasons"] == {"no case that it covers came to its end": 1}
    project.pipeline(PIPELINE)
    done = project.run("run", "--resume", "latest", "--retry-errors", "--json")
    assert (done.code, done.document["status"]) == (0, "completed")
