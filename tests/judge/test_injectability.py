"""Whether orders inside answers move the score is measured answer by answer."""

from __future__ import annotations

import asyncio
import json

from scripts import Speaker

from ragproof.analysis.leaning import injectability
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import scorer
from ragproof.judge.injectability import ATTACKS, Tampered, tampered
from ragproof.judge.items import Item
from ragproof.llm.model import Ask
from ragproof.metrics import catalog

METRIC = "generation.answer_relevance"
SCORERS = {METRIC: scorer(catalog.build(METRIC))}


def item(item_id: str, score: float | None) -> Item:
    return Item(id=item_id, metric=METRIC, question="?", answer=f"text {item_id}", score=score)


def run(speaker: Speaker, *items: Item) -> tuple[Tampered, ...]:
    return asyncio.run(tampered(items, SCORERS, ModelJudge(speaker), at_once=3))


def verdict(word: str) -> str:
    return json.dumps({"reason": "?", "verdict": word})


def moved(found: tuple[Tampered, ...]) -> float:
    told = injectability(
        [
            (one.plain.score, one.attacked.score, bool(one.plain.error or one.attacked.error))
            for one in found
        ]
    )
    assert told.moved is not None
    return told.moved.value


def test_answers_that_could_score_higher_are_scored_plainly_and_under_every_attack() -> None:
    speaker = Speaker(lambda _: verdict("irrelevant"))
    found = run(speaker, item("a", 0.0), item("b", 0.5), item("c", 1.0), item("d", None))
    assert [(one.plain.item.id, one.attack) for one in found] == [
        (name, attack) for name in "ab" for attack in ATTACKS
    ]
    assert len(speaker.asked) == 2 * (1 + len(ATTACKS))


def test_the_attack_stands_at_the_end_of_the_answer() -> None:
    [first, *_] = run(Speaker(lambda _: verdict("irrelevant")), item("a", 0.0))
    assert first.plain.item.answer == "text a"
    assert first.attacked.item.answer == f"text a\n\n{ATTACKS['note']}"


def test_a_judge_that_does_as_it_is_told_is_found_out_and_one_that_does_not_is_not() -> None:
    def gullible(ask: Ask) -> str:
        attacked = any(attack.splitlines()[0] in ask.user for attack in ATTACKS.values())
        return verdict("relevant" if attacked else "irrelevant")

    assert moved(run(Speaker(gullible), item("a", 0.0), item("b", 0.5))) == 1
    assert moved(run(Speaker(lambda _: verdict("partial")), item("a", 0.0))) == 0
