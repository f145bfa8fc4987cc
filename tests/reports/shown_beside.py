"""A judged run in slices, its gate and its comparison: what stands beside a run in a report."""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import Any

from hand_made import case, column, declared, record

from ragproof.analysis.comparison import Comparison, UpClose, compare
from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.findings import Findings, JudgeUse, find
from ragproof.analysis.gate import Gate, weigh
from ragproof.analysis.requirements import Limit, Policy, Requirement, Role, Waiver
from ragproof.core.case import QuestionCase
from ragproof.core.observation import Answer, Chunk, Citation, Observation, Trace
from ragproof.core.outcome import Cause, Failed, Json, Outcome, Scored
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.core.subject import CaseRun
from ragproof.reports.beside import Beside, Section

RECALL, GROUNDED = "retrieval.recall_at_k", "generation.groundedness"
AT_ONE = "retrieval.precision_at_k[k=1]"
LATENCY, STAGE = "system.latency_seconds", "system.stage_seconds[stage={}]"
CASES = 40
DOWN = Failed(Cause.ADAPTER, "ConnectionError: refused")
MUTE = Failed(Cause.JUDGE, "the judge answered HTTP 529")
NASTY = "</style><script>alert(1)</script>[/x] `|` \x1b[31m \u202e\ud800 & @all {{ 7*7 }}"
CARD = {
    "metric": GROUNDED,
    "condition": "shipped fixtures",
    "passed": True,
    "items": 120,
    "exact": {"value": 0.82, "ci95": [0.74, 0.88]},
    "within": {"value": 0.97, "ci95": None},
    "kappa": {"value": 0.7, "ci95": [0.6, 0.8]},
    "weighted_kappa": None,
    "false_passes": 7,
    "false_failures": 5,
    "measured_at": "2026-01-02T03:04:05+00:00",
}


def judged_record(lost: int = 4, **header: Any) -> RunRecord:
    """Forty cases of two topics; `lost` of each ten lose their source, the last one failed."""
    rows = [
        case(
            f"c{at:02d}",
            tags={"topic": "pump" if at % 2 else "seal", "number": str(at)},
            failure=DOWN if at == CASES - 1 else None,
        )
        for at in range(CASES)
    ]

    def of(values: list[float | Outcome]) -> list[float | Outcome]:
        return [*values[:-1], DOWN]

    recall: list[float | Outcome] = [float(at % 10 >= lost) for at in range(CASES)]
    grounded: list[float | Outcome] = [MUTE if at == 0 else at % 3 / 2 for at in range(CASES)]
    seconds: list[float | Outcome] = [0.2 + at / 100 + lost / 50 for at in range(CASES)]
    slow = {"unit": Unit.SECONDS, "better": Better.LOWER}
    columns = {
        RECALL: column(declared(RECALL), of(recall)),
        AT_ONE: column(declared("retrieval.precision_at_k", params={"k": 1}), of([*recall])),
        GROUNDED: column(declared(GROUNDED), of(grounded)),
        LATENCY: column(declared(LATENCY, **slow), of(seconds)),
        **{
            STAGE.format(name): column(
                declared("system.stage_seconds", each="stage", **slow),
                of([one * share for one in seconds if isinstance(one, float)]),
            )
            for name, share in (("retrieve", 0.25), ("generate", 0.75))
        },
    }
    prompts = {GROUNDED: ("ab" * 32,)}
    known: dict[str, Any] = {"judge": "openai j", "judge_model": "j", "prompt_hashes": prompts}
    return record(rows, columns, **(known | header))


def up_close(name: str, text: str = "It is replaced when it leaks.") -> CaseDetail:
    """A case of it with what the judge said."""
    claims: Json = [
        {
            "id": "c1",
            "text": text,
            "verdict": "unsupported",
            "quote": None,
            "quote_found": None,
            "failure_mode": "fabrication",
            "reason": f"No passage says so: {text}",
        },
        {
            "id": "c2",
            "text": "Chapter 7 treats it.",
            "verdict": "supported",
            "quote": "See chapter 7",
            "quote_found": False,
            "failure_mode": "none",
        },
    ]
    passages = tuple(Chunk(id=f"p{at}", text=f"Passage {at}.\n{text}") for at in range(1, 13))
    answer = Answer(
        answer_text=text,
        citations=(Citation(chunk_id="p2"),),
        retrieved_chunks=passages[:2],
        trace=Trace(context=passages[:2]),
    )
    asked = QuestionCase(id=name, question=f"When? {text}", expected_source_ids=("p2", "p40"))
    run = CaseRun(asked, Observation(case_id=name, retrieved=passages, answer=answer))
    outcomes = {GROUNDED: Scored(0.5, {"claims": claims, "false_quotes": 1}), RECALL: Scored(0.0)}
    return CaseDetail(run, outcomes)


def judged(text: str = "It is replaced when it leaks.", **header: Any) -> Findings:
    """The run, its worst cases up close."""
    found = judged_record(**header)
    details = {row.id: up_close(row.id, text) for row in found.cases[:12]}
    judge = JudgeUse("j", 39, 3, 0.12, (CARD,))
    return find(found, details=details, judge=judge)


def judged_gate(reason: str = "being rebuilt", **header: Any) -> Gate:
    """A gate with a failure, a waived one, an exploratory one and an inconclusive change."""

    def ask(metric: str, limit: Limit, bound: float, **more: Any) -> Requirement:
        return Requirement(metric=metric, limit=limit, bound=bound, **more)

    policy = Policy(
        today=date(2026, 1, 1),
        min_completion=0.5,
        waivers=(
            Waiver(GROUNDED, reason, date(2026, 2, 1)),
            Waiver(LATENCY, "over", date(2025, 2, 1)),
        ),
    )
    wanted = [
        ask(RECALL, Limit.MIN, 0.9),
        ask(RECALL, Limit.MAX_DROP, 0.3),
        ask(GROUNDED, Limit.MIN, 0.9),
        ask(AT_ONE, Limit.MIN, 0.99, role=Role.EXPLORATORY),
        ask(LATENCY, Limit.MAX, 9.0, statistic="p95", role=Role.GUARDRAIL),
    ]
    return weigh(judged_record(**header), baseline(), wanted, policy, ["the rules are new"])


def baseline() -> RunRecord:
    """The run before: it lost one in ten."""
    return judged_record(lost=1, id="20260303-000000-0000", label="main")


def judged_comparison(text: str = "yes", **header: Any) -> Comparison:
    """The run against the one before."""
    found = compare(baseline(), judged_record(**header))
    details = {
        one.id: UpClose(up_close(one.id, "no"), up_close(one.id, text)) for one in found.changed
    }
    return dataclasses.replace(found, details=details)


def beside(text: str = "yes", **header: Any) -> Beside:
    """All of it, and a section that someone added."""
    section = Section(
        title="Where the evidence was lost",
        note="first stage",
        head=("stage", "cases"),
        rows=[("retrieval", "12"), (text, "3")],
        shares=[0.8, None],
    )
    return Beside(
        gate=judged_gate(text, **header),
        comparison=judged_comparison(text, **header),
        sections=(section,),
        warnings=(text,),
    )
