"""A run that has something of everything a report shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hand_made import case, column, declared, record

from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.findings import Findings, find
from ragproof.core.case import CaseKind, QuestionCase
from ragproof.core.observation import Answer, Chunk, Citation, Observation
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome, Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.core.subject import CaseRun

QUESTIONS = {
    "pump-01": "Which torque do the four bolts of the pump head need after the first hour?",
    "pump-02": "How long may the pump run dry?",
    "seal-01": "Which seal fits the Series 4 housing?",
    "seal-02": "When must the shaft seal be replaced in continuous operation at 80 °C?",
    "warranty-01": "Who pays for the return of a device that was sold abroad?",
}
SOURCES = {
    "pump-01": ("p12",),
    "pump-02": ("p13",),
    "seal-01": ("p20", "p21"),
    "seal-02": ("p22", "p40"),
    "warranty-01": None,
}
NO_SOURCES = Skipped("case has no expected_source_ids")
NO_CITATIONS = Skipped("answer has no citations")
REFUSED = Failed(Cause.ADAPTER, "ConnectionError: the index at 127.0.0.1:9200 refused")
DOWN = Failed(Cause.JUDGE, "the judge answered HTTP 529 four times")


def shown_record() -> RunRecord:
    """Five cases, one of them failed."""
    kinds = {"warranty-01": CaseKind.UNANSWERABLE}
    rows = [
        case(
            name,
            kind=kinds.get(name, CaseKind.QA),
            failure=REFUSED if name == "pump-02" else None,
        )
        for name in QUESTIONS
    ]
    scores: Mapping[str, list[Any]] = {
        "retrieval.precision_at_k": [0.2, REFUSED, 0.4, 0.0, NO_SOURCES],
        "retrieval.recall_at_k": [1.0, REFUSED, 1.0, 0.0, NO_SOURCES],
        "retrieval.mrr": [0.5, REFUSED, 1.0, 0.0, NO_SOURCES],
        "retrieval.average_precision": [0.5, REFUSED, 1.0, 0.0, NO_SOURCES],
        "generation.citation_validity": [1.0, REFUSED, 0.5, NO_CITATIONS, NO_CITATIONS],
        "generation.groundedness": [
            1.0,
            REFUSED,
            DOWN,
            0.5,
            NotApplicable("answer claims nothing"),
        ],
    }
    columns = {key: column(declared(key), found, spared=(4,)) for key, found in scores.items()}
    abstained: list[float | Outcome] = [Skipped("case is not of kind unanswerable"), REFUSED]
    abstained += [Skipped("case is not of kind unanswerable")] * 2
    columns["robustness.abstention"] = column(
        declared("robustness.abstention"), [*abstained, 0.0], spared=(1,)
    )
    refusals = declared("robustness.overrefusal", better=Better.LOWER)
    columns[refusals.id] = column(refusals, [0.0, REFUSED, 0.0, 1.0, Skipped("case is of kind qa")])
    seconds = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
    columns[seconds.id] = column(seconds, [0.081, REFUSED, 0.132, 1.4, 0.065])
    return record(rows, columns, label="bm25 baseline")


def detail(name: str, answer: str = "", question: str | None = None) -> CaseDetail:
    """A case of that run up close."""
    asked = QuestionCase(
        id=name,
        question=question if question is not None else QUESTIONS[name],
        expected_source_ids=SOURCES.get(name),
        expected_answer="After 2,000 hours." if name == "seal-02" else None,
    )
    seen = Observation(
        case_id=name,
        retrieved=tuple(
            Chunk(id=f"p{number}", text=f"Page {number}. The shaft seal is checked. " * 4)
            for number in (7, 20, 12, 31, 32)
        ),
        answer=Answer(
            answer_text=answer or "The seal is replaced when it leaks, see page 7.",
            citations=(Citation(chunk_id="p7"), Citation(chunk_id="p99")),
        ),
    )
    return CaseDetail(CaseRun(asked, seen), {})


def shown(**changed: Any) -> Findings:
    """The run with all its details."""
    answered = [name for name in QUESTIONS if name != "pump-02"]
    details = {name: detail(name) for name in answered}
    warnings = ("2 lines of the recorded file are of no case",)
    return find(shown_record(), **({"details": details, "warnings": warnings} | changed))
