"""Outcomes as tables that other programs read."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import (
    AdapterInfo,
    CaseRun,
    Cause,
    DatasetInfo,
    Failed,
    Finished,
    Level,
    NotApplicable,
    Observation,
    Outcome,
    QuestionCase,
    Row,
    RunHeader,
    Scored,
    Skipped,
    UsageError,
)
from ragproof.reports import table_files
from ragproof.reports.table_files import COLUMNS, FORMATS, refuse_missing, rows

HEADER = RunHeader(
    id="run-1",
    project="manual",
    label="first",
    started_at="2026-01-02T03:04:05.000006+00:00",
    dataset=DatasetInfo(name="d", path="/d.jsonl", hash="f00", total=1, cases=1),
    adapter=AdapterInfo(type="python", target="pipe:build"),
    metrics={},
)
EVERY_OUTCOME: dict[str, Outcome] = {
    "retrieval.mrr": Scored(0.5, {"rank": 2}),
    "retrieval.hit_at_k": Skipped("case has no expected_source_ids"),
    "retrieval.tie_rate": NotApplicable("nothing was retrieved", {"seen": 0}),
    "generation.token_f1": Failed(Cause.ADAPTER, "ConnectionError: down"),
}


def finished(case_id: str = "q1", **case: Any) -> Finished:
    asked = QuestionCase(id=case_id, question="?", **case)
    run = CaseRun(asked, Observation(case_id=case_id), repeat=1)
    return Finished(case_id, [Row(key, key, one) for key, one in EVERY_OUTCOME.items()], run=run)


def written(form: str, saved: Iterable[Finished]) -> bytes:
    file = io.BytesIO()
    FORMATS[form](rows(HEADER, saved), file)
    return file.getvalue()


def read_csv(written: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written.decode(), newline="")))


def test_there_is_one_row_for_each_case_and_metric() -> None:
    lines = written("jsonl", [finished("q1"), finished("q2")]).splitlines()
    told = [json.loads(line) for line in lines]
    assert [(one["case_id"], one["metric"]) for one in told] == [
        (case_id, key) for case_id in ("q1", "q2") for key in EVERY_OUTCOME
    ]
    assert all(list(one) == list(COLUMNS) for one in told)


def test_a_row_says_all_of_its_outcome() -> None:
    saved = [finished(tags={"topic": "pump"}, group="manual")]
    scored, skipped, empty, failed = map(json.loads, written("jsonl", saved).splitlines())
    assert scored == {
        "run_id": "run-1",
        "label": "first",
        "level": "case",
        "case_id": "q1",
        "repeat": 1,
        "kind": "qa",
        "tags": {"topic": "pump"},
        "group": "manual",
        "metric": "retrieval.mrr",
        "status": "scored",
        "value": 0.5,
        "weight": 1.0,
        "applies": True,
        "cause": None,
        "reason": None,
        "evidence": {"rank": 2},
    }
    assert (skipped["status"], skipped["reason"], skipped["value"]) == (
        "skipped",
        "case has no expected_source_ids",
        None,
    )
    assert (empty["status"], empty["evidence"]) == ("not_applicable", {"seen": 0})
    assert (failed["status"], failed["cause"], failed["reason"]) == (
        "error",
        "adapter",
        "ConnectionError: down",
    )


def test_a_group_has_its_name_and_no_kind() -> None:
    group = Finished("manual", [Row("g.m", "g.m", Scored(1.0))], Level.GROUP)
    (told,) = map(json.loads, written("jsonl", [group]).splitlines())
    assert (told["level"], told["case_id"], told["kind"], told["tags"]) == (
        "group",
        "manual",
        None,
        {},
    )


def test_csv_holds_the_same_with_json_in_cells() -> None:
    scored, skipped, *_ = read_csv(written("csv", [finished(tags={"topic": "pump"})]))
    assert (scored["value"], scored["applies"], scored["reason"]) == ("0.5", "true", "")
    assert json.loads(scored["tags"]) == {"topic": "pump"}
    assert (skipped["value"], skipped["weight"], skipped["evidence"]) == ("", "", "{}")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_spreadsheet_finds_no_formula(start: str) -> None:
    (first, *_) = read_csv(written("csv", [finished(f"{start}cmd|' /C calc'!A0")]))
    assert first["case_id"] == f"'{start}cmd|' /C calc'!A0"


def test_a_negative_number_stays_a_number() -> None:
    one = Finished("q", [Row("m.d", "m.d", Scored(-0.25))])
    (told,) = read_csv(written("csv", [one]))
    assert told["value"] == "-0.25"


@given(st.text(), st.floats(allow_nan=False, allow_infinity=False))
def test_any_text_and_number_comes_back_from_csv(text: str, value: float) -> None:
    one = Finished(f"x{text}", [Row("m.d", "m.d", Scored(value, {"said": text}))])
    (told,) = read_csv(written("csv", [one]))
    carried = f"x{text}".encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
    assert told["case_id"] == carried
    assert float(told["value"]) == value
    assert json.loads(told["evidence"]) == {"said": text}


@given(st.text(st.characters(categories=None)))
def test_any_text_comes_back_from_jsonl(text: str) -> None:
    one = Finished(text, [Row("m.d", "m.d", Skipped(text))])
    (line,) = written("jsonl", [one]).splitlines()
    told = json.loads(line)
    assert (told["case_id"], told["reason"]) == (text, text)


def test_no_outcome_is_a_table_with_its_head_alone() -> None:
    assert written("csv", []).decode() == ",".join(COLUMNS) + "\r\n"
    assert written("jsonl", []) == b""


def test_parquet_without_pyarrow_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r'pip install "ragproof\[parquet\]"'):
        refuse_missing("parquet")
    refuse_missing("csv")


def test_parquet_has_types_and_comes_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    monkeypatch.setattr(table_files, "BATCH", 3)
    file = io.BytesIO(written("parquet", [finished("q\ud800"), finished("q2")]))
    table = parquet.read_table(file)
    assert table.num_rows == 8
    assert table.column_names == list(COLUMNS)
    types = {name: str(table.schema.field(name).type) for name in ("value", "repeat", "applies")}
    assert types == {"value": "double", "repeat": "int32", "applies": "bool"}
    first = table.to_pylist()[0]
    assert (first["case_id"], first["value"], first["label"]) == ("q\\ud800", 0.5, "first")
    assert json.loads(first["evidence"]) == {"rank": 2}
    assert parquet.read_table(io.BytesIO(written("parquet", []))).num_rows == 0
