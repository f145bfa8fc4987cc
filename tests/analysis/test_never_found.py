"""Ids that never match are told apart from a bad search."""

from __future__ import annotations

from hand_made import case, column, declared, record

from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.findings import find
from ragproof.core.case import QuestionCase
from ragproof.core.observation import Chunk, Observation
from ragproof.core.outcome import Outcome
from ragproof.core.record import RunRecord
from ragproof.core.subject import CaseRun

RECALL = declared("retrieval.recall_at_k")


def ran(*recall: float | Outcome) -> RunRecord:
    rows = [case(f"q{at}") for at in range(len(recall))]
    return record(rows, {RECALL.id: column(RECALL, list(recall))})


def detail(*retrieved: str) -> CaseDetail:
    asked = QuestionCase(id="q0", question="?", expected_source_ids=("warranty",))
    seen = Observation(case_id="q0", retrieved=tuple(Chunk(id=one) for one in retrieved))
    return CaseDetail(CaseRun(asked, seen), {})


def test_where_no_case_found_anything_both_kinds_of_id_are_shown() -> None:
    (warning,) = find(ran(0, 0, 0), details={"q0": detail("warranty.md", "b.md")}).warnings
    assert "Do the ids match? Expected is 'warranty', retrieved 'warranty.md'" in warning
    assert "ids of chunks (run.source_match)" in warning


def test_it_goes_beside_other_warnings() -> None:
    found = find(ran(0, 0, 0), details={"q0": detail("a")}, warnings=["first"])
    assert (found.warnings[0], len(found.warnings)) == ("first", 2)


def test_one_hit_or_too_few_cases_prove_that_nothing_is_wrong_with_the_ids() -> None:
    details = {"q0": detail("warranty.md")}
    assert find(ran(0, 0, 0.5), details=details).warnings == ()
    assert find(ran(0, 0), details=details).warnings == ()
    assert find(ran(), details=details).warnings == ()


def test_without_anything_retrieved_there_is_no_id_to_compare() -> None:
    assert find(ran(0, 0, 0), details={"q0": detail()}).warnings == ()
    assert find(ran(0, 0, 0)).warnings == ()
