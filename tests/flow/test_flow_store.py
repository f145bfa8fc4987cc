"""A store that is busy, full or not ours to write."""

from __future__ import annotations

import ctypes
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import PIPELINE, STORE, Project, ended, eventually


def test_a_store_locked_by_another_process_is_waited_out(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.run("run", "--limit", "1").code == 0
    other = sqlite3.connect(project.store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    process = project.start("run", "--json")
    time.sleep(4)
    assert process.poll() is None
    other.execute("COMMIT")
    other.close()
    done = ended(process)
    assert (done.code, done.document["cases"]["ok"]) == (0, 10), done.err


def _without_privileges() -> None:
    """Make even root subject to permissions: take CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    drop = 24
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(drop, capability, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="permissions do not bind root elsewhere")
def test_a_folder_that_may_not_be_written_to_is_exit_2(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.run("run", "--limit", "1").code == 0
    project.store.parent.chmod(0o555)
    project.store.chmod(0o444)
    try:
        for command in (["run"], ["check"], ["run", "--store", f"{STORE[:-3]}-new.db"]):
            done = project.run(*command, "--json", preexec_fn=_without_privileges)
            assert done.code == 2
            assert done.says(STORE[:-3], "permission"), done.err
            assert done.err.count("\n") == 1
            assert "error" in done.document or done.document["ok"] is False
        assert project.run("report", preexec_fn=_without_privileges).code == 0
    finally:
        project.store.parent.chmod(0o755)
    assert len(project.asked) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    told = subprocess.run([mount, "-t", "tmpfs", "-o", "size=1m", "none", place], check=False)
    if told.returncode != 0:
        pytest.skip("mounting is not permitted here")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_ends_the_run_and_what_was_saved_is_whole(
    tmp_path: Path, small_disk: Path
) -> None:
    large = PIPELINE.replace('"the a"', "os.urandom(10_000).hex()")
    project = Project(tmp_path, large, cases=100)
    store = f"{small_disk}/ragproof.db"
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * 400_000)
    done = project.run("run", "--store", store, "--json")
    assert done.code == 2
    assert done.says("full"), done.err
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    info = project.run("runs", "--store", store, "--json").document["runs"][0]
    saved = info["cases"]["ok"]
    assert 0 < saved < 100
    with sqlite3.connect(store) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    again = project.run("run", "--store", store, "--resume", "latest", "--json")
    assert (again.code, again.document["status"]) == (0, "completed")
    assert again.document["cases"]["ok"] == 100


def test_a_run_in_hand_is_seen_as_running_and_a_killed_one_as_interrupted(tmp_path: Path) -> None:
    project = Project(
        tmp_path, PIPELINE.replace("note(question)", "note(question); __import__('time').sleep(99)")
    )
    process = project.start("run")
    eventually(lambda: project.asked, process)
    assert project.run("runs", "--json").document["runs"][0]["status"] == "running"
    process.kill()
    ended(process)
    listed = eventually(
        lambda: [
            run
            for run in project.run("runs", "--json").document["runs"]
            if run["status"] != "running"
        ]
    )
    assert listed[0]["status"] == "interrupted"
