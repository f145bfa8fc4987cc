"""All that a run saved, read subject by subject."""

from __future__ import annotations

from store_samples import DOWN, finished, header, save, whole

from ragproof.core import Level, NotApplicable
from ragproof.store import reading
from ragproof.store.memory import MemoryStore
from ragproof.store.open import RunStore

AnyStore = RunStore | MemoryStore


def test_all_comes_back_as_saved_cases_before_groups_before_sets(any_store: AnyStore) -> None:
    any_store.begin(header())
    nothing = {"g.m": NotApplicable("nothing", {"seen": [1, None]})}
    kept = [
        finished("a"),
        finished("a", repeat=1),
        finished("b", failure=DOWN),
        whole("a", Level.GROUP, nothing),
        whole("all", Level.SET, nothing),
    ]
    save(any_store, "run-1", *reversed(kept))
    assert list(any_store.saved("run-1")) == kept


def test_a_run_without_a_case_has_nothing_saved(any_store: AnyStore) -> None:
    any_store.begin(header())
    assert list(any_store.saved("run-1")) == []


def test_more_subjects_than_one_page_come_back_once_each(any_store: AnyStore) -> None:
    any_store.begin(header())
    names = [f"c{number:04}" for number in range(2 * reading.PAGE + 1)]
    save(any_store, "run-1", *(finished(name) for name in reversed(names)))
    assert [one.subject for one in any_store.saved("run-1")] == names


def test_the_subjects_of_other_runs_stay_out(any_store: AnyStore) -> None:
    for run_id in ("run-1", "run-2"):
        any_store.begin(header(run_id))
        save(any_store, run_id, finished(f"of {run_id}"))
    assert [one.subject for one in any_store.saved("run-2")] == ["of run-2"]
