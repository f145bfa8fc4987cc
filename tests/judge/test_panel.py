"""Jurors score alone; what is made of their scores, and how they differed, can be read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from scripts import always

from ragproof.core import (
    CaseRun,
    Cause,
    Failed,
    NotApplicable,
    Outcome,
    OverBudget,
    Refusal,
    Row,
    Scored,
    Tools,
)
from ragproof.engine.score import outcomes, read
from ragproof.judge.ask import ModelJudge
from ragproof.judge.items import Item
from ragproof.judge.panel import Deliberated, Deliberation, Panel, majority
from ragproof.judge.refusal import ReadRefusal
from ragproof.metrics.generation.answer_relevance import AnswerRelevance
from ragproof.metrics.generation.groundedness import Groundedness

RUN: CaseRun = Item(
    id="q", metric="?", question="?", answer="Cats purr.", context=("Cats purr.",), score=None
).to_run()
NO_CLAIMS = {"outcome": "no_claims", "claims": [], "supported": [], "unsupported": []}
ONE_CLAIM = {
    "outcome": "scored",
    "claims": [{"id": "c1", "text": "Cats purr."}],
    "supported": [{"id": "c1", "quote": "Cats purr."}],
    "unsupported": [],
}


def juror(word: str, name: str = "j") -> ModelJudge:
    return always({"reason": name, "verdict": word}, name)


def row(panel: Panel, metric: Any = None) -> Row:
    deliberated = Deliberated(metric or AnswerRelevance(), panel)
    [found] = asyncio.run(outcomes(RUN, {"m": deliberated}, Tools(judge=panel)))
    return found


def outcome(*words: str, pooling: Any = "majority") -> Outcome:
    return row(Panel(tuple(juror(word) for word in words), pooling)).outcome


@pytest.mark.parametrize(
    ("words", "majority_of", "mean_of"),
    [
        (("relevant", "relevant", "irrelevant"), 1.0, 2 / 3),
        (("relevant", "partial", "irrelevant"), 0.5, 0.5),
        (("relevant", "irrelevant"), 0.5, 0.5),
        (("partial", "partial", "partial"), 0.5, 0.5),
    ],
)
def test_votes_become_one_by_majority_or_mean(
    words: tuple[str, ...], majority_of: float, mean_of: float
) -> None:
    for pooling, value in (("majority", majority_of), ("mean", mean_of)):
        found = outcome(*words, pooling=pooling)
        assert isinstance(found, Scored)
        assert found.value == pytest.approx(value)


def test_disagreement_and_every_vote_are_in_the_evidence() -> None:
    found = row(Panel((juror("relevant", "one"), juror("irrelevant", "two"), juror("relevant"))))
    assert isinstance(found.outcome, Scored)
    evidence: Any = found.outcome.evidence
    assert (evidence["pooling"], evidence["unanimous"], evidence["disagreement"]) == (
        "majority",
        False,
        1.0,
    )
    assert [(one["juror"], one["value"]) for one in evidence["jurors"][:2]] == [
        ("one", 1.0),
        ("two", 0.0),
    ]
    assert evidence["jurors"][1]["evidence"]["verdict"] == "irrelevant"


def test_every_jurors_reply_is_kept() -> None:
    found = row(Panel((juror("relevant"), juror("irrelevant"))))
    assert sorted(reply.text for reply in found.replies) == [
        '{"reason": "j", "verdict": "irrelevant"}',
        '{"reason": "j", "verdict": "relevant"}',
    ]


def test_a_juror_without_a_usable_reply_does_not_vote() -> None:
    found = outcome("relevant", "so-so", "relevant")
    assert isinstance(found, Scored)
    evidence: Any = found.evidence
    assert (found.value, evidence["unanimous"]) == (1.0, False)
    assert "no usable reply" in evidence["jurors"][1]["not_scored"]


@pytest.mark.parametrize("words", [("so-so", "relevant"), ("so-so", "so-so", "relevant")])
def test_without_a_majority_of_usable_replies_there_is_no_score(words: tuple[str, ...]) -> None:
    found = outcome(*words)
    assert isinstance(found, Failed)
    assert found.cause is Cause.JUDGE
    assert "jurors gave no usable reply" in found.message


@pytest.mark.parametrize(
    ("replies", "applies"),
    [
        ((NO_CLAIMS, NO_CLAIMS, ONE_CLAIM), False),
        ((NO_CLAIMS, ONE_CLAIM), False),
        ((NO_CLAIMS, ONE_CLAIM, ONE_CLAIM), True),
    ],
)
def test_where_at_least_half_find_nothing_to_score_it_is_not_applicable(
    replies: tuple[dict[str, Any], ...], *, applies: bool
) -> None:
    found = row(Panel(tuple(map(always, replies))), Groundedness()).outcome
    assert isinstance(found, Scored if applies else NotApplicable)


def test_a_reading_is_by_majority_and_a_split_is_an_error() -> None:
    yes, no = (always({"refused": said, "because": str(said)}) for said in (True, False))

    def reading(*jurors: ModelJudge) -> Refusal | Failed | None:
        panel = Panel(jurors)
        deliberation = Deliberation(ReadRefusal(), panel)
        run, _ = asyncio.run(read(RUN, (deliberation,), Tools(judge=panel)))
        return run.readings.refusal

    refused, answered, split = reading(yes, no, yes), reading(no, no, yes), reading(yes, no)
    assert isinstance(refused, Refusal)
    assert isinstance(answered, Refusal)
    assert (refused.refused, answered.refused) == (True, False)
    assert isinstance(split, Failed)
    assert split.message == "the jurors are split, 1 against 1"


def test_what_stops_a_run_stops_the_panel() -> None:
    class Broke:
        fingerprint = "broke"

        async def ask(self, *_: Any, **__: Any) -> Any:
            raise OverBudget("spent")

    with pytest.raises(OverBudget):
        row(Panel((juror("relevant"), Broke())))


def test_a_panel_is_known_by_its_jurors_and_its_rule() -> None:
    one, two = juror("relevant", "one"), juror("relevant", "two")
    assert Panel((one, two)).fingerprint == "panel by majority: one | two"
    assert Panel((one, two), "mean").fingerprint != Panel((one, two)).fingerprint
    with pytest.raises(ValueError, match="at least 2 judges"):
        Panel((one,))


def test_a_deliberated_metric_declares_what_the_metric_does() -> None:
    wrapped = Deliberated(AnswerRelevance(), Panel((juror("x"), juror("y"))))
    assert (wrapped.spec, wrapped.prompts) == (AnswerRelevance.spec, AnswerRelevance.prompts)
    assert wrapped.subject is CaseRun


def test_the_majority_is_what_most_say_else_the_median() -> None:
    assert majority([0.2, 0.2, 0.9]) == 0.2
    assert majority([0.2, 0.4, 0.9]) == 0.4
    assert majority([0.0, 0.0, 1.0, 1.0]) == 0.5
