"""Ratings by three people, and pairs that people decided, through a judge whose rule is known."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import statistics
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import spearmanr
from scripts import Speaker
from sklearn.metrics import cohen_kappa_score

from ragproof.analysis.agreement import Label, agreement, category, replacement
from ragproof.analysis.leaning import length, position
from ragproof.analysis.threshold import thresholding
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import Judged, judged, scorer
from ragproof.judge.items import Item, Pair
from ragproof.judge.pairwise import compared
from ragproof.llm.model import Ask
from ragproof.metrics.generation.groundedness import Groundedness
from ragproof.text.answer_tokens import answer_tokens
from ragproof.wiring.leaning import ballot

DATA = Path(__file__).parents[3] / "shared/data"

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the labels are not at {DATA}"),
]


@cache
def faithfulness() -> tuple[Item, ...]:
    """MTRAG: answers that three people rated from 1 to 4 against the passages they rest on."""
    with gzip.open(DATA / "mtrag_human/human_evaluations.json.gz", "rt", encoding="utf-8") as file:
        told: dict[str, list[dict[str, Any]]] = json.load(file)
    texts = {one["document_id"]: one["text"] for one in told["documents"]}
    passages = {
        task["task_id"]: tuple(texts[one["document_id"]] for one in task["contexts"])
        for task in told["tasks"]
    }
    return tuple(
        Item(
            id=f"{one['task_id']} {one['model_id']}",
            metric="generation.groundedness",
            question="?",
            answer=one["model_response"],
            context=passages[one["task_id"]],
            score=(int(rating) - 1) / 3,
            annotator=str(person),
            condition="three people each, ratings sorted",
        )
        for one in told["evaluations"]
        if passages[one["task_id"]]
        for person, rating in enumerate(one["annotations"].get("faithfulness", ()))
    )


def share_of_known_words(answer: str, passages: Sequence[str]) -> float:
    known = set(answer_tokens(" ".join(passages)))
    words = answer_tokens(answer)
    return sum(word in known for word in words) / max(1, len(words))


def judge_of_words(ask: Ask) -> str:
    """Twenty claims, as many of them supported as every twentieth word is known."""
    answer = re.search(r"<answer-\w+>\n(.*?)\n</answer-", ask.user, re.DOTALL)
    assert answer is not None
    passages = re.findall(r"<passage-\w+>\n(.*?)\n</passage-", ask.user, re.DOTALL)
    held = round(20 * share_of_known_words(answer[1], passages))
    failed = {"failure_mode": "fabrication", "reason": "other words"}
    return json.dumps(
        {
            "outcome": "scored",
            "claims": [{"id": f"c{n}", "text": f"part {n}"} for n in range(20)],
            "supported": [{"id": f"c{n}", "quote": ""} for n in range(held)],
            "unsupported": [{"id": f"c{n}", **failed} for n in range(held, 20)],
        }
    )


@cache
def judged_by_words() -> tuple[Judged, ...]:
    judge = ModelJudge(Speaker(judge_of_words))
    scorers = {"generation.groundedness": scorer(Groundedness())}
    return asyncio.run(judged(faithfulness(), scorers, lambda _: judge))


def test_words_rank_answers_as_people_do_about_as_closely_as_is_known() -> None:
    found = judged_by_words()
    assert len(found) > 260, "each answer is asked of once, however many people rated it"
    people = [statistics.fmean(one for one in f.labels if one is not None) for f in found]
    assert spearmanr([one.score for one in found], people).statistic == pytest.approx(
        0.63, abs=0.02
    )


def test_kappa_of_ratings_is_that_of_scikit_learn() -> None:
    found = judged_by_words()
    told = agreement([Label(human=one.human, judge=one.score) for one in found])
    assert {len(one.labels) for one in found} == {2, 3}
    bands = [(category(one.human), category(one.score)) for one in found]
    humans, judges = zip(*bands, strict=True)
    assert told.kappa is not None
    assert told.weighted_kappa is not None
    assert told.kappa.value == pytest.approx(cohen_kappa_score(humans, judges))
    linear = cohen_kappa_score(humans, judges, weights="linear", labels=[0, 1, 2])
    assert told.weighted_kappa.value == pytest.approx(linear)
    assert told.exact.value == sum(one == other for one, other in bands) / len(bands)
    assert told.within.value == sum(abs(one - other) <= 1 for one, other in bands) / len(bands)
    assert told.false_passes == sum(one < 2 == other for one, other in bands)
    assert told.false_failures == sum(one == 2 > other for one, other in bands)
    assert told.items == sum(map(sum, told.confusion))


def test_a_judge_that_praises_everything_agrees_with_most_ratings_and_with_no_distinction() -> None:
    """Most answers are faithful: agreement alone flatters, kappa does not."""
    people = [one.human for one in judged_by_words()]
    praise = [Label(human=human, judge=1.0) for human in people]
    told = agreement(praise)
    assert told.exact.value > 0.6
    assert told.kappa is not None
    assert told.kappa.value == 0.0
    assert told.false_failures == 0
    words = [Label(human=one.human, judge=one.score) for one in judged_by_words()]
    beside = replacement(praise, words)
    assert beside.current == told
    assert beside.candidate.false_passes < told.false_passes


def test_a_threshold_on_words_is_found_by_ratings_and_holds_for_answers_left_out() -> None:
    found = judged_by_words()
    passes = [category(one.human) == 2 for one in found]
    told = thresholding([one.score or 0.0 for one in found], passes)
    assert told.chosen.kappa is not None
    assert told.chosen.kappa > 0.3
    assert told.held_out.value >= 0.7
    assert told.held_out.value <= told.chosen.accuracy + 1e-9
    assert told.ends[0] <= told.chosen.threshold <= told.ends[1]


@cache
def pairs() -> tuple[Pair, ...]:
    """LLMBar: instructions with two outputs, of which people call one the better."""
    rows = json.loads((DATA / "llmbar/Natural.json").read_text(encoding="utf-8"))
    return tuple(
        Pair(
            id=str(number),
            question=row["input"],
            answer_1=row["output_1"],
            answer_2=row["output_2"],
            label="1" if row["label"] == 1 else "2",
        )
        for number, row in enumerate(rows)
    )


def ballots(verdict: Callable[[str, str], str]) -> list[Any]:
    """What a judge says that is shown both answers in either order."""

    def say(ask: Ask) -> str:
        shown = dict(re.findall(r"<(answer_[ab])-\w+>\n(.*?)\n</answer_", ask.user, re.DOTALL))
        said = verdict(shown["answer_a"], shown["answer_b"])
        return json.dumps({"reason": "?", "verdict": said})

    found = asyncio.run(compared(pairs(), ModelJudge(Speaker(say))))
    return [ballot(one) for one in found]


def test_a_judge_that_takes_the_first_place_agrees_with_people_by_chance() -> None:
    told = position(ballots(lambda _, __: "a"))
    assert (told.pairs, told.invalid) == (100, 0)
    assert told.consistency is not None
    assert told.bias is not None
    assert told.one_order is not None
    assert told.both_orders is not None
    assert (told.consistency.value, told.bias.value) == (0.0, 0.5)
    assert told.one_order.value == 0.5, "each pair is right in one order and wrong in the other"
    assert told.both_orders.value == 0.0, "all are ties together, and people called none"
    assert told.swapping_helps is False


def test_a_judge_that_takes_the_longer_answer_is_consistent_and_found_out_by_length() -> None:
    longer = ballots(lambda a, b: "a" if len(a) > len(b) else "b" if len(b) > len(a) else "tie")
    place, size = position(longer), length(longer)
    assert place.consistency is not None
    assert place.bias is not None
    assert (place.consistency.value, place.bias.value) == (1.0, 0.0)
    unequal = [one for one in pairs() if len(one.answer_1) != len(one.answer_2)]
    deserved = [(one.label == "1") == (len(one.answer_1) > len(one.answer_2)) for one in unequal]
    assert size.pairs == len(unequal)
    assert size.longer_wins == 1.0
    assert size.longer_deserves == pytest.approx(sum(deserved) / len(deserved))
    assert size.agreement == pytest.approx(sum(deserved) / len(deserved))
    assert size.controlled == 0.5, "right wherever people prefer the longer, wrong elsewhere"


def test_a_judge_that_agrees_with_people_is_told_apart_from_both() -> None:
    better = {one.answer_1 if one.label == "1" else one.answer_2 for one in pairs()}
    wise = ballots(lambda a, _: "a" if a in better else "b")
    told = position(wise)
    assert told.both_orders is not None
    assert told.both_orders.value >= 0.99
    assert told.both_orders.ends is not None
    assert told.both_orders.ends[0] > 0.9
    assert length(wise).controlled == pytest.approx(1.0, abs=0.03)
