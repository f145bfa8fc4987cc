"""Several processes on one store, and processes that die."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from store_samples import RECALL, finished, header, save

from ragproof.core import RunError, RunState, Status
from ragproof.store.open import open_store

PROGRAM = str(Path(__file__).with_name("store_process.py"))


def started(*told: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, PROGRAM, *told], stdout=subprocess.PIPE, text=True)


def test_several_processes_start_on_no_store_write_and_read_at_once(where: str) -> None:
    processes = [started("write", where, f"r{at}", "40") for at in range(4)]
    told = [process.communicate(timeout=120)[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, told
    assert told == ["40 40 True"] * 4
    with open_store(where, create=False) as store:
        assert {info.header.id: info.state for info in store.runs()} == {
            f"r{at}": RunState.COMPLETED for at in range(4)
        }
        assert {info.counts.ok for info in store.runs()} == {40}


def test_a_killed_writer_leaves_whole_cases_and_a_run_that_can_go_on(where: str) -> None:
    chance = random.Random(7)
    open_store(where).close()
    for _ in range(4):
        process = started("write_on", where, "run-1")
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(chance.randint(1, 30))]
        time.sleep(chance.random() / 50)
        process.kill()
        said += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        acknowledged = int([line for line in said if line.strip()][-1])
        with open_store(where, create=False) as store:
            eventually_interrupted(where)
            record = store.record("run-1")
            assert len(record.cases) in {acknowledged + 1, acknowledged + 2}
            assert (record.columns[RECALL].status == Status.SCORED).all()
            assert sum(1 for _ in store.case_runs("run-1")) == len(record.cases)
    if "://" not in where:
        with sqlite3.connect(where) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def eventually_interrupted(where: str) -> None:
    """A database server needs a moment to notice that a client is gone."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with open_store(where, create=False) as store:
            if store.find("run-1").state is RunState.INTERRUPTED:
                return
        time.sleep(0.05)
    pytest.fail("the run of a dead process is still running")


def test_a_second_writer_of_a_run_is_refused_and_told_why(where: str) -> None:
    process = started("write_on", where, "run-1")
    assert process.stdout is not None
    process.stdout.readline()
    with open_store(where) as store:
        assert store.find("run-1").state is RunState.RUNNING
        with pytest.raises(RunError, match="another process is writing the run 'run-1'"):
            store.begin(header())
        store.begin(header("run-2"))  # other runs are free
        save(store, "run-2", finished("a"))
    process.kill()
    process.communicate()
    eventually_interrupted(where)
    with open_store(where) as store:
        store.begin(header())


def test_asking_and_closing_do_not_free_the_lock_of_a_run(where: str) -> None:
    with open_store(where) as store:
        store.begin(header())
        with open_store(where) as other:  # POSIX drops locks when any descriptor closes
            assert other.find("run-1").state is RunState.RUNNING
        process = started("begin", where, "run-1")
        told, _ = process.communicate(timeout=60)
        assert (process.returncode, told.partition(":")[0]) == (2, "RunError")


def test_a_forked_child_owns_none_of_its_parents_locks(tmp_path: Path) -> None:
    where = str(tmp_path / "runs.db")
    with open_store(where) as store:
        store.begin(header())
        if (child := os.fork()) == 0:
            code = 1
            with suppress(BaseException), open_store(where) as mine:
                mine.begin(header("run-2"))
                try:
                    mine.begin(header())
                except RunError:
                    code = 0
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        process = started("begin", where, "run-1")
        process.communicate(timeout=60)
        assert process.returncode == 2  # the child's end freed nothing of ours
        assert store.find("run-2").state is RunState.INTERRUPTED


def test_a_lock_is_waited_out(tmp_path: Path) -> None:
    where = str(tmp_path / "runs.db")
    with open_store(where) as store:
        store.begin(header())
        process = started("lock", where, "3")
        assert process.stdout is not None
        process.stdout.readline()
        save(store, "run-1", finished("a"))
        assert store.done("run-1") == {("a", 0)}
        process.communicate()


@pytest.fixture
def others() -> Iterator[Path]:
    """A folder that another user may look into."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    with TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


def test_a_folder_without_write_permission_is_one_sentence(others: Path) -> None:
    for where in (others / "runs.db", others / "deeper" / "runs.db"):
        process = started("unprivileged", str(where), "write")
        told, _ = process.communicate(timeout=60)
        assert process.returncode == 2, told
        assert told.startswith("StoreError: cannot "), told
        assert "Permission denied" in told


def test_a_store_without_write_permission_can_be_read_but_not_written(others: Path) -> None:
    where = others / "runs.db"
    with open_store(where) as store:
        store.begin(header())
        save(store, "run-1", finished("a"))
        told, _ = started("unprivileged", str(where), "read").communicate(timeout=60)
        assert told == "run-1 running 1\n"  # while it is being written
    told, _ = started("unprivileged", str(where), "read").communicate(timeout=60)
    assert told == "run-1 interrupted 1\n"  # and when nobody has it open
    process = started("unprivileged", str(where), "write")
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 2, told
    assert told.startswith("StoreError: "), told
    assert "is not writable for this user" in told or "is read-only for this user" in told
    (where.parent / "runs.db-lock").unlink()
    told, _ = started("unprivileged", str(where), "read").communicate(timeout=60)
    assert told == "run-1 interrupted 1\n"  # copied there without its lock file
