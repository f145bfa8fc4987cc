"""A judge scores what people scored; what it cannot score is an error and never agreement."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from scripts import Speaker, always

from ragproof.analysis.agreement import Label, Thresholds, agreement
from ragproof.core import JudgeError, OverBudget, Reply, UsageError
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import Judged, calls, cost, judged, scorer
from ragproof.judge.items import Item, shipped_items
from ragproof.judge.refusal import ReadRefusal
from ragproof.metrics import catalog

METRICS = sorted({item.metric for item in shipped_items()})
SCORERS = {
    metric: scorer(ReadRefusal() if metric == "readings.refusal" else catalog.build(metric))
    for metric in METRICS
}
OK = {"reason": "?", "verdict": "ok"}
PRAISE: dict[str, Any] = {
    "generation.answer_relevance": {"reason": "?", "verdict": "relevant"},
    "generation.completeness": {"missing": [], "reason": "?", "verdict": "complete"},
    "generation.correctness": dict.fromkeys(
        ("relations", "entities", "quantities", "negation", "required_information"), OK
    ),
    "generation.groundedness": {
        "outcome": "scored",
        "claims": [{"id": "c1", "text": "all of it"}],
        "supported": [{"id": "c1", "quote": "all"}],
        "unsupported": [],
    },
    "generation.citation_support": {
        "verdicts": [{"id": "p1", "quote": "?", "reason": "?", "verdict": "supported"}]
    },
    "generation.g_eval": {"steps": ["Read it."], "reason": "?", "rating": 5},
    "readings.refusal": {"refused": True, "because": "?"},
}
"""Of each metric the reply that gives the highest score."""


def run(items: Sequence[Item], judge: ModelJudge) -> tuple[Judged, ...]:
    return asyncio.run(judged(items, SCORERS, lambda _: judge, at_once=4))


def of(metric: str) -> list[Item]:
    return [item for item in shipped_items() if item.metric == metric]


def labels(found: Sequence[Judged]) -> list[Label]:
    return [Label(human=o.human, judge=o.score, failed=o.error is not None) for o in found]


def relevant(item_id: str = "a", score: float | None = 1.0, **more: Any) -> Item:
    metric = "generation.answer_relevance"
    return Item(id=item_id, metric=metric, question="?", answer="x", score=score, **more)


PRAISING = always(PRAISE["generation.answer_relevance"])


@pytest.mark.parametrize("metric", sorted(PRAISE))
def test_a_judge_that_praises_everything_fails_by_every_prompt(metric: str) -> None:
    found = agreement(labels(run(of(metric), always(PRAISE[metric]))))
    assert Thresholds().shortfalls(found) != []


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
