"""`ragproof index freshness`: from timestamps, and through an adapter."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_files import asked, document, lines, project, refused

from ragproof.index.freshness import Arrival, freshness
from ragproof.index.staleness import Release, Served, staleness

TIMELINE = [Release("v1", 0), Release("v2", 100), Release("v3", 200)]


def arrival(lag: float | None) -> Arrival:
    return Arrival(document_id="d", committed=5.0, retrievable=None if lag is None else 5.0 + lag)


def test_p50_and_p99_are_nearest_ranks() -> None:
    found = freshness([arrival(float(one)) for one in range(200, 0, -1)])
    assert (found.p50, found.p99, found.greatest) == (100, 198, 200)
    assert freshness([arrival(3.0)]).p99 == 3.0


def test_what_is_never_found_is_counted_and_improves_nothing() -> None:
    found = freshness([arrival(1.0), arrival(2.0), arrival(None)])
    assert (found.never, found.p50, found.p99) == (1, 1.0, 2.0)
    assert (found.p50_of_all, found.p99_of_all, found.greatest) == (2.0, math.inf, math.inf)
    assert freshness([arrival(None)]).p50 is None


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.integers(0, 5))
def test_losing_documents_never_lowers_the_figures_of_all(lags: list[float], lost: int) -> None:
    whole = freshness([arrival(one) for one in lags])
    less = freshness([*(arrival(one) for one in sorted(lags)), *[arrival(None)] * lost])
    assert less.p99_of_all >= whole.p99_of_all - 1e-6
    assert less.p50_of_all >= whole.p50_of_all - 1e-6


def test_a_query_is_stale_when_a_later_version_was_current() -> None:
    served = [Served(50, "v1"), Served(150, "v1"), Served(150, "v2"), Served(250, "v1")]
    found = staleness(served, TIMELINE)
    assert (found.stale, found.current, found.share) == (2, 2, 0.5)
    assert staleness([Served(105, "v1"), Served(150, "v1")], TIMELINE, grace=10).stale == 1
    assert staleness([Served(99, "v2")], TIMELINE).current == 1  # clocks differ


def test_a_version_that_comes_back_is_current_again() -> None:
    back = [*TIMELINE, Release("v2", 300)]
    assert staleness([Served(350, "v2"), Served(350, "v3")], back).share == 0.5
    assert staleness([Served(250, "v2")], back).stale == 1


def test_what_cannot_be_told_is_in_the_limits_and_not_in_the_share() -> None:
    served = [Served(50, "v1"), Served(50, None), Served(50, "v0"), Served(-1, "v1")]
    found = staleness(served, TIMELINE)
    assert (found.unversioned, found.unlisted, found.before) == (1, 1, 1)
    assert (found.share, found.limits) == (0.0, (0.0, 0.75))
    assert staleness([Served(1, None)], TIMELINE).share is None


def test_timestamps_that_were_written_down_are_enough(tmp_path: Path) -> None:
    log = lines(
        tmp_path / "log.jsonl",
        [
            {
                "document_id": "a",
                "committed_at": "2026-01-31T09:30:00Z",
                "retrievable_at": "2026-01-31T10:30:02+01:00",
            },
            {"document_id": "b", "committed_at": 10, "retrievable_at": 14.5},
        ],
    )
    found = document("freshness", "--log", log)
    assert found["documents"]["p50_seconds"] == 2.0
    assert found["documents"]["p99_seconds"] == 4.5
    assert not found["wrote_to_index"]
    late = asked("freshness", "--log", log, "--max-p99", 4)
    assert late.exit_code == 1
    assert "fail: p99 of all documents is over 4 s" in late.stdout


def test_a_document_that_was_never_found_fails(tmp_path: Path) -> None:
    rows = [{"document_id": "a", "committed_at": 1, "retrievable_at": None}]
    rows += [{"document_id": "b", "committed_at": 1, "retrievable_at": 2}]
    log = lines(tmp_path / "log.jsonl", rows)
    told = asked("freshness", "--log", log)
    assert told.exit_code == 1
    assert "greatest     never" in told.stdout
    assert document("freshness", "--log", log, "--max-never", 1)["verdict"] == "pass"
    assert document("freshness", "--log", log)["documents"]["max_seconds"] is None


def test_bad_timestamps_are_named_with_their_line(tmp_path: Path) -> None:
    for row, said in (
        ({"document_id": "a", "committed_at": 1}, "log.jsonl:1: retrievable_at is missing"),
        ({"document_id": "a", "committed_at": 2, "retrievable_at": 1}, "before committed_at"),
        ({"document_id": "a", "committed_at": "soon", "retrievable_at": 1}, 'got "soon"; allowed'),
        ({"document_id": "a", "committed_at": 10**400, "retrievable_at": 1}, "committed_at: got 1"),
        ({"document_id": "a", "committed_at": -1e16, "retrievable_at": 1}, "committed_at: got -1e"),
        ({"committed_at": 1, "retrievable_at": 1}, "document_id: got null"),
    ):
        assert said in refused("freshness", "--log", lines(tmp_path / "log.jsonl", [row]))


def test_stale_queries_alone_write_nothing(tmp_path: Path) -> None:
    log = lines(
        tmp_path / "q.jsonl",
        [
            {"at": 5, "index_version": "v1"},
            {"at": 15, "trace": {"index_version": "v1"}},
            {"at": 15, "answer": {"text": "x", "trace": {"index_version": "v2"}}},
            {"at": 15},
        ],
    )
    versions = lines(
        tmp_path / "v.jsonl",
        [{"index_version": "v1", "since": 0}, {"index_version": "v2", "since": 10}],
    )
    base = ["freshness", "--query-log", log, "--versions", versions]
    found = document(*base)
    assert found["stale"]["share"] == pytest.approx(1 / 3)
    assert found["documents"] is None
    assert document(*base, "--max-stale", 0.3)["verdict"] == "fail"
    assert document(*base, "--max-stale", 0.4)["verdict"] == "inconclusive"
    assert document(*base, "--max-stale", 0.6)["verdict"] == "pass"
    assert "1 cannot be told: 1 without a version" in asked(*base).stdout
    assert "go together" in refused("freshness", "--query-log", log)


def test_nothing_is_written_without_agreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    assert "writes 20 marked test documents into your index" in refused("freshness")
    found = document("freshness", "--yes", "--probes", 3, "--every", 0.01)
    assert (found["documents"]["number"], found["documents"]["never"]) == (3, 0)
    assert found["wrote_to_index"]
    assert all(one["uncertain_seconds"] >= 0 for one in found["per_document"])


def test_documents_of_ones_own_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    texts = {"a": "red stones", "b": "lose this", "c": "refuse this"}
    own = lines(tmp_path / "own.jsonl", [{"id": i, "text": t} for i, t in texts.items()])
    found = document(
        "freshness", "--documents", own, "--every", 0.01, "--timeout", 0.05, "--max-never", 1
    )
    assert (found["documents"]["number"], found["documents"]["never"]) == (2, 1)
    assert [one["document_id"] for one in found["unmeasured"]] == ["c"]
    assert "refused" in found["unmeasured"][0]["reason"]
    assert found["verdict"] == "inconclusive"
    lines(tmp_path / "own.jsonl", [{"id": "a", "text": " "}])
    assert "own.jsonl:1: text: got" in refused("freshness", "--documents", own)


def test_an_adapter_that_cannot_add_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reader.py").write_text(
        "class Reader:\n    def retrieve(self, question, k): return []\n", encoding="utf-8"
    )
    config = {"adapter": {"type": "python", "target": "reader:Reader"}}
    (tmp_path / "ragproof.yaml").write_text(json.dumps(config), encoding="utf-8")
    assert "adapter has no add" in refused("freshness", "--yes")
