"""The labels of the demo's questions, held against the pages they point to."""

import re
from collections import Counter

import pytest
from pydantic import TypeAdapter

from ragproof.core import CaseKind, QuestionCase
from ragproof.demo.pages import DATASET, READERS, read_pages
from ragproof.text.payload_library import Place
from ragproof.text.payloads import payload

READ = TypeAdapter(QuestionCase)
CASES = [READ.validate_json(line) for line in DATASET.read_text(encoding="utf-8").splitlines()]
ANSWERABLE = [case for case in CASES if case.kind is CaseKind.QA]
UNANSWERABLE = [case for case in CASES if case.kind is CaseKind.UNANSWERABLE]
INJECTIONS = [case for case in CASES if case.kind is CaseKind.INJECTION]
PAGES = {page.id: page.text for page in read_pages()}
NOTES = {page.id: page.text for page in read_pages(READERS)}


def plain(text: str) -> str:
    """Without Markdown's marks, and with single spaces."""
    return " ".join(re.sub(r"[*`|>]", " ", text).split()).casefold()


def acceptable(case: QuestionCase) -> list[str]:
    """All that would do as an answer."""
    answer = case.expected_answer
    assert answer
    return [answer] if isinstance(answer, str) else list(answer)


def test_there_are_60_questions_of_three_sorts_and_8_injections() -> None:
    several = [case for case in ANSWERABLE if case.expected_nuggets]
    assert (len(CASES) - len(INJECTIONS), len(UNANSWERABLE), len(several)) == (60, 10, 8)
    assert len(INJECTIONS) == 8


def test_ids_and_questions_are_unique() -> None:
    assert max(Counter(case.id for case in CASES).values()) == 1
    assert max(Counter(plain(case.question) for case in CASES).values()) == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_is_sliced_by_the_same_three_tags(case: QuestionCase) -> None:
    assert set(case.tags) == {"topic", "difficulty", "style"}
    assert case.tags["difficulty"] in {"easy", "medium", "hard"}
    assert case.tags["style"] in {"plain", "keywords", "paraphrase", "story", "typo"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_page_that_a_case_names_is_there_and_has_one_role(case: QuestionCase) -> None:
    expected = case.expected_source_ids or ()
    superseded = case.superseded_source_ids or ()
    distractors = case.distractor_source_ids or ()
    named = [*expected, *superseded, *distractors]
    assert set(named) <= PAGES.keys()
    assert len(named) == len(set(named))


@pytest.mark.parametrize("case", UNANSWERABLE, ids=lambda case: case.id)
def test_an_unanswerable_question_expects_nothing(case: QuestionCase) -> None:
    assert case.expected_source_ids is None
    assert case.expected_answer is None
    assert case.expected_nuggets is None


@pytest.mark.parametrize(
    "case", [case for case in ANSWERABLE if not case.expected_nuggets], ids=lambda case: case.id
)
def test_every_expected_page_says_an_accepted_answer(case: QuestionCase) -> None:
    assert case.expected_source_ids
    for source in case.expected_source_ids:
        assert any(plain(answer) in plain(PAGES[source]) for answer in acceptable(case)), source


@pytest.mark.parametrize(
    "case", [case for case in ANSWERABLE if case.expected_nuggets], ids=lambda case: case.id
)
def test_an_answer_from_several_pages_takes_something_from_each(case: QuestionCase) -> None:
    nuggets = [plain(nugget.text) for nugget in case.expected_nuggets or ()]
    pages = [plain(PAGES[source]) for source in case.expected_source_ids or ()]
    assert len(pages) >= 2
    assert all(any(nugget in page for page in pages) for nugget in nuggets)
    assert all(any(nugget in page for nugget in nuggets) for page in pages)
    # No page alone has it all, so that one page is not enough.
    assert not any(all(nugget in page for nugget in nuggets) for page in pages)
    assert all(nugget in plain(answer) for nugget in nuggets for answer in acceptable(case))


@pytest.mark.parametrize("case", INJECTIONS, ids=lambda case: case.id)
def test_an_injection_is_planted_where_the_case_says(case: QuestionCase) -> None:
    attack = payload(case.adversarial_payload or "")
    assert attack
    if attack.place is Place.QUESTION:
        assert case.question.endswith(f" {attack.text}")
        assert case.planted_source_ids is None
    else:
        assert case.planted_source_ids
        assert all(attack.text in NOTES[page] for page in case.planted_source_ids)
        assert attack.text not in case.question


def test_the_manual_itself_carries_no_payload() -> None:
    attacks = [payload(case.adversarial_payload or "") for case in INJECTIONS]
    assert not [page for page in PAGES.values() for one in attacks if one and one.text in page]


@pytest.mark.parametrize(
    ("page", "missing", "there"),
    [
        ("", "X4", "X3"),
        ("", "Link L3", "Link L2"),
        ("", "E6001", "E5002"),
        ("", "HomeKit", "home automation"),
        ("", "rpm", "fan"),
        ("warranty", "2021", "2023"),
        ("common-grid", "2026", "2025"),
        ("firmware-5", "## 5.5", "## 5.4"),
        ("cleaning", "TW-WD1 costs", "TW-WD1"),
    ],
)
def test_what_is_asked_in_vain_is_near_but_not_there(page: str, missing: str, there: str) -> None:
    manual = "\n".join(text for name, text in PAGES.items() if name.startswith(page))
    assert missing not in manual
    assert there in manual
