"""What holds of facts taken apart: padding moves nothing, denominators are exact, none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fixture import ScriptedModel, told
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import (
    AdapterError,
    Answer,
    Case,
    CaseRun,
    Cause,
    Chunk,
    DoesNotArise,
    Failed,
    Observation,
    Pipeline,
    QuestionCase,
    Tools,
    Turn,
)
from ragproof.engine.score import outcomes
from ragproof.judge.ask import ModelJudge
from ragproof.metrics import catalog
from ragproof.metrics.atomic_facts import (
    FIGURES,
    Checked,
    Fact,
    Found,
    Misleading,
    Verdict,
    told_apart,
)
from ragproof.metrics.generation.question_similarity import CONTROL

Listed = tuple[Sequence[Verdict], Sequence[bool], frozenset[int]]
listed = st.lists(
    st.tuples(st.sampled_from(Verdict), st.booleans(), st.booleans()), min_size=1, max_size=6
).map(
    lambda some: (
        [verdict for verdict, _, _ in some],
        [trivial for _, trivial, _ in some],
        frozenset(at for at, (_, _, misled) in enumerate(some) if misled),
    )
)


def found(verdicts: Sequence[Verdict], trivial: Sequence[bool], misled: frozenset[int]) -> Found:
    facts = tuple(Fact(f"f{at}", f"fact {at}", "", "", one) for at, one in enumerate(trivial))
    checked = {f"f{at}": Checked(f"f{at}", one, (), "") for at, one in enumerate(verdicts)}
    group = tuple(f"f{at}" for at in sorted(misled))
    return Found(
        facts=facts,
        evidence={one.id: () for one in facts},
        checked=checked,
        borne_by={},
        misleading=(Misleading(group, "?"),) if group else (),
        false_quotes=frozenset(),
        unquoted=(),
    )


def value(one: Found, figure: str = "distinct", *, strict: bool = False) -> float | None:
    try:
        return one.score(figure, strict_order=strict).value
    except DoesNotArise:
        return None


@given(listed)
def test_a_share_is_of_what_counts_and_what_counts_is_told(one: Listed) -> None:
    verdicts, trivial, _ = one
    whole = found(*one)
    counted = [
        verdict
        for verdict, idle in zip(verdicts, trivial, strict=True)
        if not idle or verdict is Verdict.CONTRADICTED
    ]
    expected = counted.count(Verdict.SUPPORTED) / len(counted) if counted else None
    assert value(whole) == expected
    assert value(whole, "all") == list(verdicts).count(Verdict.SUPPORTED) / len(verdicts)


@given(listed, st.lists(st.integers(0, 5), max_size=8))
def test_to_say_a_fact_again_moves_nothing(one: Listed, again: list[int]) -> None:
    whole = found(*one)
    more = tuple(
        Fact(f"r{n}", f"again {n}", "", f"f{at % len(whole.facts)}", trivial=False)
        for n, at in enumerate(again)
    )
    padded = replace(whole, facts=(*whole.facts, *more))
    for strict in (False, True):
        assert value(padded, strict=strict) == value(whole, strict=strict)


@given(listed)
def test_what_misleads_never_raises_a_share(one: Listed) -> None:
    whole = found(*one)
    for figure in FIGURES:
        lax, strict = value(whole, figure), value(whole, figure, strict=True)
        assert (lax is None) == (strict is None)
        if lax is not None and strict is not None:
            assert strict <= lax


@given(st.lists(st.tuples(st.sampled_from("abAB"), st.integers(-1, 7)), max_size=8))
def test_every_repeat_names_a_first_fact_and_no_two_firsts_have_the_same_words(
    some: list[tuple[str, int]],
) -> None:
    facts = [
        Fact(f"f{n}", text, "", f"f{at}" if 0 <= at < n else "", trivial=False)
        for n, (text, at) in enumerate(some)
    ]
    apart = told_apart(facts)
    firsts = {one.id: one.text.casefold() for one in apart if not one.repeats}
    assert [one.id for one in apart] == [one.id for one in facts]
    assert len(set(firsts.values())) == len(firsts)
    assert {one.repeats for one in apart if one.repeats} <= firsts.keys()


def run_of(case: Case) -> CaseRun:
    context = (Chunk(id="a", text="The gate is red."),)
    answer = Answer(answer_text="It is red.", retrieved_chunks=context)
    return CaseRun(case, Observation(case_id=case.id, answer=answer))


FACTS: dict[str, Any] = {
    "facts": [{"id": "f1", "text": "It is red.", "quote": "", "repeats": "", "trivial": False}]
}
CHECKS: dict[str, Any] = {
    "facts": [{"id": "f1", "verdict": "supported", "supported_by": ["p1"], "missing_modifier": ""}],
    "misleading": [],
}


def outcome(metric: str, pipeline: Pipeline, case: Case, *replies: Mapping[str, Any]) -> Any:
    judge = ModelJudge(ScriptedModel(iter([dict(one) for one in replies])))
    tools = Tools(judge=judge, pipeline=pipeline)
    [row] = told(outcomes(run_of(case), {"m": catalog.build(metric)}, tools))
    return row.outcome


@pytest.mark.parametrize("metric", ["generation.factscore", "generation.claim_support"])
def test_a_fact_is_searched_for_by_the_same_caller_and_without_the_conversation(
    metric: str,
) -> None:
    asked: list[tuple[Case, str, int]] = []

    async def retrieve(case: Case, question: str, k: int) -> tuple[Chunk, ...]:
        asked.append((case, question, k))
        return (Chunk(id="b", text="It is red."),)

    turns = (Turn(role="user", content="What of the gate?"),)
    case = QuestionCase(id="q", question="And its colour?", history=turns, caller={"team": "a"})
    found = outcome(metric, Pipeline(retrieve=retrieve), case, FACTS, CHECKS)
    assert found.value == 1.0
    assert asked == [(replace(case, history=None), "It is red.", 5)]


def test_what_a_pipeline_cuts_out_of_one_chunk_for_each_fact_is_a_passage_each() -> None:
    async def retrieve(_case: Case, question: str, _k: int) -> tuple[Chunk, ...]:
        return (Chunk(id="a", text=f"... {question} ..."),)

    shown = {"f1": ["p1", "p2"], "f2": ["p3"]}  # p1 is the context's
    facts = [FACTS["facts"][0], {**FACTS["facts"][0], "id": "f2", "text": "It hums."}]
    checks = [{**CHECKS["facts"][0], "id": id_, "supported_by": by} for id_, by in shown.items()]
    case, replies = (
        QuestionCase(id="q", question="?"),
        ({"facts": facts}, {**CHECKS, "facts": checks}),
    )
    found = outcome("generation.claim_support", Pipeline(retrieve=retrieve), case, *replies)
    assert (found.value, found.evidence["by_context"], found.evidence["by_search"]) == (1.0, 1, 1)
    assert [one["supported_by"] for one in found.evidence["facts"]] == [["a", "a"], ["a"]]


@pytest.mark.parametrize("metric", ["generation.factscore", "generation.claim_support"])
def test_a_search_that_fails_is_an_error_and_no_missing_support(metric: str) -> None:
    async def retrieve(_case: Case, _question: str, _k: int) -> tuple[Chunk, ...]:
        raise AdapterError("retrieve() raised OSError: gone")

    found = outcome(metric, Pipeline(retrieve=retrieve), QuestionCase(id="q", question="?"), FACTS)
    assert found == Failed(Cause.ADAPTER, "retrieve() raised OSError: gone")


@pytest.mark.parametrize(
    ("vectors", "why"),
    [
        ({}, "the embedder gave one vector for 5 different texts, '?' among them"),
        ({"B?": [0.0, 0.0]}, "the embedder gave a vector of zeros for 'B?'"),
        ({CONTROL: [0.0, 0.0]}, "the embedder gave a vector of zeros for 'Seven swans"),
    ],
)
def test_vectors_that_tell_nothing_are_an_error_and_no_zero(
    vectors: Mapping[str, list[float]], why: str
) -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [vectors.get(one, [0.5, 0.5]) for one in texts]

    questions = {"noncommittal": False, "questions": ["A?", "B?", "C?"]}
    case = QuestionCase(id="q", question="?")
    found = outcome("generation.question_similarity", Pipeline(embed=embed), case, questions)
    assert isinstance(found, Failed)
    assert found.cause is Cause.ADAPTER
    assert found.message.startswith(why)


def test_questions_that_are_the_one_that_was_asked_are_as_near_as_can_be() -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return [[0.0, 1.0] if one == CONTROL else [0.5, 0.5] for one in texts]

    questions = {"noncommittal": False, "questions": ["A?", "B?", "C?"]}
    case = QuestionCase(id="q", question="?")
    found = outcome("generation.question_similarity", Pipeline(embed=embed), case, questions)
    assert found.value == pytest.approx(1.0)
