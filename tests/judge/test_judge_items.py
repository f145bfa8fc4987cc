"""Every prompt has enough items, of all kinds and bands; a user's labels are read with care."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragproof.analysis.agreement import NOT_APPLICABLE, category
from ragproof.core import UsageError
from ragproof.core.needs import ANSWER, CITATIONS, CONTEXT, QUESTION
from ragproof.judge.items import (
    Item,
    claim_items,
    read_items,
    read_pairs,
    shipped_items,
    shipped_pairs,
)
from ragproof.judge.recordings import shipped
from ragproof.metrics import catalog

ITEMS = shipped_items()
RECORDINGS = shipped()
METRICS = sorted({item.metric for item in ITEMS})
JUDGED = [metric for metric in catalog.ids() if catalog.load(metric).prompts]
LEAST = 20


def of(metric: str) -> list[Item]:
    return [item for item in ITEMS if item.metric == metric]


def test_every_judged_metric_and_the_reading_of_refusals_has_items() -> None:
    assert sorted([*JUDGED, "readings.refusal"]) == METRICS


@pytest.mark.parametrize("metric", METRICS)
def test_there_are_enough_items_of_every_kind(metric: str) -> None:
    kinds = Counter(item.kind for item in of(metric))
    assert len(of(metric)) >= LEAST
    assert kinds.keys() == {"clear", "borderline", "adversarial"}
    assert min(kinds.values()) >= 4


@pytest.mark.parametrize("metric", METRICS)
def test_the_bands_are_all_there_and_balanced(metric: str) -> None:
    bands = Counter(category(item.score) for item in of(metric))
    scored = {band: n for band, n in bands.items() if band != NOT_APPLICABLE}
    assert scored.keys() == ({0, 2} if metric == "readings.refusal" else {0, 1, 2})
    assert max(scored.values()) <= 2 * min(scored.values())


def judged_texts(metric: str, item: Item) -> list[str]:
    """What is judged: the answer, or each chunk of the context."""
    if not metric.startswith("context."):
        return [item.answer]
    return [one if isinstance(one, str) else one.text for one in item.context or ()] or [""]


@pytest.mark.parametrize("metric", METRICS)
def test_among_them_are_an_empty_answer_orders_to_the_judge_and_other_scripts(metric: str) -> None:
    answers = [text for item in of(metric) for text in judged_texts(metric, item)]
    assert "" in answers
    assert any(
        word in answer.lower()
        for answer in answers
        for word in ("evaluator", "to the judge", "reviewers:")
    )
    assert any(ord(letter) > 0x370 for answer in answers for letter in answer if letter.isalpha())


@pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])
def test_an_item_says_why_and_has_what_its_metric_needs(item: Item) -> None:
    assert item.because
    run = item.to_run()
    assert run[QUESTION] == item.question != ""
    assert run[ANSWER].answer_text == item.answer
    tools = item.tools(RECORDINGS[item.metric].judge(item))
    needs = catalog.load(item.metric).spec.needs if item.metric in JUDGED else (ANSWER,)
    for need in needs:
        assert (need.of(tools) or run.get(need)) is not None


@pytest.mark.parametrize("name", ["groundedness", "claim_support", "factscore"])
def test_claims_that_were_found_give_the_score_that_was_given(name: str) -> None:
    for item in of(f"generation.{name}"):
        assert item.claims is not None
        supported = sum(claim.supported for claim in item.claims)
        share = supported / len(item.claims) if item.claims else None
        assert category(share) == category(item.score), item.id


def test_support_can_be_checked_apart_from_taking_apart() -> None:
    item = next(item for item in of("generation.groundedness") if item.score == 0.5)
    assert item.claims is not None
    alone = claim_items([item])
    assert [one.answer for one in alone] == [claim.text for claim in item.claims]
    assert {one.score for one in alone} == {0.0, 1.0}
    assert all(one.context == item.context for one in alone)
    assert len(claim_items(ITEMS)) > 90
    searched = next(item for item in of("generation.factscore") if item.score == 0.5)
    assert all(one.pipeline == searched.pipeline for one in claim_items([searched]))


def test_there_are_enough_pairs_and_their_labels_are_balanced() -> None:
    pairs = shipped_pairs()
    assert len(pairs) >= LEAST
    assert min(Counter(pair.label for pair in pairs).values()) >= 5
    changes = Counter(pair.change for pair in pairs)
    assert min(changes["expansion"], changes["truncation"]) >= 5


def written(tmp_path: Path, *lines: dict[str, Any] | str) -> Path:
    path = tmp_path / "labels.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


LINE = {"id": "a", "metric": "generation.groundedness", "answer": "x", "score": 1}


def test_texts_alone_are_chunks_and_ids_alone_are_citations(tmp_path: Path) -> None:
    line = {**LINE, "context": ["one", {"id": "k", "text": "two"}], "citations": ["1", "k"]}
    run = read_items(written(tmp_path, line))[0].to_run()
    assert [(chunk.id, chunk.text) for chunk in run[CONTEXT]] == [("1", "one"), ("k", "two")]
    assert [one.chunk_id for one in run[CITATIONS]] == ["1", "k"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({**LINE, "score": 1.5}, r"labels.jsonl:1: score: got 1.5; allowed: 0 to 1, or null"),
        ({**LINE, "score": "1"}, r"labels.jsonl:1: score: got \"1\"; allowed: a number"),
        ({**LINE, "scores": 1}, r"scores: unknown key. Did you mean 'score'"),
        ({"id": "a"}, r"metric: missing"),
        ({**LINE, "score": True}, r"score: got true"),
        ({**LINE, "kind": "easy"}, r"kind: got \"easy\"; allowed: clear, borderline"),
        ("{", r"labels.jsonl:1: not JSON"),
        ('{"id": "a", "id": "b"}', r'labels.jsonl:1: key "id" is there twice'),
        ("[]", r"labels.jsonl:1: "),
    ],
)
def test_a_line_that_cannot_be_read_is_told_by_place(
    tmp_path: Path, line: dict[str, Any] | str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        read_items(written(tmp_path, line))


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_items(written(tmp_path, {**LINE, "score": 2}, {**LINE, "id": "b", "score": -1}))
    assert [":1:" in str(caught.value), ":2:" in str(caught.value)] == [True, True]


def test_an_id_twice_is_two_labels_only_where_two_people_gave_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"labels.jsonl:2: id: generation.groundedness a is there"):
        read_items(written(tmp_path, LINE, LINE))
    two = [{**LINE, "annotator": "ann"}, {**LINE, "annotator": "bob"}]
    assert len(read_items(written(tmp_path, *two))) == 2


def test_an_empty_file_and_an_unknown_metric_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the file is empty"):
        read_items(written(tmp_path, "\n"))
    with pytest.raises(UsageError, match=r"a: metric: got 'generation.groundedness'; allowed: x"):
        read_items(written(tmp_path, LINE), known=["x"])


def test_pairs_are_read_like_items(tmp_path: Path) -> None:
    line = {"id": "p", "question": "?", "answer_1": "a", "answer_2": "b", "label": "1"}
    [pair] = read_pairs(written(tmp_path, {**line, "families": ["one", "two"]}))
    assert pair.families == ("one", "two")
    with pytest.raises(UsageError, match=r"label: got \"3\"; allowed: 1, 2 or tie"):
        read_pairs(written(tmp_path, {**line, "label": "3"}))
