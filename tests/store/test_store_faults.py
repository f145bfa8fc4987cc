"""What is wrong with a store is one sentence."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from store_samples import finished, header, save, save_at_once

from ragproof.core import RunState, StoreError, UsageError
from ragproof.store import locks, postgres, sqlite
from ragproof.store.open import RunStore, open_store
from ragproof.store.schema import VERSION_TABLE


def test_a_store_that_is_not_there_is_an_input_fault_for_a_reader(tmp_path: Path) -> None:
    where = tmp_path / "no" / "runs.db"
    with pytest.raises(UsageError, match=f"There is no store at {where}; `ragproof run` makes one"):
        open_store(where, create=False)
    assert not where.parent.exists()


def test_an_empty_database_is_no_store_for_a_reader(database: str) -> None:
    with pytest.raises(UsageError, match=r"There is no store at postgresql://.*`ragproof run`"):
        open_store(database, create=False)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder; name a file in it"):
        open_store(tmp_path)


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"cannot reach .*file/runs.db: "):
        open_store(tmp_path / "file" / "runs.db")


@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path, *, create: bool) -> None:
    where = tmp_path / "runs.db"
    where.write_bytes(b"not a database at all " * 500)
    with pytest.raises(StoreError, match="is not a SQLite database, or is damaged"):
        open_store(where, create=create)


def test_a_cut_store_is_one_sentence(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    with open_store(where) as store:
        store.begin(header())
        save_at_once(store, "run-1", (finished(f"c{at}") for at in range(200)))
    whole = where.read_bytes()
    where.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match="is damaged; restore it from a copy"):
        open_store(where).record("run-1")


def test_overwritten_pages_are_one_sentence(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    with open_store(where) as store:
        store.begin(header())
        save_at_once(store, "run-1", (finished(f"c{at}") for at in range(200)))
    with where.open("r+b") as file:
        pages = where.stat().st_size // 4096
        file.seek(4096 * (pages // 2))
        file.write(os.urandom(4096 * (pages // 2)))
    with (
        open_store(where, create=False) as store,
        pytest.raises(StoreError, match="is damaged; restore it from a copy"),
    ):
        read_all(store)


def read_all(store: RunStore) -> None:
    store.record("run-1")
    list(store.case_runs("run-1"))


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    with sqlite3.connect(where) as connection:
        connection.execute("CREATE TABLE songs (title)")
    connection.close()
    before = where.read_bytes()
    with pytest.raises(StoreError, match=r"another program's database .*'songs'.*another store"):
        open_store(where)
    assert where.read_bytes() == before


def test_a_database_with_other_tables_is_shared_unless_they_have_our_names(database: str) -> None:
    run_sql(database, "CREATE TABLE songs (title text)")
    open_store(database).close()
    run_sql(database, f"DROP TABLE {VERSION_TABLE}")
    with pytest.raises(StoreError, match="another program's database"):
        open_store(database)


def run_sql(where: str, statement: str) -> None:
    url = where if "://" in where else f"sqlite:///{where}"
    engine = create_engine(postgres.parsed(url) if "://" in where else url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_a_store_of_a_newer_version_is_left_alone(where: str) -> None:
    open_store(where).close()
    run_sql(where, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"newer version of ragproof .*'9999'.*upgrade ragproof"):
        open_store(where)


def test_a_lock_that_is_never_freed_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "WAIT_SECONDS", 0.2)
    where = tmp_path / "runs.db"
    with open_store(where) as store:
        store.begin(header())
        save(store, "run-1", finished("a"))
        other = sqlite3.connect(where, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked by another process"):
            save(store, "run-1", finished("b"))
        other.close()
        with pytest.raises(StoreError, match="is locked by another process"):
            save(store, "run-1", finished("c"))  # what is broken stays so
        assert store.done("run-1") == {("a", 0)}


def test_a_schema_lock_that_is_never_freed_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.2)
    program = (
        "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.lockf(file, 2, 1, 0);"
        "print(flush=True); sys.stdin.read()"
    )
    where = tmp_path / "runs.db"
    holder = subprocess.Popen(
        [sys.executable, "-c", program, f"{where}-lock"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(StoreError, match=r"another process has kept .*runs.db-lock locked"):
        open_store(where)
    holder.communicate()
    open_store(where).close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small file system")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_is_one_sentence_and_what_was_saved_is_kept(small_disk: Path) -> None:
    where = small_disk / "runs.db"
    saved: list[str] = []
    with open_store(where) as store:
        store.begin(header())
        with pytest.raises(StoreError, match=r"the disk (is full|failed or is full)"):
            fill(store, saved)
        for name in ("again", "and again"):
            with pytest.raises(StoreError, match=r"the disk (is full|failed or is full)"):
                save(store, "run-1", finished(name))
        with pytest.raises(StoreError, match="the disk"):
            store.finish("run-1", RunState.FAILED, {})
    assert len(saved) > 10
    check_kept(where, saved)


def test_a_full_database_is_one_sentence_and_what_was_saved_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "runs.db"
    open_store(where).close()
    connect = sqlite3.connect

    def limited(*given: object, **named: object) -> sqlite3.Connection:
        made = connect(*given, **named)  # type: ignore[call-overload]
        made.execute("PRAGMA max_page_count = 60")
        assert isinstance(made, sqlite3.Connection)
        return made

    monkeypatch.setattr(sqlite3, "connect", limited)
    saved: list[str] = []
    with open_store(where) as store:
        store.begin(header())
        with pytest.raises(StoreError, match="has no room left: the disk is full"):
            fill(store, saved)
    monkeypatch.undo()
    check_kept(where, saved)


def fill(store: RunStore, saved: list[str]) -> None:
    for at in range(10_000):
        save(store, "run-1", finished(f"c{at:04}"))
        saved.append(f"c{at:04}")


def check_kept(where: Path, saved: list[str]) -> None:
    with open_store(where, create=False) as store:
        assert [run.case.id for run in store.case_runs("run-1")] == saved
        assert store.find("run-1").state is RunState.INTERRUPTED


def test_every_waiter_hears_of_a_lost_connection(database: str) -> None:
    with open_store(database) as store:
        store.begin(header())
        save(store, "run-1", finished("a"))
        kill = (
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
            "AND pid <> pg_backend_pid() AND (classid::bigint << 32) | objid::bigint = "
        )
        number = locks._number(f"ragproof store {schema_of(database)} run-1")
        run_sql(database, f"{kill}{number}")
        for name in ("b", "c"):
            with pytest.raises(StoreError, match="is gone, the connection was lost"):
                save(store, "run-1", finished(name))
        assert store.done("run-1") == {("a", 0)}  # readers connect anew


def schema_of(database: str) -> str:
    return database.rpartition("search_path%3D")[2]


def test_a_server_out_of_reach_is_one_sentence_without_the_password() -> None:
    pytest.importorskip("psycopg")
    where = "postgres://user:s3cr%40t@127.0.0.1:9/db?sslpassword=s3cr@t"
    with pytest.raises(StoreError) as caught:
        open_store(where)
    told = str(caught.value)
    assert "the store postgresql://user:***@127.0.0.1:9/db" in told
    assert "s3cr" not in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("postgresql://user:s3cret@host:port/db", "URL cannot be read; it has the form"),
        ("mysql://user:s3cret@host/db", "a path or a postgresql:// URL, got a mysql:// URL"),
        ("sqlite:///s3cret.db", "got a sqlite:// URL; for SQLite give the path alone"),
    ],
)
def test_a_wrong_url_is_named_without_the_password(where: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        open_store(where)
    assert "s3cret" not in str(caught.value)


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"need an extra: pip install 'ragproof\[postgres\]'"):
        open_store("postgresql://127.0.0.1/db")


def test_a_closed_store_takes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.db")
    store.begin(header())
    store.close()
    store.close()
    with pytest.raises(StoreError, match="not open for writing"):
        save(store, "run-1", finished("a"))
