from __future__ import annotations

import json
from typing import Any

import pytest
from hand_made import case, cases, column, declared, one_metric, record
from shown import shown

from ragproof.analysis.findings import JudgeUse, find
from ragproof.core.header import RunState
from ragproof.core.outcome import Skipped
from ragproof.reports.json import summary_json


def refuse(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def test_the_document_has_the_keys_and_values_of_the_contract() -> None:
    document = json.loads(summary_json(find(one_metric([1, 1, 1, 1, 0]))))
    metric = document["metrics"]["retrieval.recall_at_k"]
    assert metric.pop("ci95") == pytest.approx([0.376, 0.964], abs=5e-4)
    wanted = {
        "mean": 0.8,
        "p50": 1.0,
        "p95": 1.0,
        "p99": 1.0,
        "interval": "wilson",
        "scored": 5,
        "skipped": 0,
        "not_applicable": 0,
        "errors": 0,
        "completion": 1.0,
        "skip_reasons": {},
        "better": "higher",
        "unit": "fraction",
    }
    assert metric.items() >= wanted.items()
    assert document["run_id"] == "20260304-101500-ab12"
    assert (document["label"], document["status"]) == (None, "completed")
    assert document["cases"].items() >= {"total": 5, "ok": 5, "errors": 0, "timeouts": 0}.items()
    assert document["judge"] == {
        "model": None,
        "prompt_hashes": {},
        "calls": 0,
        "cache_hits": 0,
        "cost_usd": 0.0,
        "unanswered_usd": 0.0,
        "calibration": [],
        "replies": None,
    }
    assert document["dataset"].items() >= {"hash": "3f2a" * 16, "cases": 5}.items()
    assert (document["k"], document["source_match"]) == (5, "chunk")


def test_what_was_not_scored_is_null_and_nothing_is_nan() -> None:
    text = summary_json(find(one_metric([Skipped("case has no expected_source_ids")])))
    metric = json.loads(text, parse_constant=refuse)["metrics"]["retrieval.recall_at_k"]
    assert [metric[name] for name in ("mean", "p50", "p95", "p99", "ci95")] == [None] * 5
    assert (metric["interval"], metric["completion"]) == ("none", None)
    assert metric["skip_reasons"] == {"case has no expected_source_ids": 1}


def test_any_text_survives_any_encoding() -> None:
    reason = "\ud800 \x00 \u2028 é 你"
    text = summary_json(find(one_metric([Skipped(reason)])))
    assert text.isascii()
    assert json.loads(text)["metrics"]["retrieval.recall_at_k"]["skip_reasons"] == {reason: 1}


def test_the_judges_use_and_the_warnings_are_told() -> None:
    found = shown(judge=JudgeUse("judge-1", 12, 3, None))
    document = json.loads(summary_json(found))
    assert document["judge"]["cost_usd"] is None
    assert (document["judge"]["calls"], document["judge"]["cache_hits"]) == (12, 3)
    assert document["warnings"] == ["2 lines of the recorded file are of no case"]
    assert document["worst"][0] == {
        "case_id": "seal-02",
        "lowest": {
            "retrieval.average_precision": 0,
            "retrieval.mrr": 0,
            "retrieval.precision_at_k": 0,
        },
    }
    assert document["cases"]["failure_reasons"] == {
        "adapter: ConnectionError: the index at 127.0.0.1:9200 refused": 1
    }


@pytest.mark.parametrize("state", list(RunState))
def test_the_status_is_the_state(state: RunState) -> None:
    found = find(record((), {}, state=state, expected=2))
    document = json.loads(summary_json(found))
    assert document["status"] == state.value
    assert (document["cases"]["total"], document["cases"]["missing"]) == (2, 2)


def test_prompt_hashes_are_lists_by_metric() -> None:
    key = "generation.groundedness"
    found = record(
        [case("a")], {key: column(declared(key), [1.0])}, prompt_hashes={key: ("ab", "cd")}
    )
    assert json.loads(summary_json(find(found)))["judge"]["prompt_hashes"] == {key: ["ab", "cd"]}


def test_layers_are_told_apart() -> None:
    keys = {"retrieval.mrr": "query", "generation.x": "answer", "system.y": "system"}
    found = record(cases(1), {key: column(declared(key), [1.0]) for key in keys})
    metrics = json.loads(summary_json(find(found)))["metrics"]
    assert {key: one["layer"] for key, one in metrics.items()} == keys
    assert [key for key, one in metrics.items() if one["headline"]] == ["generation.x"]
