"""A dataset is looked through for what spoils figures though every line can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sets import asked, lines

from ragproof.core import Case, CaseKind, Split
from ragproof.core.case import Relation, SourceSpan, Turn
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.findings import Finding
from ragproof.datasets.validate import validate
from ragproof.datasets.validate_corpus import against_corpus

SEAL = "When must the shaft seal of the pump be replaced?"


def found(*cases: Case) -> dict[str, list[tuple[str, ...]]]:
    """Check and severity to the cases of its findings."""
    told: dict[str, list[tuple[str, ...]]] = {}
    for one in validate(cases).findings:
        told.setdefault(f"{one.check} {one.severity}", []).append(one.cases)
    return told


def test_a_sound_dataset_gives_no_finding() -> None:
    assert found(asked("a", SEAL), asked("b", "Who may open the valve?", group="g")) == {}


def test_the_same_question_is_a_duplicate_and_with_other_gold_a_conflict() -> None:
    one = asked("a", SEAL, expected_source_ids=("d1",))
    assert found(one, asked("b", SEAL.upper(), expected_source_ids=("d1",))) == {
        "duplicate warning": [("a", "b")]
    }
    assert found(one, asked("b", SEAL, expected_source_ids=("d2",))) == {
        "gold-conflict error": [("a", "b")]
    }
    assert found(one, asked("b", SEAL, expected_answer="something else")) == {
        "gold-conflict error": [("a", "b")]
    }
    assert found(one, asked("b", SEAL, kind=CaseKind.UNANSWERABLE, expected_answer=None)) == {
        "gold-conflict error": [("a", "b")]
    }


def test_a_variant_that_asks_the_same_otherwise_is_no_duplicate_of_its_original() -> None:
    loud = asked("b", SEAL.upper(), variant_of="a", expected_relation=Relation.SAME_ANSWER)
    assert found(asked("a", SEAL), loud) == {}
    assert found(asked("a", SEAL), loud, asked("c", SEAL)) == {"duplicate warning": [("a", "c")]}
    assert found(asked("z", SEAL), loud) == {"duplicate warning": [("z", "b")]}
    other = asked("b", SEAL, variant_of="a", expected_relation=Relation.CHANGED_ANSWER)
    assert found(asked("a", SEAL), other) == {"duplicate warning": [("a", "b")]}


def test_another_conversation_caller_or_date_makes_another_question() -> None:
    before = (Turn(role="user", content="hello"),)
    assert found(asked("a", SEAL), asked("b", SEAL, history=before)) == {}
    assert found(asked("a", SEAL), asked("b", SEAL, caller={"role": "guest"})) == {}


def test_near_duplicates_are_found_but_not_variants_of_an_original() -> None:
    near = SEAL + " Say."
    assert found(asked("a", SEAL), asked("b", near)) == {"near-duplicate warning": [("a", "b")]}
    assert found(asked("a", SEAL), asked("b", near, variant_of="a")) == {}
    off = validate([asked("a", SEAL), asked("b", near)], None)
    assert off.findings == ()
    assert off.unchecked["near-duplicate"] == "not asked for"


def test_what_belongs_together_may_not_stand_in_two_splits() -> None:
    old: dict[str, Any] = {"split": Split.DEVELOPMENT}
    new: dict[str, Any] = {"split": Split.RELEASE}
    assert found(asked("a", group="g", **old), asked("b", group="g", **new)) == {
        "split-leak error": [("a", "b")]
    }
    assert found(asked("a", SEAL, **old), asked("b", variant_of="a", **new)) == {
        "split-leak error": [("a", "b")]
    }
    same = found(asked("a", SEAL, **old), asked("b", SEAL, **new))
    assert same["split-leak error"] == [("a", "b")]
    shared: dict[str, Any] = {"expected_source_ids": ("d",)}
    assert found(asked("a", **old, **shared), asked("b", **new, **shared)) == {
        "split-leak note": [()]
    }


@pytest.mark.parametrize(
    ("question", "answer", "leaks"),
    [
        ("Is after 2,000 hours right?", "After 2,000 hours.", True),
        ("Does the seal last 12 h?", "12", False),  # two digits stand anywhere
        ("Is Neptune a planet?", "neptune", True),
        ("Is it a neptunelike planet?", "Neptune", False),
        ("What is it?", "", False),
    ],
)
def test_an_answer_in_the_question_is_noticed(question: str, answer: str, *, leaks: bool) -> None:
    told = found(asked("a", question, expected_answer=answer, expected_source_ids=("d",)))
    assert ("answer-in-question warning" in told) is leaks


def test_an_answer_in_the_conversation_before_is_noticed() -> None:
    said = (Turn(role="assistant", content="It is the red one."),)
    case = asked("a", "Which one?", expected_answer="the red one", history=said)
    assert "answer-in-question warning" in found(case)


def test_labels_that_exclude_each_other_are_errors() -> None:
    gold: dict[str, Any] = {"expected_source_ids": ("d1",)}
    assert "labels-at-odds error" in found(asked("a", **gold, distractor_source_ids=("d1",)))
    assert "labels-at-odds warning" in found(asked("a", **gold, eligible_source_ids=("d2",)))
    unanswerable = asked("a", kind=CaseKind.UNANSWERABLE, expected_answer=None, **gold)
    assert "labels-at-odds warning" in found(unanswerable)


def test_a_case_without_gold_is_named_unless_it_is_marked_as_unjudged() -> None:
    bare = asked("a", expected_answer=None)
    assert found(bare) == {"no-gold warning": [("a",)]}
    assert found(asked("a", expected_answer=None, tags={"judged": "no"})) == {"no-gold note": [()]}
    zero = asked("a", expected_answer=None, expected_source_ids={"d": 0})
    assert found(zero) == {"no-gold warning": [("a",)]}


def corpus_findings(tmp_path: Path, *cases: Case) -> list[Finding]:
    text = "The shaft seal of the pump must be replaced after two thousand hours of operation."
    path = lines(tmp_path / "c.jsonl", {"id": "d1", "text": text}, {"id": "d2", "text": "short"})
    return [*against_corpus(cases, load_corpus(path))]


def test_labels_that_name_nothing_in_the_corpus_are_errors(tmp_path: Path) -> None:
    fine = asked("a", expected_source_ids=("d1",))
    (one,) = corpus_findings(tmp_path, fine, asked("b", distractor_source_ids=("no", "nor")))
    assert (one.check, one.cases) == ("unknown-source", ("b",))
    assert one.message == 'distractor_source_ids: "no" and 1 more are not in the corpus'


def test_where_no_label_names_anything_one_finding_says_so(tmp_path: Path) -> None:
    cases = [asked(name, expected_source_ids=(f"{name}#1",)) for name in "xyz"]
    (one,) = corpus_findings(tmp_path, *cases)
    assert one.message.startswith("none of the 3 labels is in the corpus")
    assert one.cases == ("x", "y", "z")


def test_a_span_outside_its_document_is_an_error(tmp_path: Path) -> None:
    spans = (SourceSpan(document_id="d2", start=0, end=6),)
    (one,) = corpus_findings(tmp_path, asked("a", expected_spans=spans))
    assert one.message == 'the span 0 to 6 ends at 6, but "d2" has 5 characters'


def test_a_question_in_the_words_of_its_source_is_noticed(tmp_path: Path) -> None:
    copied = "The shaft seal of the pump must be replaced after two thousand hours, right?"
    own = "How long may one run a pump before its seal wears out and needs changing?"
    found = corpus_findings(
        tmp_path,
        asked("a", copied, expected_source_ids=("d1",)),
        asked("b", own, expected_source_ids=("d1",)),
    )
    assert [(one.check, one.cases) for one in found] == [("question-copied", ("a",))]
