import json

import pytest
from pydantic import TypeAdapter

from ragproof.core import Answer, Chunk
from ragproof.demo.pages import DATASET, Page
from ragproof.demo.pipeline import REFUSAL, ManualPipeline

PIPELINE = ManualPipeline()
QUESTIONS = [json.loads(line)["question"] for line in DATASET.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("question", [*QUESTIONS, "", "\ud800", "the"])
def test_what_it_gives_is_an_answer_and_chunks_of_the_manual(question: str) -> None:
    answer = TypeAdapter(Answer).validate_python(PIPELINE.answer(question))
    chunks = TypeAdapter(tuple[Chunk, ...]).validate_python(PIPELINE.retrieve(question, 5))
    assert answer.retrieved_chunks == chunks
    for chunk in chunks:
        page = PIPELINE.document(chunk.metadata["document_id"])
        assert page[chunk.metadata["start"] : chunk.metadata["end"]] == chunk.text


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_cites_what_it_retrieved_and_a_refusal_cites_nothing(question: str) -> None:
    answer = PIPELINE.answer(question)
    retrieved = {chunk["id"] for chunk in answer["retrieved_chunks"]}
    cited = [citation["chunk_id"] for citation in answer["citations"]]
    assert set(cited) <= retrieved
    assert (answer["answer_text"] == REFUSAL) == (not cited)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_is_the_claims_it_cites(question: str) -> None:
    answer = PIPELINE.answer(question)
    claims = [citation["claim"] for citation in answer["citations"]]
    assert answer["answer_text"] == (" ".join(claims) or REFUSAL)


def test_it_quotes_a_row_of_a_table() -> None:
    assert PIPELINE.answer("usable capacity hearth x2")["answer_text"] == "Usable capacity: 9.6 kWh"


def test_it_declines_what_the_manual_does_not_name() -> None:
    answer = PIPELINE.answer("What does error code E6001 mean?")
    assert answer["answer_text"] == REFUSAL
    assert answer["trace"]["confidence"] == 0.0


def test_with_a_threshold_of_0_it_answers_whatever_it_finds() -> None:
    answer = ManualPipeline(abstain_below=0.0).answer("What does error code E6001 mean?")
    assert answer["answer_text"] != REFUSAL


def test_it_does_not_read_its_own_questions() -> None:
    # A page of the user's is all it knows then.
    pipeline = ManualPipeline(pages=[Page("lamp", "# Lamp\n\nThe bulb has 40 watts.")])
    answer = pipeline.answer("How many watts has the bulb?")
    assert answer["answer_text"] == "The bulb has 40 watts."
    assert [chunk["id"] for chunk in answer["retrieved_chunks"]] == ["lamp#1"]


def test_the_trace_tells_stages_and_index() -> None:
    trace = PIPELINE.answer("X3 maximum altitude")["trace"]
    assert [stage["name"] for stage in trace["stages"]] == ["retrieve", "generate"]
    assert all(stage["seconds"] >= 0 for stage in trace["stages"])
    assert trace["index_version"] == ManualPipeline().answer("noise")["trace"]["index_version"]


def test_it_answers_the_same_twice() -> None:
    for question in QUESTIONS:
        first, second = (ManualPipeline().answer(question) for _ in range(2))
        first["trace"].pop("stages")
        second["trace"].pop("stages")
        assert first == second


def test_k_is_how_many_chunks_are_given() -> None:
    assert [len(PIPELINE.retrieve("battery", k)) for k in (1, 3, 7)] == [1, 3, 7]
