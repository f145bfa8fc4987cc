"""Searching in steps: what ends it, what is recorded, and what it is compared with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Scored
from ragproof.demo.iterative import (
    Budget,
    Found,
    StepSearch,
    Trajectory,
    search_corpus,
    search_in_steps,
)
from ragproof.metrics.query.evidence_coverage import EvidenceCoverage
from ragproof.metrics.query.exhausted_budget import ExhaustedBudget
from ragproof.metrics.query.step_evidence_gain import StepEvidenceGain

PAGES = {
    "1": [{"id": "a", "text": "x" * 40}, {"id": "b", "text": "x" * 40}],
    "2": [{"id": "c", "text": "x" * 40}],
}
ROOMY = Budget(calls=9, tokens=999, seconds=9)
HOUSE = {
    "lamp": "The lamp came in a crate made by Oleander.",
    "crate": "Every Oleander crate is opened with a hex key.",
    "chair": "The chair came in a sack.",
}
QUESTION = "What opens what the lamp came in?"


def steps(
    budget: Budget, follow: Sequence[str] = ("2", "1"), clock: Callable[[], float] = lambda: 0.0
) -> Trajectory:
    """Search page 1, then the pages that follow."""

    def next_query(_question: str, _seen: Sequence[Found], queries: Sequence[str]) -> str | None:
        return follow[len(queries) - 1] if len(queries) <= len(follow) else None

    return search_in_steps("1", PAGES.__getitem__, next_query, budget, clock=clock)


def test_without_a_next_query_it_is_done_and_every_step_is_recorded() -> None:
    went = steps(ROOMY, ("2",))
    assert went.stop_reason == "done"
    assert went.steps == [
        {"query": "1", "seen": ["a", "b"], "seconds": 0.0, "tokens": 20},
        {"query": "2", "seen": ["c"], "seconds": 0.0, "tokens": 10},
    ]
    assert list(went.seen) == ["a", "b", "c"]


def test_a_query_that_was_asked_before_is_no_next_one() -> None:
    assert [step["query"] for step in steps(ROOMY, ("2", "1", "2")).steps] == ["1", "2"]


@pytest.mark.parametrize(
    ("budget", "seen", "reason"),
    [
        (Budget(calls=1, tokens=999, seconds=9), ["a", "b"], "max_calls"),
        (Budget(calls=9, tokens=29, seconds=9), ["a", "b"], "max_tokens"),
        (Budget(calls=9, tokens=10, seconds=9), ["a"], "max_tokens"),
        (Budget(calls=9, tokens=9, seconds=9), [], "max_tokens"),
        (Budget(calls=2, tokens=30, seconds=9), ["a", "b", "c"], "done"),
    ],
)
def test_a_budget_ends_it(budget: Budget, seen: list[str], reason: str) -> None:
    went = steps(budget)
    assert (list(went.seen), went.stop_reason) == (seen, reason)
    assert sum(step["tokens"] for step in went.steps) <= budget.tokens
    assert len(went.steps) <= budget.calls


def test_time_ends_it_between_calls() -> None:
    times = iter([0.0, 0.0, 6.0, 6.0])
    went = steps(Budget(calls=9, tokens=999, seconds=5), clock=lambda: next(times))
    assert (len(went.steps), went.stop_reason) == (1, "max_seconds")
    assert went.steps[0]["seconds"] == 6.0


def test_what_was_seen_before_takes_no_tokens() -> None:
    went = search_in_steps(
        "1", lambda _: PAGES["1"], lambda *_: "again", Budget(calls=2, tokens=20), clock=lambda: 0.0
    )
    assert [step["tokens"] for step in went.steps] == [20, 0]
    assert [step["seen"] for step in went.steps] == [["a", "b"], ["a", "b"]]


def test_a_budget_leaves_room_for_a_search() -> None:
    with pytest.raises(ValueError, match="a budget must leave room for a search"):
        Budget(calls=0)


def played(pipeline: StepSearch) -> CaseRun:
    """What the pipeline makes of a question whose evidence lies in two documents."""
    answer = TypeAdapter(Answer).validate_python(pipeline.answer(QUESTION))
    case = QuestionCase(id="q", question=QUESTION, expected_source_ids=("lamp", "crate"))
    return CaseRun(case, Observation(case_id="q", answer=answer))


def test_another_search_finds_what_the_question_does_not_name() -> None:
    once = played(StepSearch(HOUSE, iterative=False, per_step=1))
    often = played(StepSearch(HOUSE, per_step=1))
    coverage = EvidenceCoverage()
    assert (coverage.score(once).value, coverage.score(often).value) == (0.5, 1.0)
    gains: dict[str, Any] = dict(StepEvidenceGain().score(often))
    assert [gains[step].value for step in ("1", "2")] == [0.5, 0.5]


def test_a_search_that_is_cut_off_says_so() -> None:
    exhausted = ExhaustedBudget()
    cut = played(StepSearch(HOUSE, per_step=1, budget=Budget(calls=1)))
    assert exhausted.score(cut) == Scored(1.0, {"stop_reason": "max_calls"})
    assert exhausted.score(played(StepSearch(HOUSE, iterative=False))).value == 0.0


def test_a_corpus_is_searched_with_the_budget_that_is_given(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    lines = [json.dumps({"id": name, "text": text}) for name, text in HOUSE.items()]
    corpus.write_text("\n".join(lines))
    pipeline = search_corpus(str(corpus), per_step=1, calls=1)
    assert pipeline.answer(QUESTION)["trace"]["stop_reason"] == "max_calls"
    assert [one["id"] for one in pipeline.retrieve(QUESTION, 5)] == ["lamp"]
