from __future__ import annotations

from collections.abc import Mapping

from ragproof.analysis.detail import CaseDetail, Cited, Expected, evidence
from ragproof.core.case import Document, DocumentCase, QuestionCase
from ragproof.core.observation import Answer, Chunk, Citation, Observation
from ragproof.core.subject import CaseRun, SourceMatch


def run(
    retrieved: tuple[Chunk, ...] | None,
    expected: tuple[str, ...] | Mapping[str, int] | None = ("a", "b"),
    answer: Answer | None = None,
    match: SourceMatch = SourceMatch.CHUNK,
) -> CaseRun:
    asked = QuestionCase(id="q", question="Which?", expected_source_ids=expected)
    seen = Observation(case_id="q", retrieved=retrieved, answer=answer)
    return CaseRun(asked, seen, source_match=match)


def chunks(*ids: str) -> tuple[Chunk, ...]:
    return tuple(Chunk(id=one, metadata={"document_id": one[0]}) for one in ids)


def test_expected_sources_come_with_the_rank_at_which_they_were_found() -> None:
    seen = evidence(run(chunks("x", "b", "x", "y")))
    assert seen.expected == (Expected("a", None), Expected("b", 2))
    assert [one.source for one in seen.missed(5)] == ["a"]
    assert [one.source for one in seen.missed(1)] == ["a", "b"]


def test_a_repeated_source_keeps_its_best_rank_as_in_the_metrics() -> None:
    seen = evidence(run(chunks("x", "x", "b")))
    assert seen.retrieved is not None
    assert [(one.rank, one.relevant) for one in seen.retrieved] == [
        (1, False),
        (1, False),
        (2, True),
    ]


def test_with_documents_a_chunk_is_matched_by_its_document() -> None:
    answer = Answer(answer_text="", citations=(Citation(chunk_id="b"), Citation(chunk_id="q1")))
    seen = evidence(run(chunks("x1", "b7"), answer=answer, match=SourceMatch.DOCUMENT))
    assert seen.expected == (Expected("a", None), Expected("b", 2))
    assert seen.cited == (Cited("b", known=True), Cited("q1", known=False))
    assert seen.retrieved is not None
    assert seen.retrieved[1].cited


def test_grades_below_one_are_not_expected() -> None:
    assert evidence(run((), {"a": 2, "b": 0})).expected == (Expected("a", None),)


def test_what_is_not_known_is_none_and_not_empty() -> None:
    seen = evidence(run(None, None))
    assert (seen.expected, seen.retrieved, seen.cited) == (None, None, None)
    assert seen.missed(5) == ()


def test_without_retrieval_the_answers_own_chunks_are_shown() -> None:
    answer = Answer(answer_text="", retrieved_chunks=chunks("a"))
    seen = evidence(run(None, answer=answer))
    assert seen.expected == (Expected("a", 1), Expected("b", None))


def test_a_document_is_named_by_its_path() -> None:
    case = DocumentCase(id="d", document=Document(path="manual.pdf"))
    one = CaseDetail(CaseRun(case, Observation(case_id="d")), {})
    assert (one.question, one.answer, one.expected_answers) == ("manual.pdf", None, ())


def test_every_acceptable_answer_is_shown() -> None:
    asked = QuestionCase(id="q", question="?", expected_answer=("yes", "indeed"))
    one = CaseDetail(CaseRun(asked, Observation(case_id="q")), {})
    assert one.expected_answers == ("yes", "indeed")
