"""What holds of the metrics of the context, and of variants, whatever they are given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from fixture import ScriptedCorpus, scores
from hypothesis import given, settings
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
    Scored,
    Stage,
    Tools,
    Trace,
)
from ragproof.metrics import catalog
from ragproof.metrics.context.noise_sensitivity import irrelevant
from ragproof.metrics.context.position_accuracy import PositionAccuracy
from ragproof.metrics.context.precision import rank_weighted
from ragproof.metrics.context.relevance import distribution
from ragproof.metrics.positions import in_the_middle, to_the_ends, usd
from ragproof.metrics.robustness.variant_consistency import same
from ragproof.metrics.saying import said, token_f1
from ragproof.metrics.supplied import each_once

LIMITS = settings(max_examples=50, deadline=None)
ids = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def chunks(names: Sequence[str]) -> tuple[Chunk, ...]:
    return tuple(Chunk(id=one, text=f"text of {one}") for one in names)


def supplied(names: Sequence[str], **case: Any) -> CaseRun:
    asked = QuestionCase(id="q", question=case.pop("question", "?"), **case)
    answer = Answer(answer_text="?", trace=Trace(context=chunks(names)))
    return CaseRun(asked, Observation(case_id="q", answer=answer))


@dataclass
class Generator:
    """Answers with the id of the first chunk, and remembers what it was given."""

    contexts: list[list[str]] = field(default_factory=list[list[str]])
    fails: bool = False

    async def generate(self, _case: Case, _question: str, context: Sequence[Chunk]) -> Answer:
        if self.fails:
            raise AdapterError("generate failed")
        self.contexts.append([one.id for one in context])
        return Answer(answer_text=f"It is {context[0].id}.")

    def tools(self, corpus: dict[str, str] | None = None) -> Tools:
        known = None if corpus is None else ScriptedCorpus(corpus)
        return Tools(pipeline=Pipeline(generate=self.generate), corpus=known)


@LIMITS
@given(st.lists(st.booleans(), min_size=1, max_size=10))
def test_a_useful_chunk_that_moves_up_never_lowers_precision(useful: list[bool]) -> None:
    value = rank_weighted(useful)
    assert 0 <= value <= 1
    assert (value == 0) == (not any(useful))
    assert rank_weighted(sorted(useful, reverse=True)) == float(any(useful))
    for at in range(1, len(useful)):
        if useful[at] and not useful[at - 1]:
            up = [*useful[: at - 1], True, False, *useful[at + 1 :]]
            assert rank_weighted(up) > value


@LIMITS
@given(ids, ids)
def test_an_order_is_the_same_chunks_in_another_order(one: list[str], two: list[str]) -> None:
    gold, others = chunks(one), chunks([other for other in two if other not in one])
    everything = {chunk.id for chunk in (*gold, *others)}
    for order in PositionAccuracy().orders(gold, others).values():
        assert {chunk.id for chunk in order} == everything
        assert len(order) == len(everything)
    middle = in_the_middle(gold, others)
    before = middle.index(gold[0]) if gold else 0
    assert before == (len(others) // 2 if gold else 0)
    assert sorted(c.id for c in to_the_ends(others)) == sorted(c.id for c in others)
    if len(others) > 1:
        assert (to_the_ends(others)[0], to_the_ends(others)[-1]) == (others[0], others[1])


@LIMITS
@given(st.lists(st.sampled_from(["p1", "p2", "p3", "p4"]), max_size=5), st.integers(0, 3))
def test_only_a_reply_that_accounts_for_all_is_taken(told: list[str], asked: int) -> None:
    wanted = [f"p{n}" for n in range(1, asked + 1)]
    if sorted(told) == wanted:
        each_once(told, wanted)
    else:
        with pytest.raises(ValueError, match=r"verdict"):
            each_once(told, wanted)


words = st.lists(st.sampled_from(["x", "y", "12", "Zug", "東", "é"]), max_size=4)


@LIMITS
@given(words, words, words.filter(bool))
def test_what_stands_in_a_text_is_said(one: list[str], two: list[str], accepted: list[str]) -> None:
    answer = " ".join(accepted)
    assert said(f"{' '.join([*one, answer.upper(), *two])}.", ["never", answer]) == answer
    assert said("", [answer]) is None
    assert said("q".join(accepted) + "q", [answer]) is None or "東" in accepted


@LIMITS
@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_the_overlap_of_tokens_is_even_handed(one: list[str], other: list[str]) -> None:
    assert token_f1(one, other) == token_f1(other, one)
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, one) == 1


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Paris.", "paris", True),
        ("It costs 5 euros.", "It costs 7 euros.", False),
        ("It is allowed.", "It is not allowed.", False),
        ("Yes, dogs are allowed on trains.", "Dogs are allowed on trains.", True),
        ("東京は首都です。", "東京は首都です", True),
        ("Das ist erlaubt.", "Das ist nicht erlaubt.", False),
    ],
)
def test_numbers_and_denials_tell_answers_apart(one: str, other: str, *, is_same: bool) -> None:
    assert same(one, other, 0.5) is is_same


def test_every_position_is_one_call_with_the_same_chunks() -> None:
    generator = Generator()
    run = supplied("xgyz", expected_answer="g", expected_source_ids=("g",))
    found = scores(catalog.build("context.position_accuracy"), run, generator.tools())
    assert generator.contexts == [list("gxyz"), list("xgyz"), list("xyzg")]
    values = {label: one.value for label, one in found.items() if isinstance(one, Scored)}
    assert values == {"first": 1.0, "middle": 0.0, "last": 0.0}


@pytest.mark.parametrize("metric", ["context.position_accuracy", "context.noise_sensitivity"])
def test_a_call_that_fails_is_the_adapters_error_and_no_wrong_answer(metric: str) -> None:
    tools = Generator(fails=True).tools({one: f"noise {one}" for one in "klmn"})
    run = supplied("xgyz", expected_answer="g", expected_source_ids=("g",))
    assert scores(catalog.build(metric), run, tools) == {
        "": Failed(Cause.ADAPTER, "generate failed")
    }


def test_noise_is_by_lot_the_same_for_the_same_question_and_never_gold() -> None:
    corpus = ScriptedCorpus({f"d{n}": f"document {n}" for n in range(100)} | {"g": "gold"})

    def drawn(question: str) -> list[str]:
        run = supplied("x", question=question, expected_answer="7", expected_source_ids=("g",))
        return [one.id for one in irrelevant(run, corpus)]

    assert drawn("one?") == drawn("one?")
    assert drawn("one?")[:5] != drawn("two?")[:5]
    assert set(drawn("one?")) == corpus.keys() - {"g", "d7"}, "d7 says the accepted answer"


def test_noise_is_cut_to_the_length_of_what_is_supplied() -> None:
    generator = Generator()
    tools = generator.tools({"long": "x" * 10_000})
    run = supplied("g", expected_answer="g")
    metric = catalog.build("context.noise_sensitivity", chunks=1)
    [found] = scores(metric, run, tools).values()
    assert isinstance(found, Scored)
    assert generator.contexts == [["g"], ["g", "long"]]


def test_what_an_answer_costs_is_unknown_where_a_stage_does_not_tell() -> None:
    def answer(*costs: float | None) -> Answer:
        stages = tuple(Stage(name="s", seconds=1, usd=one) for one in costs)
        return Answer(answer_text="?", trace=Trace(stages=stages))

    assert usd(answer(0.25, 0.5)) == 0.75
    assert usd(answer(0.25, None)) is None
    assert usd(answer()) is None
    assert usd(Answer(answer_text="?")) is None


def test_a_distribution_counts_every_level() -> None:
    assert distribution([0, 3, 3]) == {"0": 1, "1": 0, "2": 0, "3": 2}


def test_negative_token_counts_are_an_error_and_no_ratio() -> None:
    trace = Trace(context_tokens_in=-1, context_tokens_out=3)
    seen = Observation(case_id="q", answer=Answer(answer_text="?", trace=trace))
    run = CaseRun(QuestionCase(id="q", question="?"), seen)
    [found] = scores(catalog.build("context.compression_ratio"), run, Tools()).values()
    assert isinstance(found, Failed)
    assert "allowed: 0 and above" in found.message


@pytest.mark.parametrize(
    ("metric", "params", "message"),
    [
        ("context.irrelevant_share", {"threshold": 0.0}, "allowed: above 0, up to 1"),
        ("context.duplicate_share", {"similarity": 1.5}, "allowed: above 0, up to 1"),
        ("context.position_accuracy", {"least_others": 1}, "allowed: 2 and above"),
        ("context.noise_sensitivity", {"chunks": 0}, "allowed: 1 and above"),
        ("robustness.variant_consistency", {"threshold": 2.0}, "allowed: above 0, up to 1"),
        ("robustness.recall_drop", {"k": 0}, "k must be a whole number of at least 1"),
    ],
)
def test_a_parameter_that_cannot_be_is_told(
    metric: str, params: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        catalog.load(metric)(**params)


def test_the_gold_has_to_be_there_to_be_moved() -> None:
    run = supplied("xyz", expected_answer="g", expected_source_ids=("g",))
    with pytest.raises(DoesNotArise, match="no expected source was supplied"):
        asyncio.run(PositionAccuracy().score(run, Generator().tools()))
