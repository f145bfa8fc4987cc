"""Answers whose citation markers were labelled by hand, and brackets that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragproof.text.citation_markers import cited, markers

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("marker_answers.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_markers_name_what_a_reader_takes_them_for(row: dict[str, Any]) -> None:
    assert set(cited(row["text"], row["ids"])) == set(row["named"])


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_markers_stand_in_the_text_one_after_the_other(row: dict[str, Any]) -> None:
    spans = [(one.start, one.end) for one in markers(row["text"], row["ids"])]
    assert all(0 <= start < end <= len(row["text"]) for start, end in spans)
    assert spans == sorted(spans)
