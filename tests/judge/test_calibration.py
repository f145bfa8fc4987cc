"""A judge scores what people scored; what it cannot score is an error and never agreement."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from scripts import Speaker, always

from ragproof.analysis.agreement import Label, Thresholds, agreement
from ragproof.core import JudgeError, OverBudget, Pipeline, Prompt, Reply, Tools, UsageError
from ragproof.judge import refusal
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import Judged, calls, cost, judged, scorer
from ragproof.judge.items import Item, shipped_items
from ragproof.judge.refusal import ReadRefusal
from ragproof.llm.model import Ask
from ragproof.metrics import atomic_facts, catalog, cited_claims
from ragproof.metrics.context import (
    list_relevance,
    nugget_recall,
    precision,
    recall,
    relevance,
    sufficiency,
)
from ragproof.metrics.generation import (
    answer_relevance,
    citation_support,
    claim_f1,
    completeness,
    conflicting_sources,
    correctness,
    g_eval,
    groundedness,
    nugget_coverage,
    question_similarity,
)

METRICS = sorted({item.metric for item in shipped_items()})


def asking(metric: str) -> Any:
    return ReadRefusal() if metric == "readings.refusal" else catalog.build(metric)


SCORERS = {metric: scorer(asking(metric)) for metric in METRICS}
WHY = "?"
OK = {"reason": WHY, "verdict": "ok"}


def shown(ask: Ask, tag: str) -> list[str]:
    """The ids of what is listed under this tag."""
    return re.findall(rf'<{tag}-\w+ id="([^"]+)"', ask.user)


def all_cited(ask: Ask) -> dict[str, Any]:
    cited = shown(ask, "passage")
    borne_out = "supported" if cited else "unsupported"
    claim = {"id": "c1", "text": "all of it", "needs_citation": True, "together": borne_out}
    return {"claims": [claim | {"cites": cited, "supported_by": cited}]}


def all_found(ask: Ask) -> dict[str, Any]:
    found = {"verdict": "supported", "supported_by": shown(ask, "passage")}
    facts = [found | {"id": one, "missing_modifier": ""} for one in shown(ask, "fact")]
    return {"facts": facts, "misleading": []}


def each(tag: str, under: str, **said: Any) -> Callable[[Ask], dict[str, Any]]:
    """The same of all that is listed."""
    return lambda ask: {under: [{"id": one, "reason": WHY, **said} for one in shown(ask, tag)]}


def plainly(**said: Any) -> Callable[[Ask], dict[str, Any]]:
    return lambda _: said


TOLD = [{"id": "x1", "text": "all of it", "told": "yes"}]
ASPECTS = ("relations", "entities", "quantities", "negation", "required_information")
PRAISE: dict[Prompt, Callable[[Ask], dict[str, Any]]] = {
    answer_relevance.PROMPT: plainly(reason=WHY, verdict="relevant"),
    atomic_facts.EXTRACT: plainly(
        facts=[{"id": "f1", "text": "all of it", "quote": "all", "repeats": "", "trivial": False}]
    ),
    atomic_facts.VERIFY: all_found,
    citation_support.PROMPT: each("passage", "verdicts", quote=WHY, verdict="supported"),
    cited_claims.PROMPT: all_cited,
    claim_f1.PROMPT: plainly(answer=TOLD, reference=TOLD),
    completeness.PROMPT: plainly(missing=[], reason=WHY, verdict="complete"),
    conflicting_sources.PROMPT: lambda ask: {
        "conflict": "yes",
        "passages": shown(ask, "passage"),
        "reason": WHY,
        "handling": "told",
    },
    correctness.PROMPT: plainly(**dict.fromkeys(ASPECTS, OK)),
    g_eval.STEPS: plainly(steps=["Read it."]),
    g_eval.RATING: plainly(reason=WHY, rating=5),
    groundedness.PROMPT: plainly(
        outcome="scored",
        claims=[{"id": "c1", "text": "all of it"}],
        supported=[{"id": "c1", "quote": "all"}],
        unsupported=[],
    ),
    list_relevance.FORWARD: plainly(reason=WHY, rating=2),
    list_relevance.BACKWARD: plainly(reason=WHY, rating=2),
    nugget_coverage.PROMPT: each("nugget", "nuggets", label="support"),
    nugget_recall.PROMPT: each("nugget", "verdicts", verdict="conveyed"),
    precision.PROMPT: each("passage", "verdicts", verdict="useful"),
    question_similarity.PROMPT: plainly(
        noncommittal=False, questions=["What is it?", "What is this?", "What is that?"]
    ),
    recall.PROMPT: plainly(statements=[{"text": "all of it", "quote": "all", "verdict": "found"}]),
    refusal.PROMPT: plainly(refused=True, because=WHY),
    relevance.PROMPT: each("passage", "ratings", rating=3),
    sufficiency.PROMPT: plainly(missing=[], reason=WHY, verdict="sufficient"),
}
"""Of each prompt the reply that gives the highest score."""
BY_HASH = {prompt.sha256: praise for prompt, praise in PRAISE.items()}
PRAISING = ModelJudge(Speaker(lambda ask: json.dumps(BY_HASH[ask.prompt](ask))))


async def near(texts: Sequence[str]) -> list[tuple[float, float]]:
    """An embedder to which all questions are one, so that no praise is lost on the way."""
    return [(1.0, 0.0) if one.endswith("?") else (0.0, 1.0) for one in texts]


def run(items: Sequence[Item], judge: ModelJudge) -> tuple[Judged, ...]:
    tools = Tools(pipeline=Pipeline(embed=near))
    return asyncio.run(judged(items, SCORERS, lambda _: judge, at_once=4, tools=tools))


def of(metric: str) -> list[Item]:
    return [item for item in shipped_items() if item.metric == metric]


def labels(found: Sequence[Judged]) -> list[Label]:
    return [Label(human=o.human, judge=o.score, failed=o.error is not None) for o in found]


def relevant(item_id: str = "a", score: float | None = 1.0, **more: Any) -> Item:
    metric = "generation.answer_relevance"
    return Item(id=item_id, metric=metric, question="?", answer="x", score=score, **more)


def test_praise_is_known_for_every_prompt_and_no_other() -> None:
    asked = {prompt.sha256 for metric in METRICS for prompt in asking(metric).prompts}
    assert BY_HASH.keys() == asked


@pytest.mark.parametrize("metric", METRICS)
def test_a_judge_that_praises_everything_fails_by_every_prompt(metric: str) -> None:
    found = run(of(metric), PRAISING)
    assert [one.error for one in found if one.error] == []
    assert Thresholds().shortfalls(agreement(labels(found))) != []


@pytest.mark.parametrize("metric", METRICS)
def test_a_judge_that_says_nothing_usable_agrees_with_nobody(metric: str) -> None:
    found = run(of(metric), always("I cannot say."))
    said = agreement(labels(found))
    unasked = sum(not one.replies for one in found)  # citations of which there is no text
    assert said.failed == said.items - unasked
    assert said.exact.value <= unasked / said.items


def test_results_are_in_the_order_of_the_items_and_name_their_replies() -> None:
    found = run([relevant("a"), relevant("b", 0.0)], PRAISING)
    assert [(one.item.id, one.human, one.score) for one in found] == [("a", 1, 1), ("b", 0, 1)]
    assert {len(one.replies) for one in found} == {1}


def test_an_answer_that_several_people_labelled_is_judged_once() -> None:
    people = [relevant(score=score, annotator=who) for who, score in zip("abc", (0, 1, 1))]  # noqa: B905
    [found] = run(people, PRAISING)
    assert found.labels == (0, 1, 1)
    assert (found.human, len(found.replies)) == (1, 1)


@pytest.mark.parametrize(
    ("scores", "human"),
    [
        ((0.0, 1.0), 0.5),
        ((None,), None),
        ((None, None, 1.0), None),
        ((None, 1.0), 1.0),
        ((0.0, 0.0, 1.0), 0.0),
    ],
)
def test_of_several_labels_the_median_counts(
    scores: tuple[float | None, ...], human: float | None
) -> None:
    found = Judged(item=relevant(), labels=scores, score=None)
    assert found.human == human


def test_an_error_is_kept_with_its_cause_and_its_replies() -> None:
    [found] = run([relevant()], always("?"))
    assert found.score is None
    assert found.error is not None
    assert "no JSON object" in found.error
    assert [reply.text for reply in found.replies] == ["?", "?"]


def test_costs_are_summed_and_unknown_where_one_is() -> None:
    found = run([relevant("a"), relevant("b")], PRAISING)
    assert cost(found) == pytest.approx(0.002)
    assert calls(found) == (2, 0)
    free = ModelJudge(
        Speaker(lambda _: Reply('{"reason": "", "verdict": "relevant"}', cached=True))
    )
    unpriced = run([relevant()], free)
    assert (cost(unpriced), calls(unpriced)) == (None, (1, 1))


def test_an_item_that_lacks_what_its_metric_needs_is_told() -> None:
    item = Item(id="x", metric="generation.completeness", answer="a", score=1)
    with pytest.raises(
        UsageError,
        match=r"x: generation.completeness cannot be scored: case has no expected_answer",
    ):
        run([item], PRAISING)


def test_a_metric_that_asks_no_judge_cannot_be_calibrated() -> None:
    with pytest.raises(UsageError, match="Mrr asks no judge"):
        scorer(catalog.build("retrieval.mrr"))


def test_an_unknown_metric_is_told() -> None:
    item = Item(id="x", metric="generation.fluency", answer="a", score=1)
    with pytest.raises(UsageError, match=r"x: metric: got 'generation.fluency'; allowed: citation"):
        run([item], PRAISING)


def test_what_stops_a_run_stops_a_calibration_and_all_that_is_under_way() -> None:
    speaker = Speaker(lambda _: OverBudget("spent"))
    with pytest.raises(OverBudget, match="spent"):
        run([relevant(str(n)) for n in range(50)], ModelJudge(speaker))
    assert len(speaker.asked) < 20


def test_a_judge_that_cannot_be_reached_is_an_error_of_every_item() -> None:
    found = run([relevant("a"), relevant("b")], ModelJudge(Speaker(lambda _: JudgeError("401"))))
    assert [one.error for one in found] == ["401", "401"]
