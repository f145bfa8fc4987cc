"""What becomes of a metric's figures on their way to a row."""

from __future__ import annotations

import asyncio

from ragproof.core import (
    Answer,
    CaseKind,
    CaseRun,
    Cause,
    Failed,
    Observation,
    QuestionCase,
    Scored,
    Stage,
    Tools,
    Trace,
)
from ragproof.engine.score import MOST_LABELS, Scorer
from ragproof.metrics.robustness.refusal_recall import RefusalRecall
from ragproof.metrics.system.stage_seconds import StageSeconds


def run(stage: str) -> CaseRun:
    trace = Trace(stages=(Stage(name=stage, seconds=1.0),))
    answer = Answer(answer_text="", trace=trace)
    case = QuestionCase(id="q", question="?")
    return CaseRun(case, Observation(case_id="q", answer=answer))


def test_a_pipeline_that_names_every_stage_anew_does_not_get_a_figure_for_each() -> None:
    scorer = Scorer({"stages": StageSeconds()})
    found = [
        asyncio.run(scorer.outcomes(run(f"request {n}"), Tools()))[0].outcome
        for n in range(MOST_LABELS + 1)
    ]
    assert all(isinstance(one, Scored) for one in found[:-1])
    assert isinstance(found[-1], Failed)
    assert "more than 200 different labels: name the stage" in found[-1].message


def test_a_failed_case_on_which_the_question_does_not_arise_is_none_that_applies() -> None:
    scorer = Scorer({"recall": RefusalRecall()})
    failed = Observation.failed("q", Cause.ADAPTER, "down")
    found = {
        kind: asyncio.run(
            scorer.outcomes(CaseRun(QuestionCase(id="q", question="?", kind=kind), failed), Tools())
        )[0].applies
        for kind in (CaseKind.QA, CaseKind.UNANSWERABLE)
    }
    assert found == {CaseKind.QA: False, CaseKind.UNANSWERABLE: True}
