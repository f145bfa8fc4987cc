"""What declines and what answers, in the words of eleven languages."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.folding import composed
from ragproof.text.language import COVERED, languages
from ragproof.text.refusal import PHRASES, Verdict, refusal

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """An answer, and how its author meant it."""

    text: str
    refused: bool
    language: str
    domain: str
    part: str
    """`tuning`, or `held_out`: written without looking at what the rule makes of it."""


def lines() -> list[Line]:
    text = (HERE / "refusal_answers.jsonl").read_text(encoding="utf-8")
    return [Line(**json.loads(line)) for line in text.splitlines() if line]


LINES = lines()


def read(text: str) -> Verdict:
    verdict = refusal(text)
    assert verdict is not None, "a language that is not covered"
    return verdict


def figures(part: list[Line]) -> tuple[float, float]:
    """Precision and recall."""
    found = [line for line in part if read(line.text).refused]
    right = sum(line.refused for line in found)
    return right / len(found), right / sum(line.refused for line in part)


def test_there_are_enough_answers_of_both_sorts_in_every_language() -> None:
    by_language: dict[str, list[Line]] = defaultdict(list)
    for line in LINES:
        by_language[line.language].append(line)
    assert set(by_language) == set(COVERED) == set(PHRASES)
    for part in by_language.values():
        assert len(part) >= 25
        assert 0.3 < sum(line.refused for line in part) / len(part) < 0.7
    assert len({line.text for line in LINES}) == len(LINES)


@pytest.mark.parametrize("line", [one for one in LINES if one.part == "tuning"], ids=repr)
def test_an_answer_that_was_looked_at_is_read_as_its_author_meant_it(line: Line) -> None:
    assert read(line.text).refused is line.refused


def test_answers_that_were_not_looked_at_are_read_well() -> None:
    held_out = [line for line in LINES if line.part == "held_out"]
    precision, recall = figures(held_out)
    assert (precision >= 0.98, recall >= 0.95) == (True, True), (precision, recall)


@pytest.mark.parametrize("code", COVERED)
def test_no_language_is_much_worse_than_the_others(code: str) -> None:
    precision, recall = figures([line for line in LINES if line.language == code])
    assert min(precision, recall) >= 0.9


@pytest.mark.parametrize("line", LINES, ids=repr)
def test_the_language_of_an_answer_is_told_or_left_open(line: Line) -> None:
    assert line.language in languages(line.text) or read(line.text).refused is line.refused


@pytest.mark.parametrize("text", ["", " ", "\n\t", "...", "-", "**", "?!", "🤷", "\u200b", "``"])
def test_an_answer_that_says_nothing_declines(text: str) -> None:
    assert refusal(text) == Verdict(refused=True, words="", sentence="")


@pytest.mark.parametrize(
    "text",
    [
        "Dat weet ik helaas niet.",
        "Jag vet inte, det står inte i dokumentet.",
        "Nie wiem, dokument o tym nie mówi.",
        "Bilmiyorum, belgede bu konuda bilgi yok.",
        "Tôi không biết.",
        "Não sei ne znam nevim tieda, wiem zinau bilmiyorum",
        "모르겠습니다.",
        "ไม่ทราบ",
        "Δεν γνωρίζω.",
        "Я не знаю цього, вибачте, немає інформації.",
        "نمی‌دانم، در این مورد اطلاعاتی ندارم.",
        "मला माहित नाही, माफ करा, ते येथे आहे",
    ],
)
def test_a_language_without_words_of_refusal_is_not_read(text: str) -> None:
    assert refusal(text) is None


@pytest.mark.parametrize(
    "text",
    ["Paris.", "42", "1870s", "Vincent van Gogh", "Ludwig van de Graaff", "HTTP 403", "π", "10 %"],
)
def test_a_name_or_a_number_answers_in_any_language(text: str) -> None:
    assert read(text) == Verdict(refused=False, words="", sentence="")


WRAPPED = [
    "{}",
    "**{}**",
    "> {}",
    "- {}",
    "1. {}",
    '"{}"',
    "“{}”",
    "  {}\n\n",
    "Answer: {}",
    "**Answer:** {}",
    "{} 😕",
    "{} [1][2]",
    "<p>{}</p>",
    "```\n{}\n```",
    '{{"answer": "{}"}}',
]


@pytest.mark.parametrize("frame", WRAPPED)
def test_markup_changes_nothing(frame: str) -> None:
    refused = ("I don't know.", "The context does not say.", "n/a", "I don&#39;t know", "No idea!")
    for text in refused:
        assert read(frame.format(text)).refused, frame.format(text)
    assert not read(frame.format("It opens at nine.")).refused


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc", "&#39;", "&rsquo;", "\uff07"])
def test_any_apostrophe_is_one(apostrophe: str) -> None:
    assert read(f"I don{apostrophe}t know.").refused


def test_the_words_and_their_sentence_are_shown() -> None:
    verdict = read("Bonjour ! Désolé, je n'ai trouvé aucune information. Merci de votre patience.")
    assert verdict.refused
    assert "aucune information" in verdict.sentence
    assert verdict.words in verdict.sentence


def test_what_outweighs_the_words_of_refusal_is_shown() -> None:
    text = "The manual does not give a date. However, it was first sold in 1987."
    words, sentence = "it was first sold in 1987.", "However, it was first sold in 1987."
    assert read(text) == Verdict(refused=False, words=words, sentence=sentence)


def test_where_a_refusal_is_quoted_it_is_not_made() -> None:
    assert not read('She said "I don\'t know" and left.').refused
    assert not read("Die Meldung „Keine Antwort gefunden“ verschwindet nach dem Neustart.").refused


def test_a_question_quoted_in_a_refusal_changes_nothing() -> None:
    assert read('I found no answer to "Who wrote it, and in 1912 or later?" in the texts.').refused


def test_a_refusal_under_a_condition_is_not_made() -> None:
    assert not read("If I cannot find the file, I restore it from the backup.").refused
    assert read("If you mean the 2019 edition, I don't know.").refused


def test_long_grounds_for_a_refusal_do_not_answer() -> None:
    grounds = "The passages describe the siege, the treaty of 1648 and the king's return. "
    assert read(grounds + "None of them state how many people lived in the town.").refused
    assert read("I don't know. " + grounds).refused


def test_advice_whom_to_ask_does_not_answer() -> None:
    advice = "Please contact support at 555-0100, or check the status page for updates."
    assert read(f"I couldn't find that. {advice}").refused
    assert not read(advice).refused


HOSTILE = [
    " ",
    "no ",
    "not enough information ",
    "the document does not ",
    "the ",
    '"',
    "'a ",
    "(",
    "- \n",
    "```",
    "<a ",
    "[a](",
    "&#",
    "I, ",
    "a.",
    ". ",
    "while a, ",
    "none of the ",
    "it is not ",
    "question, ",
    "keine Informationen ",
    "nicht ",
    "ne pas ",
    "no se ",
    "não há ",
    "non è ",
    "не ",
    "没有",
    "ません",
    "لا ",
    "नहीं ",
    "{",
    "\u200b",
    "Answer: ",
]


@pytest.mark.parametrize("part", HOSTILE)
def test_no_text_takes_long(part: str) -> None:
    text = part * (200_000 // len(part))
    started = perf_counter()
    refusal(text)
    assert perf_counter() - started < 20  # a tenth of a second; a square of it would be hours


shreds = st.sampled_from([*HOSTILE, *(line.text for line in LINES)])
texts = st.one_of(st.text(st.characters(codec=None)), st.lists(shreds, max_size=8).map("".join))


@given(text=texts)
def test_any_text_is_read_and_what_decided_is_part_of_it(text: str) -> None:
    verdict = refusal(text)
    if verdict is not None:
        assert verdict.words in verdict.sentence
        assert verdict.refused or bool(verdict.words) == bool(verdict.sentence)
    assert refusal(text) == verdict


@given(text=texts, around=st.sampled_from(["\n", " ", "\u00a0", "\ufeff"]))
def test_white_space_around_changes_nothing(text: str, around: str) -> None:
    verdict, padded = refusal(text), refusal(around + text + around)
    assert (verdict is None) == (padded is None)
    assert verdict is None or padded is None or verdict.refused == padded.refused


@given(text=st.text(st.characters(codec=None)))
def test_composing_twice_is_composing_once(text: str) -> None:
    assert composed(composed(text)) == composed(text)
