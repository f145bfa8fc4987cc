"""On English text our figures are those of SQuAD's evaluation; other languages keep its idea.

The evaluation is written down again here, from how its script and paper describe it.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import string
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragproof.core import Answer, CaseRun, Observation, PureMetric, QuestionCase, Scored
from ragproof.metrics import catalog
from ragproof.text.answer_tokens import answer_tokens

XQUAD = Path(__file__).parents[3] / "shared/data/xquad"
LANGUAGES = ("en", "de", "zh", "hi", "ar")
ENDS = {"en": "!", "de": "“.", "zh": "。", "hi": "।", "ar": "؟"}
real_answers = pytest.mark.shared_data
every_language = pytest.mark.parametrize("language", LANGUAGES)
ascii_texts = st.text(string.printable[:95] + "\t\n", max_size=30) | st.lists(
    st.sampled_from(["the", "A", "an", "cat", "Cat's", "c.a.t", "3.5", "-", "$10", "the-cat"])
).map(" ".join)


@pytest.fixture(autouse=True)
def _data(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("shared_data") and not XQUAD.is_dir():
        pytest.skip(f"the data of XQuAD are not at {XQUAD}")


def squad_tokens(text: str) -> list[str]:
    kept = "".join(char for char in text.lower() if char not in string.punctuation)
    return re.sub(r"\b(?:a|an|the)\b", " ", kept).split()


def squad_f1(given: list[str], expected: list[str]) -> float:
    left, shared = list(expected), 0
    for token in given:
        if token in left:
            left.remove(token)
            shared += 1
    if not shared:
        return float(given == expected)
    precision, recall = shared / len(given), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def ours(metric_id: str, answer: str, expected: str) -> float:
    metric = catalog.build(metric_id)
    assert isinstance(metric, PureMetric)
    case = QuestionCase(id="q", question="?", expected_answer=expected)
    scored = metric.score(
        CaseRun(case, Observation(case_id="q", answer=Answer(answer_text=answer)))
    )
    assert isinstance(scored, Scored)
    return scored.value


def agree(answer: str, expected: str) -> None:
    given, wanted = squad_tokens(answer), squad_tokens(expected)
    assert ours("generation.exact_match", answer, expected) == (given == wanted)
    assert ours("generation.token_f1", answer, expected) == pytest.approx(squad_f1(given, wanted))


@cache
def paragraphs(language: str) -> list[list[str]]:
    """The answers of XQuAD, by paragraph."""
    with gzip.open(XQUAD / f"xquad.{language}.json.gz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    return [
        [answer["text"] for asked in paragraph["qas"] for answer in asked["answers"]]
        for article in articles
        for paragraph in article["paragraphs"]
    ]


def answers(language: str) -> Iterator[str]:
    for found in paragraphs(language):
        yield from found


@given(answer=ascii_texts, expected=ascii_texts)
def test_ascii_answers_score_as_in_squad(answer: str, expected: str) -> None:
    assume(squad_tokens(answer) and squad_tokens(expected))  # else ours keep what SQuAD drops
    agree(answer, expected)


@real_answers
def test_real_english_answers_score_as_in_squad() -> None:
    pairs = [
        (answer, expected)
        for found in paragraphs("en")
        for answer in found
        for expected in found
        if answer.isascii() and expected.isascii()
    ]
    assert len(pairs) > 5_000
    for answer, expected in pairs:
        agree(answer, expected)


@real_answers
@every_language
def test_every_real_answer_is_its_own_match(language: str) -> None:
    found = list(answers(language))
    assert len(found) == 1190
    for one in found:
        assert ours("generation.exact_match", one, one) == 1.0
        assert ours("generation.token_f1", one, one) == 1.0


@real_answers
@every_language
def test_other_typography_is_the_same_answer(language: str) -> None:
    for one in answers(language):
        wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in one)
        apart = unicodedata.normalize("NFD", one)
        for variant in (
            f"  {one}{ENDS[language]}\n",
            f"«{one}»",
            one.upper(),
            wide,
            apart,
            f"**{one}**",
        ):
            assert ours("generation.exact_match", variant, one) == 1.0, variant


@real_answers
@every_language
def test_another_order_keeps_the_token_f1(language: str) -> None:
    shuffle = random.Random(7).shuffle
    for one in answers(language):
        tokens = answer_tokens(one)
        shuffle(tokens)
        assert ours("generation.token_f1", " ".join(tokens), one) == 1.0


@real_answers
@every_language
def test_no_letter_or_mark_outside_ascii_is_lost(language: str) -> None:
    for one in answers(language):
        folded = unicodedata.normalize("NFKC", one).casefold()
        letters = [c for c in folded if unicodedata.category(c)[0] in "LM" and c != "\u0640"]
        told = "".join(answer_tokens(one))
        assert [c for c in told if not c.isascii()] == [c for c in letters if not c.isascii()]


@real_answers
@every_language
def test_answers_to_other_questions_are_told_apart(language: str) -> None:
    scores = [
        ours("generation.token_f1", answer, expected)
        for found in paragraphs(language)
        for answer, expected in pairwise(found)
    ]
    assert len(scores) == 950
    assert sum(scores) / len(scores) < 0.25
