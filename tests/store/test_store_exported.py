"""A run that comes back from an exported table is the run that was exported."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, case, column, record

from ragproof.core import CaseRun, Finished, Observation, QuestionCase, Row, UsageError
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome, Scored, Skipped
from ragproof.core.record import RunRecord
from ragproof.reports.table_files import rows, write_jsonl
from ragproof.store.exported import read_export

KEY = FRACTION.id
BROKEN = Failed(Cause.ADAPTER, "gone \ud800\u2028")
OUTCOMES: list[Outcome] = [
    *(Scored(1.0), Scored(0.25, weight=3.0), Skipped("case has no ids")),
    *(NotApplicable("claims nothing"), Failed(Cause.JUDGE, "mute"), BROKEN),
]


def exported(path: Path) -> RunRecord:
    """A run in memory, its table written to the path."""
    cases = [
        case(f"c{at}", tags={"lang": "de"}, group="g" if at < 2 else None)
        for at in range(len(OUTCOMES))
    ]
    cases[-1] = case("c5", tags={"lang": "de"}, failure=BROKEN)
    whole = record(cases, {KEY: column(FRACTION, OUTCOMES, spared=[5])})
    finished = [
        Finished(
            row.id,
            [Row(KEY, KEY, outcome, applies=at != 5), Row("other.metric", "other.metric", outcome)],
            run=CaseRun(
                QuestionCase(id=row.id, question="q", tags=row.tags, group=row.group),
                Observation(case_id=row.id, failure=row.failure),
            ),
        )
        for at, (row, outcome) in enumerate(zip(cases, OUTCOMES, strict=True))
    ]
    table = io.BytesIO()
    write_jsonl(rows(whole.header, finished), table)
    path.write_bytes(table.getvalue())
    return whole


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "main.jsonl"
    before = exported(path)
    after = read_export(path, before)
    assert after.cases == before.cases
    assert after.columns.keys() == {KEY}  # a metric that the other run lacks is not read
    there, back = before.columns[KEY], after.columns[KEY]
    assert (there.status == back.status).all()
    assert np.array_equal(there.values, back.values, equal_nan=True)
    assert (there.weights == back.weights).all()
    assert (there.applies == back.applies).all()
    assert after.header.label == "main.jsonl"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"status": "fine"}, "KeyError: 'fine'"),
        ({"value": "NaN"}, "a score is a finite number"),
        ({"value": None}, "TypeError"),
        ({"kind": "quiz"}, "'quiz' is not a valid CaseKind"),
        ({"run_id": "another"}, "it belongs to run 'another'"),
    ],
)
def test_a_line_that_no_export_wrote_is_named(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    path = tmp_path / "main.jsonl"
    like = exported(path)
    lines = path.read_text().splitlines()
    first = json.loads(lines[0])
    lines[2] = json.dumps({**first, "case_id": "new", **change})
    path.write_text("\n".join(lines))
    with pytest.raises(UsageError, match=r"main\.jsonl:3: this is no line of a table") as caught:
        read_export(path, like)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "holds no outcome"), ("[1]", ":1: this is no line"), ("{", ":1: this is no line")],
)
def test_another_file_is_refused(tmp_path: Path, text: str, told: str) -> None:
    like = exported(tmp_path / "main.jsonl")
    (tmp_path / "other.jsonl").write_text(text)
    with pytest.raises(UsageError, match=told):
        read_export(tmp_path / "other.jsonl", like)
