"""Answerability against refusal, beside every other figure."""

from __future__ import annotations

import io
import json

from hand_made import cases, column, declared, record
from rich.console import Console

from ragproof.analysis.findings import Findings, find
from ragproof.analysis.refusals import refusal_table
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome
from ragproof.reports.json import summary_json
from ragproof.reports.terminal import print_run

OTHER = NotApplicable("the case is of another situation")
LOST = Failed(Cause.ADAPTER, "boom")


def refusing() -> Findings:
    """Two could be answered, one of them refused; one retrieval miss answered; one is lost."""
    columns: dict[str, list[float | Outcome]] = {
        "robustness.refused[situation=answerable]": [0, 1, OTHER, LOST],
        "robustness.refused[situation=retrieval_miss]": [OTHER, OTHER, 0, LOST],
    }
    made = {key: column(declared(key), found) for key, found in columns.items()}
    return find(record(cases(4), made))


def test_wrong_refusals_and_wrong_answers_are_counted_apart() -> None:
    rows = refusal_table(refusing().summary.lines)
    assert [(row.situation, row.answered, row.refused, row.wrong) for row in rows] == [
        ("answerable", 1, 1, 1),
        ("retrieval_miss", 1, 0, 1),
    ]
    assert [row.errors for row in rows] == [1, 1]


def test_json_has_the_table_and_none_where_nothing_was_read() -> None:
    told = json.loads(summary_json(refusing()))["refusals"]
    assert told["retrieval_miss"] == {"answered": 1, "refused": 0, "wrong": 1, "errors": 1}
    assert list(told) == ["answerable", "retrieval_miss"]
    assert json.loads(summary_json(find(record(cases(1), {}))))["refusals"] == {}


def test_the_terminal_says_what_was_wrong() -> None:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    print_run(console, refusing())
    shown = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "could be answered 1 answered, 1 refused: 1 refused, which is wrong" in shown
    assert "retrieval missed  1 answered, 0 refused: 1 answered, which is wrong" in shown
