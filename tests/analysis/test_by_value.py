"""A run's figures by the values of a tag, checked by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hand_made import column, declared, record

from ragproof.analysis.by_value import PartFigure, parted
from ragproof.core.case import CaseKind
from ragproof.core.outcome import Cause, Failed, Outcome, Scored, Skipped
from ragproof.core.record import CaseRow, RunRecord
from ragproof.core.spec import Better, Pool

CER = declared("ingestion.cer", better=Better.LOWER, pool=Pool.RATIO)
DOWN = Failed(Cause.METRIC, "no table")


def run(scores: Sequence[Outcome], classes: Sequence[str | None]) -> RunRecord:
    rows = [
        CaseRow(f"d{at}", 0, CaseKind.DOCUMENT, {"document_class": one} if one else {}, None, None)
        for at, one in enumerate(classes)
    ]
    return record(rows, {CER.id: column(CER, scores)})


def test_a_class_is_pooled_and_says_what_failed() -> None:
    scores: list[Outcome] = [Scored(0.1, weight=10), Scored(0.4, weight=30)]
    scores += [DOWN, Scored(0.2, weight=5)]
    found = parted(run(scores, ["scan", "scan", "scan", "web"]), "document_class")[CER.id].figures
    assert found["scan"].value == pytest.approx(13 / 40)
    assert (found["scan"].scored, found["scan"].failed) == (2, 1)
    assert found["web"].value == pytest.approx(0.2)
    assert (found["web"].scored, found["web"].failed) == (1, 0)


def test_a_class_of_which_nothing_was_scored_has_no_figure() -> None:
    scores: list[Outcome] = [Scored(0.1, weight=10), DOWN, Skipped("case has no expected_text")]
    found = parted(run(scores, ["scan", "web", "web"]), "document_class")[CER.id]
    assert found.figures["web"] == PartFigure(None, scored=0, failed=1)


def test_one_class_or_one_for_each_case_is_no_parting() -> None:
    scores = [Scored(0.1, weight=10)] * 50
    assert parted(run(scores, ["scan"] * 50), "document_class") == {}
    assert parted(run(scores, [str(at) for at in range(50)]), "document_class") == {}
    assert parted(run(scores, ["scan"] * 25 + ["web"] * 25), "language") == {}


def test_cases_without_the_tag_are_in_no_part() -> None:
    scores = [Scored(0.1, weight=10), Scored(0.3, weight=10), Scored(0.9, weight=10)]
    found = parted(run(scores, ["scan", "web", None]), "document_class")[CER.id]
    assert {name: one.value for name, one in found.figures.items()} == {
        "scan": pytest.approx(0.1),
        "web": pytest.approx(0.3),
    }


def test_no_metric_is_left_out() -> None:
    rows = run([Scored(0.1, weight=10), Scored(0.3, weight=10)], ["scan", "web"])
    many = {f"ingestion.m{at}": rows.columns[CER.id] for at in range(50)}
    assert list(parted(record(rows.cases, many), "document_class")) == list(many)
