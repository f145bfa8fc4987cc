"""A process that uses a store, for tests of several of them. Run it with a name and arguments."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from store_samples import finished, header, save, save_at_once

from ragproof.core import RagproofError, RunState
from ragproof.store.open import open_store

NOBODY = 65534


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def write(where: str, run_id: str, cases: str) -> None:
    """Start a run, save cases, read them back, finish."""
    say(written(where, run_id, int(cases)))


def written(where: str, run_id: str, cases: int) -> str:
    with open_store(where) as store:
        store.begin(header(run_id))
        save_at_once(store, run_id, (finished(f"c{at}") for at in range(cases)))
        seen = sum(1 for _ in store.case_runs(run_id))
        rows = len(store.record(run_id).cases)
        store.finish(run_id, RunState.COMPLETED, {})
        return f"{seen} {rows} {len(store.runs()) > 0}"


def write_on(where: str, run_id: str) -> None:
    """Save cases until killed, a line for each that is durable."""
    store = open_store(where)
    store.begin(header(run_id))
    for at in range(len(store.done(run_id)), 1_000_000):
        save(store, run_id, finished(f"c{at:06}"))
        say(str(at))


def begin(where: str, run_id: str) -> None:
    """Try to become a run's writer."""
    with open_store(where) as store:
        store.begin(header(run_id))


def lock(where: str, seconds: str) -> None:
    """Keep the file locked for writing."""
    connection = sqlite3.connect(where, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    say("locked")
    time.sleep(float(seconds))


def unprivileged(where: str, act: str) -> None:
    """Do something as a user who owns nothing."""
    with TemporaryDirectory() as warm:  # imports all that is needed while this still may
        written(str(Path(warm, "s.db")), "warm", 1)
    os.setuid(NOBODY)
    if act == "write":
        write(where, "mine", "2")
    else:
        with open_store(where, create=False) as store:
            for info in store.runs():
                cases = len(store.record(info.header.id).cases)
                say(f"{info.header.id} {info.state} {cases}")


if __name__ == "__main__":
    acts = {act.__name__: act for act in (write, write_on, begin, lock, unprivileged)}
    try:
        acts[sys.argv[1]](*sys.argv[2:])
    except RagproofError as error:
        say(f"{type(error).__name__}: {error}")
        sys.exit(2)
