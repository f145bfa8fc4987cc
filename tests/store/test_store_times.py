"""When each case was asked, read back with the run."""

from __future__ import annotations

import subprocess
import sys

from sqlalchemy import create_engine, text
from store_samples import DOWN, finished, header, save

from ragproof.store import postgres
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore, open_store

ASKED = 1767323045.5
"""The samples' time; a case that failed tells none."""
READER = """
import sys
from ragproof.store.open import open_store
with open_store(sys.argv[1], create=False) as store:
    print([case.asked_at for case in store.record("run-1").cases])
"""


def test_the_record_tells_when_each_case_was_asked(any_store: RunStore | MemoryStore) -> None:
    any_store.begin(header())
    save(any_store, "run-1", finished("a"), finished("b", failure=DOWN))
    times = {case.id: case.asked_at for case in any_store.record("run-1").cases}
    assert times == {"a": ASKED, "b": None}


def test_a_store_of_before_is_opened_and_tells_the_times_it_kept(where: str) -> None:
    with open_store(where) as store:
        store.begin(header())
        save(store, "run-1", finished("a"), finished("b", failure=DOWN))
        before = store.record("run-1")
    make_old(where)
    with open_store(where, create=False) as store:
        assert store.record("run-1").cases == before.cases
        assert [one.observation.asked_at for one in store.case_runs("run-1")] == [ASKED, None]
        store.begin(header())
        save(store, "run-1", finished("c"))
        assert [case.asked_at for case in store.record("run-1").cases] == [ASKED, None, ASKED]


def test_processes_that_open_a_store_of_before_at_once_all_read_it(where: str) -> None:
    with open_store(where) as store:
        store.begin(header())
        save(store, "run-1", finished("a"), finished("b", failure=DOWN))
    make_old(where)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", READER, where], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    said = [one.communicate(timeout=120) for one in started]
    assert [(out.decode().strip(), err.decode()) for out, err in said] == [
        (f"[{ASKED}, None]", "")
    ] * 3


def make_old(where: str) -> None:
    """Leave the tables as revision 0003 had them."""
    url = postgres.parsed(where) if "://" in where else f"sqlite:///{where}"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE subjects DROP COLUMN asked_at"))
        connection.execute(text("UPDATE ragproof_version SET version_num = '0003'"))
    engine.dispose()
