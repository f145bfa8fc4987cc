"""Reviewed answers become cases of a golden set, which is never changed otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sets import asked

from ragproof.core import QuestionCase, Split
from ragproof.core.case import Turn
from ragproof.datasets.review_lines import Review, Verdict
from ragproof.datasets.review_promote import (
    APART,
    ASKED_ON,
    ELSEWHERE,
    NO_GOLD,
    REFUSED,
    TAKEN,
    THERE,
    UNTOLD,
    Reviewed,
    promoted,
    sourced,
)
from ragproof.datasets.review_queue import KeyItem
from ragproof.datasets.validate import validate


def item(name: str, **more: Any) -> KeyItem:
    given_ = {"strata": ("random",), "probability": 0.5, "answer": "", **more}
    return KeyItem(item=name, case_id=f"t-{name}", **given_)


def reviewed(name: str, *said: Mapping[str, Any], question: str = "", **more: Any) -> Reviewed:
    """An answer of traffic with what its reviewers say."""
    case = asked(f"t-{name}", question or f"what of {name} then?", expected_answer=None, **more)
    found = tuple(
        Review(place="q:1", item=name, reviewer=f"r{at}", **one) for at, one in enumerate(said)
    )
    return Reviewed(item(name, sources=("d1", "d2")), case, f"it is {name}", "r1", found)


def the(found: tuple[Any, ...], name: str) -> QuestionCase:
    case = next(one for one in found if one.id == name)
    assert isinstance(case, QuestionCase)
    return case


def test_a_good_answer_is_expected_from_now_on() -> None:
    golden = [asked("g")]
    one = reviewed(
        "alder",
        {"verdict": Verdict.GOOD, "sources": ("2",)},
        tags={"intent": "x", "stratum": "random"},
        group="s1",
    )
    done = promoted(golden, [one], Split.DEVELOPMENT, random_only=False)
    case = the(done.cases, "t-alder")
    assert done.cases[0] is golden[0]
    assert (case.expected_answer, case.expected_source_ids) == ("it is alder", {"d2": 1})
    assert (case.tags, case.group, case.split) == ({"intent": "x"}, "s1", Split.DEVELOPMENT)
    assert case.metadata["sampling"] == {"strata": ["random"], "weight": 2.0}
    assert {"answer": "it is alder", "verdict": "right", "reviewer": "r0", "runs": ["r1"]} in (
        case.metadata["reviewed"]
    )


def test_a_bad_answer_makes_a_case_where_someone_said_what_is_right() -> None:
    better = {"verdict": Verdict.BAD, "better_answer": "it is oak", "sources": ("d7",)}
    marked = {"verdict": Verdict.PARTLY, "sources": ("1",)}
    done = promoted(
        [], [reviewed("alder", better), reviewed("birch", marked)], None, random_only=False
    )
    first, second = the(done.cases, "t-alder"), the(done.cases, "t-birch")
    assert (first.expected_answer, first.expected_source_ids) == ("it is oak", {"d7": 1})
    assert (second.expected_answer, second.expected_source_ids) == (None, {"d1": 1})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([{"verdict": Verdict.BAD}], NO_GOLD),
        ([{"verdict": Verdict.CANNOT_SAY}], UNTOLD),
        ([{"verdict": None}], UNTOLD),
        ([{"verdict": Verdict.GOOD}, {"verdict": Verdict.BAD}], APART),
        (
            [
                {"verdict": Verdict.BAD, "better_answer": "x"},
                {"verdict": Verdict.BAD, "better_answer": "y"},
            ],
            APART,
        ),
    ],
)
def test_what_is_not_known_is_left_out_and_counted(said: list[Mapping[str, Any]], why: str) -> None:
    done = promoted([], [reviewed("alder", *said)], None, random_only=False)
    assert (done.cases, done.left_out) == ((), {why: 1})


def test_only_those_who_agree_say_what_is_right() -> None:
    good = {"verdict": Verdict.GOOD, "sources": ("1",)}
    odd = {"verdict": Verdict.BAD, "better_answer": "it is oak", "sources": ("2",)}
    done = promoted([], [reviewed("alder", odd, good, good)], None, random_only=False)
    case = the(done.cases, "t-alder")
    assert (case.expected_answer, case.expected_source_ids) == ("it is alder", {"d1": 1})
    assert "r0" not in {one["reviewer"] for one in case.metadata["reviewed"]}


def test_a_session_is_not_parted_among_splits() -> None:
    golden = [asked("g", "who are you?", group="s1", split=Split.RELEASE)]
    good = {"verdict": Verdict.GOOD}
    found = [reviewed("alder", good, group="s1"), reviewed("birch", good, group="s2")]
    done = promoted(golden, found, Split.DEVELOPMENT, random_only=False)
    assert (done.new, done.left_out) == (("t-birch",), {ELSEWHERE: 1})
    assert not [one for one in validate(done.cases).findings if one.check == "split-leak"]
    same = promoted(golden, found, Split.RELEASE, random_only=False)
    assert same.new == ("t-alder", "t-birch")


def test_a_question_that_goes_on_from_another_needs_its_conversation() -> None:
    good = {"verdict": Verdict.GOOD}
    asked_on = "But what about weekends?"
    history = (Turn(role="user", content="When are you open?"),)
    found = [
        reviewed("alder", good, question=asked_on),
        reviewed("birch", good, question=asked_on, history=history),
    ]
    done = promoted([], found, None, random_only=False)
    assert (done.new, done.left_out) == (("t-birch",), {ASKED_ON: 1})


def test_a_right_refusal_is_no_expected_answer() -> None:
    one = reviewed("alder", {"verdict": Verdict.GOOD})
    one = Reviewed(one.item, one.case, "I don't know.", "r1", one.reviews)
    assert promoted([], [one], None, random_only=False).left_out == {REFUSED: 1}


def test_what_the_set_has_already_is_not_added_again() -> None:
    golden = [
        asked("g", "how long is the warranty of the blue washing machine?"),
        asked("t-id"),
    ]
    good = {"verdict": Verdict.GOOD}
    found = [
        reviewed("a", good, question="How long is the warranty of the blue washing machine"),
        reviewed("b", good, question="how long is the warranty of a blue washing machine?"),
        reviewed("c", good, question="may I return the opened box of the kettle?"),
        reviewed("d", good, question="May I return the opened box of the kettle?"),
        reviewed("id", good),
    ]
    done = promoted(golden, found, None, random_only=False)
    assert done.new == ("t-c",)
    assert done.left_out == {TAKEN: 1, THERE: 3}
    assert done.cases[:2] == tuple(golden)


def test_cases_of_another_stratum_are_counted_and_can_be_left_out() -> None:
    good = {"verdict": Verdict.GOOD}
    random, voted = reviewed("alder", good), reviewed("birch", good)
    voted = Reviewed(item("birch", strata=("thumbs_down",)), voted.case, "x", "r1", voted.reviews)
    done = promoted([], [random, voted], None, random_only=False)
    assert (done.unweighted, done.strata) == (1, {"random": 1, "thumbs_down": 1})
    kept = promoted([], [random, voted], None, random_only=True)
    assert (kept.new, kept.left_out) == (("t-alder",), {"not of the random sample": 1})


@pytest.mark.parametrize(
    ("said", "found"),
    [("1", "d1"), ("2", "7"), ("7", "7"), ("d9", "d9"), ("id:3", "3"), ("3", None), ("0", None)],
)
def test_a_source_is_a_number_of_a_passage_or_an_id(said: str, found: str | None) -> None:
    assert sourced(said, item("a", sources=("d1", "7"))) == found


def test_sources_that_no_passage_showed_are_counted() -> None:
    one = reviewed("alder", {"verdict": Verdict.GOOD, "sources": ("1", "d9")})
    done = promoted([], [one], None, random_only=False)
    assert the(done.cases, "t-alder").expected_source_ids == {"d1": 1, "d9": 1}
    assert done.unseen == 1
