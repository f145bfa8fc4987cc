"""What follows from the one line that declares an input."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.core import (
    Answer,
    CaseRun,
    Cause,
    Chunk,
    Citation,
    Failed,
    MissingInput,
    Need,
    Observation,
    QuestionCase,
    ReadingError,
    Readings,
    SourceMatch,
    Tools,
    needs,
)
from ragproof.core.needs import (
    ANSWER,
    CITATIONS,
    CONTEXT,
    EXPECTED_ANSWER,
    EXPECTED_SOURCES,
    JUDGE,
    REFUSAL,
    RETRIEVAL,
    SECONDS,
)

OWN = Chunk(id="own")
FOUND = Chunk(id="found", metadata={"document_id": "book"})
SEEN = Observation(
    case_id="q",
    answer=Answer(answer_text="", citations=(Citation(chunk_id="own"),), retrieved_chunks=(OWN,)),
    retrieved=(FOUND, OWN, FOUND),
    seconds=0.0,
)
RUN = CaseRun(QuestionCase(id="q", question="?", expected_source_ids=("own",)), SEEN)
ALL = [need for need in vars(needs).values() if isinstance(need, Need)]


def asked(**case: Any) -> CaseRun:
    return CaseRun(QuestionCase(id="q", question="?", **case), SEEN)


def test_the_first_path_that_is_there_wins() -> None:
    assert RUN[CONTEXT] == (OWN,)
    assert ANSWER.without(RUN)[CONTEXT] == (FOUND, OWN, FOUND)


def test_an_empty_list_is_there() -> None:
    answer = Answer(answer_text="", retrieved_chunks=())
    run = CaseRun(RUN.case, Observation(case_id="q", answer=answer, retrieved=(OWN,)))
    assert run[CONTEXT] == ()


def test_zero_seconds_are_there() -> None:
    assert RUN[SECONDS] == 0.0


def test_an_input_without_any_path_is_missing_with_its_reason() -> None:
    with pytest.raises(MissingInput, match=CONTEXT.reason):
        CONTEXT.without(RUN)[CONTEXT]


def test_an_input_is_read_once_a_run() -> None:
    assert RUN[RETRIEVAL] is RUN[RETRIEVAL]


def test_a_copy_without_an_input_remembers_nothing_of_it() -> None:
    assert RUN[RETRIEVAL]
    assert RETRIEVAL.without(RUN).get(RETRIEVAL) is None
    assert RUN.get(RETRIEVAL) is not None, "the run itself is as it was"


def test_sources_are_distinct_and_matched_by_chunk_or_by_document() -> None:
    assert RUN[RETRIEVAL] == ("found", "own")
    by_document = CaseRun(RUN.case, SEEN, source_match=SourceMatch.DOCUMENT)
    assert by_document[RETRIEVAL] == ("book", "own")


def test_a_document_id_that_is_a_number_is_matched_as_text() -> None:
    chunk = Chunk(id="c", metadata={"document_id": 7})
    assert SourceMatch.DOCUMENT.source(chunk) == "7"


@pytest.mark.parametrize(
    ("ids", "relevant"),
    [
        (("a", "b", "a"), {"a", "b"}),
        ({"a": 0, "b": 1, "c": 2, "d": -1}, {"b", "c"}),
        ((), None),
        ({}, None),
        ({"a": 0}, None),
        (None, None),
    ],
)
def test_grades_of_1_and_above_are_relevant_and_none_is_no_ground_truth(
    ids: Any, relevant: set[str] | None
) -> None:
    assert asked(expected_source_ids=ids).get(EXPECTED_SOURCES) == relevant


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [("a", ("a",)), (("a", "b"), ("a", "b")), ("", ("",)), ((), None), (None, None)],
)
def test_one_expected_answer_is_a_list_of_one(answer: Any, accepted: Any) -> None:
    assert asked(expected_answer=answer).get(EXPECTED_ANSWER) == accepted


def test_an_answer_without_citations_has_none_to_score() -> None:
    answer = Answer(answer_text="", citations=())
    assert CaseRun(RUN.case, Observation(case_id="q", answer=answer)).get(CITATIONS) is None


def test_what_could_not_be_read_is_not_missing_but_failed() -> None:
    failed = Failed(Cause.JUDGE, "no usable reply")
    run = CaseRun(RUN.case, SEEN, readings=Readings(refusal=failed))
    with pytest.raises(ReadingError) as caught:
        run[REFUSAL]
    assert caught.value.failed is failed


def test_tools_lack_a_judge_with_its_reason() -> None:
    with pytest.raises(MissingInput, match=JUDGE.reason):
        Tools()[JUDGE]


def test_inputs_overlap_where_one_lies_in_the_other() -> None:
    assert ANSWER.overlaps(CITATIONS)
    assert CITATIONS.overlaps(ANSWER)
    assert CONTEXT.overlaps(RETRIEVAL)
    assert not CITATIONS.overlaps(CONTEXT)
    assert not ANSWER.overlaps(EXPECTED_ANSWER)


def test_ground_truth_is_what_the_case_alone_has_to_bring() -> None:
    of_the_case = {need for need in ALL if need.is_of_the_case}
    assert {EXPECTED_SOURCES, EXPECTED_ANSWER} <= of_the_case
    assert not {RETRIEVAL, ANSWER, CITATIONS, CONTEXT, JUDGE} & of_the_case


@pytest.mark.parametrize("need", ALL, ids=[need.reason for need in ALL])
def test_a_reason_is_a_short_lower_case_sentence(need: Need[object]) -> None:
    first = need.reason[0]
    assert first == first.lower()
    assert not need.reason.endswith(".")
    assert len(need.reason) <= 60


def test_the_reasons_that_the_specification_fixes_are_word_for_word() -> None:
    assert RETRIEVAL.reason == "adapter does not expose retrieval"
    assert EXPECTED_SOURCES.reason == "case has no expected_source_ids"
