"""Datasets in Parquet: out and in again, and what others put into its columns."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path

import pytest
from sets import asked, got

from ragproof.core import QuestionCase, UsageError
from ragproof.datasets import dataset_hash
from ragproof.datasets.exports import export

arrow = pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
parquet = pytest.importorskip("pyarrow.parquet")


def test_parquet_reads_back(tmp_path: Path) -> None:
    cases = (asked("a", expected_source_ids={"d": 2}, tags={"x": "y"}), asked("b", group="g"))
    export("parquet", cases, tmp_path / "x.parquet")
    _, back = got("parquet", tmp_path / "x.parquet")
    assert dataset_hash(back) == dataset_hash(cases)


def test_values_that_json_does_not_have_are_kept_as_text_or_left_out(tmp_path: Path) -> None:
    rows = {
        "question": ["When?", "Who?"],
        "at": [datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.UTC), None],
        "day": [datetime.date(2026, 1, 2), None],
        "price": [decimal.Decimal("1.50"), None],
        "score": [float("nan"), 0.5],
        "raw": [b"caf\xc3\xa9", None],
        "meta": [{"n": float("inf"), "days": [datetime.date(2026, 1, 3)]}, None],
    }
    parquet.write_table(arrow.table(rows), tmp_path / "t.parquet")
    found, cases = got("parquet", tmp_path / "t.parquet")
    assert cases[0].metadata == {
        "at": "2026-01-02T03:00:00+00:00",
        "day": "2026-01-02",
        "price": "1.50",
        "raw": "café",
        "meta": {"n": None, "days": ["2026-01-03"]},
    }
    assert cases[1].metadata == {"score": 0.5}
    assert found.notes.kept["at"] == 1


def test_freshstack_is_read_as_it_is_published(tmp_path: Path) -> None:
    """In Parquet, nuggets as a list of structs."""
    nuggets = [
        {"_id": "7_0", "text": "n", "relevant_corpus_ids": ["a"], "non_relevant_corpus_ids": ["b"]}
    ]
    row = {
        "query_id": "7",
        "query_title": "T",
        "query_text": "Q",
        "nuggets": nuggets,
        "answer_id": "9",
        "answer_text": "A",
        "metadata": {"date": "2024-05-06", "tags": ["x"]},
    }
    table = arrow.table({name: [one] for name, one in row.items()})
    parquet.write_table(table, tmp_path / "test-00000-of-00001.parquet")
    _, cases = got("freshstack", tmp_path / "test-00000-of-00001.parquet")
    case = cases[0]
    assert isinstance(case, QuestionCase)
    assert (case.question, case.expected_answer, str(case.as_of)) == ("T Q", "A", "2024-05-06")
    assert case.expected_source_ids == {"a": 1, "b": 0}


def test_what_is_no_parquet_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(UsageError, match=r"t\.parquet: not Parquet"):
        got("parquet", tmp_path / "t.parquet")
