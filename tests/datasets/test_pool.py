"""What runs found and nobody judged is offered once, and judgments are merged back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sets import asked, lines

from ragproof.core import CaseKind, QuestionCase, UsageError
from ragproof.datasets.pool import Found, Said, unjudged, unreviewed
from ragproof.datasets.pool_lines import refuse_filled
from ragproof.datasets.pool_merge import Merged, Prefer, merge
from ragproof.datasets.writing import refuse_source

CASES = [
    asked("a", expected_source_ids=("d1",), distractor_source_ids=("d9",)),
    asked("b", expected_answer=None, tags={"judged": "no", "x": "y"}),
]


def test_the_pool_of_several_runs_has_each_source_once_at_its_best_rank() -> None:
    found = [
        Found("a", "d1", 1, "", "r1"),
        Found("a", "d2", 3, "", "r1"),
        Found("a", "d2", 2, "text", "r2"),
        Found("a", "d9", 1, "", "r2"),
        Found("b", "d1", 1, "t", "r1"),
        Found("unknown", "d1", 1, "", "r1"),
    ]
    rows = unjudged(CASES, found)
    assert [(one.case_id, one.source_id, one.best_rank, one.runs) for one in rows] == [
        ("a", "d2", 2, ("r1", "r2")),
        ("b", "d1", 1, ("r1",)),
    ]
    assert rows[0].text == "text"


def test_grades_are_merged_and_the_case_is_no_longer_unjudged(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl",
        {"case_id": "a", "source_id": "d2", "grade": 0},
        {"case_id": "a", "source_id": "d3", "grade": None},
        {"case_id": "b", "source_id": "d1", "grade": 2},
    )
    done = merge(CASES, path)
    first, second = done.cases
    assert isinstance(first, QuestionCase)
    assert isinstance(second, QuestionCase)
    assert first.expected_source_ids == {"d1": 1, "d2": 0}
    assert (second.expected_source_ids, second.tags) == ({"d1": 2}, {"x": "y"})
    assert (done.merged, done.waiting) == (2, 1)
    assert first.metadata == {"reviewed": [{"source_id": "d2", "grade": 0}]}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"case_id": "a", "source_id": "d1", "grade": 0}, "got grade 0, but it has 1 already.*Say"),
        ({"case_id": "a", "answer": "x", "verdict": "good"}, 'verdict: got "good"; allowed: right'),
        ({"case_id": "a", "answer": " ", "verdict": "right"}, 'answer: got " "'),
        (
            {"case_id": "a", "answer": "x", "verdict": "right", "corrected_answer": "y"},
            "corrected_answer goes with the verdict `wrong`",
        ),
        ({"case_id": "x", "source_id": "d1", "grade": 0}, "is no question of the dataset"),
        ({"case_id": "a", "source_id": "d2", "grade": True}, "grade: got true"),
        ({"case_id": "a", "source_id": "d2", "grade": 101}, "grade: got 101"),
        ({"case_id": "a", "grade": 1}, "source_id: got null"),
        (
            {"case_id": "a", "answer": "x\ud800", "verdict": "right"},
            "answer: holds the lone surrogate U\\+D800, half of a character",
        ),
        ([1], "allowed: an object"),
    ],
)
def test_what_cannot_be_merged_is_told(line: object, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        merge(CASES, lines(tmp_path / "p.jsonl", line))


def test_a_pool_is_written_anew_only_while_nobody_has_filled_it_in(tmp_path: Path) -> None:
    refuse_filled(tmp_path / "none.jsonl")
    line: dict[str, object] = {"case_id": "a", "source_id": "d1", "grade": None}
    refuse_filled(lines(tmp_path / "p.jsonl", line))
    with pytest.raises(UsageError, match=r"p.jsonl is filled in already \(.*p.jsonl:2\)"):
        refuse_filled(lines(tmp_path / "p.jsonl", line, {**line, "grade": 0}))
    with pytest.raises(UsageError, match=r"p\.jsonl is there already, and is no pool"):
        refuse_filled(lines(tmp_path / "p.jsonl", {"id": "a", "question": "?"}))


def test_what_is_made_of_a_file_never_takes_its_place(tmp_path: Path) -> None:
    read, link = lines(tmp_path / "d.jsonl", {}), tmp_path / "link.jsonl"
    link.symlink_to(read)
    refuse_source(tmp_path / "new.jsonl", read, None)
    for out in (read, link, tmp_path / "x" / ".." / "d.jsonl"):
        (tmp_path / "x").mkdir(exist_ok=True)
        with pytest.raises(UsageError, match=r"--out: .*\.jsonl is what is read"):
            refuse_source(out, read)


def told(case_id: str, answer: str, verdict: str | None, **more: object) -> dict[str, object]:
    return {"case_id": case_id, "answer": answer, "verdict": verdict, **more}


ANSWERED = [
    asked("paris", expected_answer="Paris"),
    asked("open", expected_answer=None, tags={"judged": "no"}),
    asked("none", kind=CaseKind.UNANSWERABLE, expected_answer=None),
]


def reviewed(
    folder: Path, *lines_: object, prefer: Prefer | None = None
) -> tuple[Merged, dict[str, QuestionCase]]:
    done = merge(ANSWERED, lines(folder / "r.jsonl", *lines_), prefer)
    return done, {one.id: one for one in done.cases if isinstance(one, QuestionCase)}


def test_answers_of_several_runs_are_offered_once_and_known_ones_are_not() -> None:
    said = [
        Said("paris", "PARIS.", "r1"),  # the expected answer in other letters
        Said("paris", "Lyon", "r2"),
        Said("paris", "lyon!", "r1"),
        Said("open", "Seven", "r1"),
        Said("open", " ", "r2"),
        Said("elsewhere", "x", "r1"),
    ]
    rows = unreviewed(ANSWERED, said)
    assert [(one.case_id, one.answer, one.runs, one.expected) for one in rows] == [
        ("paris", "Lyon", ("r1", "r2"), ("Paris",)),
        ("open", "Seven", ("r1",), ()),
    ]


def test_a_right_answer_is_expected_from_now_on_and_the_case_says_who_said_so(
    tmp_path: Path,
) -> None:
    line = told("open", "Seven", "right", reviewer="ada", runs=["r1"])
    done, cases = reviewed(tmp_path, line, told("paris", "Lyon", None))
    assert (done.answers, done.confirmed, done.waiting) == (1, 0, 1)
    assert cases["open"].expected_answer == "Seven"
    assert cases["open"].tags == {}
    assert cases["open"].metadata["reviewed"] == [
        {"answer": "Seven", "verdict": "right", "reviewer": "ada", "runs": ["r1"]}
    ]
    assert cases["paris"] == ANSWERED[0]


def test_a_right_answer_beside_the_expected_one_is_one_more_that_is_acceptable(
    tmp_path: Path,
) -> None:
    done, cases = reviewed(tmp_path, told("paris", "The French capital", "right"))
    assert cases["paris"].expected_answer == ("Paris", "The French capital")
    assert done.answers == 1


def test_a_right_answer_that_holds_the_expected_one_confirms_it(tmp_path: Path) -> None:
    done, cases = reviewed(
        tmp_path, told("paris", "It is Paris.", "right"), told("none", "I do not know.", "right")
    )
    assert (done.answers, done.confirmed) == (0, 2)
    assert cases["paris"].expected_answer == "Paris"
    assert cases["none"].expected_answer is None


@pytest.mark.parametrize(
    ("line", "why", "preferred"),
    [
        (told("paris", "Paris", "wrong"), '"Paris" is wrong, but it is an expected answer', None),
        (
            told("paris", "Lyon", "wrong", corrected_answer="Marseille"),
            'the corrected answer is "Marseille", expected is "Paris"',
            "Marseille",
        ),
        (
            told("paris", "Lyon", "wrong", corrected_answer="Paris, Texas"),  # says more than Paris
            'the corrected answer is "Paris, Texas", expected is "Paris"',
            "Paris, Texas",
        ),
        (told("none", "7", "wrong", corrected_answer="8"), "but it is unanswerable", "8"),
    ],
)
def test_a_review_that_contradicts_the_dataset_needs_to_be_told_who_is_right(
    line: dict[str, object], why: str, preferred: str | None, tmp_path: Path
) -> None:
    name = str(line["case_id"])
    with pytest.raises(UsageError, match=f'r.jsonl:1: case "{name}": .*{why}.*--prefer'):
        reviewed(tmp_path, line)
    done, cases = reviewed(tmp_path, line, prefer=Prefer.DATASET)
    assert done.outvoted == 1
    assert list(cases.values()) == ANSWERED
    done, cases = reviewed(tmp_path, line, prefer=Prefer.REVIEWS)
    assert done.outvoted == 0
    assert cases[name].expected_answer == preferred
    assert cases[name].kind is CaseKind.QA


def test_reviewers_that_contradict_each_other_are_refused_whoever_is_preferred(
    tmp_path: Path,
) -> None:
    pairs = [
        (told("open", "Seven", "right"), told("open", "seven", "wrong")),
        (
            told("open", "6", "wrong", corrected_answer="7"),
            told("open", "5", "wrong", corrected_answer="8"),
        ),
        (
            {"case_id": "open", "source_id": "d", "grade": 1},
            {"case_id": "open", "source_id": "d", "grade": 2},
        ),
    ]
    for pair in pairs:
        with pytest.raises(UsageError, match=r"r.jsonl:2: .*already at .*r.jsonl:1. Settle it"):
            reviewed(tmp_path, *pair, prefer=Prefer.REVIEWS)


def test_a_grade_that_contradicts_the_dataset_is_taken_or_left_as_is_said(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", {"case_id": "a", "source_id": "d1", "grade": 0})
    kept = merge(CASES, path, Prefer.DATASET)
    assert (kept.cases[0], kept.outvoted) == (CASES[0], 1)
    taken = merge(CASES, path, Prefer.REVIEWS).cases[0]
    assert isinstance(taken, QuestionCase)
    assert taken.expected_source_ids == {"d1": 0}


SAID = st.sampled_from(["Paris", "It is Paris.", "Lyon", "the Lyon", "", "7"])
REVIEWS = st.lists(
    st.one_of(
        st.builds(
            lambda case, source, grade: {"case_id": case, "source_id": source, "grade": grade},
            st.sampled_from(["paris", "open", "none"]),
            st.sampled_from(["d1", "d2"]),
            st.sampled_from([None, 0, 1, 2]),
        ),
        st.builds(
            lambda case, answer, verdict, corrected: told(
                case, answer, verdict, corrected_answer=corrected if verdict == "wrong" else None
            ),
            st.sampled_from(["paris", "open", "none"]),
            SAID.filter(bool),
            st.sampled_from([None, "right", "wrong"]),
            SAID,
        ),
    ),
    max_size=6,
)


@given(reviews=REVIEWS, prefer=st.sampled_from(Prefer))
def test_what_was_merged_once_changes_nothing_when_it_is_merged_again(
    reviews: list[dict[str, object]], prefer: Prefer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = lines(tmp_path_factory.mktemp("merge") / "r.jsonl", *reviews)
    try:
        once = merge(ANSWERED, path, prefer)
    except UsageError as fault:
        assert "Settle it" in str(fault)  # noqa: PT017  nothing else is wrong with them
        return
    again = merge(once.cases, path, prefer)
    assert again.cases == once.cases
    assert (again.merged, again.answers) == (0, 0)
    if prefer is Prefer.DATASET:
        before = {one.id: one for one in ANSWERED}
        for case in once.cases:
            assert isinstance(case, QuestionCase)
            kept = before[case.id].expected_answer
            assert kept is None or kept in (case.expected_answer or ())
