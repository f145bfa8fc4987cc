"""What holds between the metrics of short answers, whatever the answers are."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import Answer, CaseRun, Observation, PureMetric, QuestionCase, Scored
from ragproof.metrics import catalog
from ragproof.text.answer_tokens import answer_tokens

words = st.sampled_from(["a", "The", "cat", "cats", "CAT", "猫", "猫 犬", "c-at", "-", "", "कि"])
answers = st.lists(words, max_size=5).map(" ".join) | st.text(max_size=8)


def value(metric_id: str, answer: str, *accepted: str) -> float:
    metric = catalog.build(metric_id)
    assert isinstance(metric, PureMetric)
    case = QuestionCase(id="q", question="?", expected_answer=accepted)
    seen = Observation(case_id="q", answer=Answer(answer_text=answer))
    scored = metric.score(CaseRun(case, seen))
    assert isinstance(scored, Scored)
    return scored.value


def token_f1(answer: str, *accepted: str) -> float:
    return value("generation.token_f1", answer, *accepted)


def exact_match(answer: str, *accepted: str) -> float:
    return value("generation.exact_match", answer, *accepted)


@given(one=answers, other=answers)
def test_it_does_not_matter_which_of_two_is_the_answer(one: str, other: str) -> None:
    assert token_f1(one, other) == token_f1(other, one)
    assert exact_match(one, other) == exact_match(other, one)


@given(one=answers, other=answers)
def test_token_f1_is_1_where_the_tokens_are_the_same_and_only_there(one: str, other: str) -> None:
    same = Counter(answer_tokens(one)) == Counter(answer_tokens(other))
    assert (token_f1(one, other) == 1.0) == same


@given(answer=answers, accepted=st.lists(answers, min_size=1, max_size=4))
def test_an_exact_match_has_the_whole_token_f1(answer: str, accepted: list[str]) -> None:
    assert exact_match(answer, *accepted) <= token_f1(answer, *accepted) <= 1.0


@given(answer=answers, accepted=st.lists(answers, min_size=1, max_size=4))
def test_of_several_accepted_answers_the_best_counts(answer: str, accepted: list[str]) -> None:
    for metric in (exact_match, token_f1):
        assert metric(answer, *accepted) == max(metric(answer, one) for one in accepted)


@given(answer=answers)
def test_what_is_equal_by_character_is_equal_by_token(answer: str) -> None:
    assert value("echo.exact_match", answer, answer) == exact_match(answer, answer) == 1.0


def test_only_the_echo_tells_signs_apart() -> None:
    assert (exact_match("-5", "5"), value("echo.exact_match", "-5", "5")) == (1.0, 0.0)


@pytest.mark.parametrize("answer", ["", " ", "the", "?"])
def test_an_answer_without_a_word_is_not_any_word(answer: str) -> None:
    assert (exact_match(answer, "Paris"), token_f1(answer, "Paris")) == (0.0, 0.0)
