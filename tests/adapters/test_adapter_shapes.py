"""What a pipeline may hand over, and what it is told when it may not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ragproof.adapters.plain import CYCLE, TOO_DEEP, plain, shown
from ragproof.adapters.shapes import ANSWER, CHUNKS, PARSED, Shape
from ragproof.core import AdapterError, Answer, Chunk, Citation, Element, Parsed, Stage, Trace


class Model(BaseModel):
    id: str
    text: str
    score: float


@dataclass
class Record:
    id: int
    text: str | None = None
    page: int = 3


def chunk(value: object) -> Chunk:
    return CHUNKS.read([value], "retrieve()")[0]


def test_a_mapping_an_object_and_our_own_class_read_the_same() -> None:
    plain_chunk = Chunk(id="1", text="moon", score=0.5)
    for value in ({"id": 1, "text": "moon", "score": 0.5}, Model(id="1", text="moon", score=0.5)):
        assert chunk(value) == plain_chunk
    assert chunk(plain_chunk) == plain_chunk
    assert chunk(Record(1)) == Chunk(id="1")


@pytest.mark.parametrize(
    "chunks",
    [
        [{"id": "a"}, {"id": "b"}],
        ({"id": "a"}, {"id": "b"}),
        ({"id": name} for name in "ab"),
        {"x": {"id": "a"}, "y": {"id": "b"}}.values(),
        np.array([{"id": "a"}, {"id": "b"}]),
    ],
)
def test_any_ordered_iterable_is_a_list_of_chunks(chunks: object) -> None:
    assert [one.id for one in CHUNKS.read(chunks, "retrieve()")] == ["a", "b"]


@pytest.mark.parametrize("number", [7, np.int64(7), np.uint8(7)])
def test_a_whole_number_is_an_id(number: object) -> None:
    found = chunk({"id": number, "metadata": {"document_id": number}})
    assert (found.id, found.metadata) == ("7", {"document_id": "7"})


def test_a_uuid_is_an_id() -> None:
    one = UUID(int=1)
    assert chunk({"id": one}).id == str(one)


@given(st.floats() | st.booleans() | st.none() | st.lists(st.integers()) | st.binary())
def test_nothing_else_is_an_id(value: object) -> None:
    with pytest.raises(AdapterError, match=r"^retrieve\(\): 0\.id: got "):
        chunk({"id": value})


def test_a_number_with_a_point_says_what_to_do() -> None:
    with pytest.raises(AdapterError, match=r"^retrieve\(\): 0.id: got 5.0; write it as a string$"):
        chunk({"id": 5.0})
    with pytest.raises(AdapterError, match=r"metadata: document_id: got 5.0; write it as a string"):
        chunk({"id": "a", "metadata": {"document_id": 5.0}})


def test_a_bare_string_is_an_answer_a_parse_and_a_citation() -> None:
    assert ANSWER.read("two moons", "answer()") == Answer(answer_text="two moons")
    assert PARSED.read("text", "parse()") == Parsed(text="text")
    cited = ANSWER.read({"answer_text": "x", "citations": ["a", 2, {"chunk_id": "b"}]}, "answer()")
    assert cited.citations == tuple(Citation(chunk_id=name) for name in ("a", "2", "b"))


def test_none_is_as_good_as_not_given_where_there_is_a_default() -> None:
    assert chunk({"id": "a", "text": None, "score": None, "metadata": None}) == Chunk(id="a")
    assert ANSWER.read({"answer_text": "", "citations": None}, "a").citations is None


def test_an_empty_list_is_not_none() -> None:
    assert ANSWER.read({"answer_text": "", "citations": []}, "answer()").citations == ()
    assert CHUNKS.read([], "retrieve()") == ()


@pytest.mark.parametrize("score", [float("nan"), float("inf"), np.float32("-inf"), "nan"])
def test_a_score_that_is_no_number_is_a_fault(score: object) -> None:
    with pytest.raises(AdapterError, match=r"0\.score: got .*; allowed: a finite number"):
        chunk({"id": "a", "score": score})


def test_a_score_of_numpy_is_a_number() -> None:
    assert chunk({"id": "a", "score": np.float32(0.5)}).score == 0.5


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "retrieve() returned None; it must return a list of chunks"),
        ("abc", "retrieve() returned 'abc'; it must return a list of chunks"),
        ({"id": "a"}, "retrieve() returned {'id': 'a'}; it must return a list of chunks"),
        ({1, 2}, "retrieve() returned {1, 2}; it must return a list of chunks"),
        (["a"], "retrieve(): 0: got 'a'; allowed: a mapping with id, text, score, metadata"),
        ([{"text": "a"}], "retrieve(): 0: id is missing; given are the keys 'text'"),
        ([{}], "retrieve(): 0: id is missing; given are the keys (none)"),
        (
            [{"id": "a", "metadata": [1]}],
            "retrieve(): 0.metadata: got [1]; allowed: a mapping",
        ),
        ([{"id": None}, {}], "retrieve(): 0.id: got None; allowed: a string (and 1 more)"),
    ],
)
def test_wrong_chunks_are_told_what_was_got(value: object, said: str) -> None:
    with pytest.raises(AdapterError) as error:
        CHUNKS.read(value, "retrieve()")
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "answer() returned None; it must return a string or a mapping with answer_text"),
        ({"text": "x"}, "answer(): answer_text is missing; given are the keys 'text'"),
        (
            {"answer_text": "x", "citations": [{"chunk_id": None}]},
            "answer(): citations.0.chunk_id: got None; allowed: a string",
        ),
        (
            {"answer_text": "x", "citation": ["a"]},
            "answer(): there is no key 'citation'. Did you mean 'citations'?",
        ),
        (
            {"answer_text": "x", "trace": {"stages": [{"name": "a", "secnods": 1}]}},
            "answer(): trace.stages.0: there is no key 'secnods'. Did you mean 'seconds'?",
        ),
        (
            {"answer_text": "x", "trace": {"stages": [{"name": "a", "seconds": "fast"}]}},
            "answer(): trace.stages.0.seconds: got 'fast'; allowed: a number",
        ),
        (
            {"answer_text": "x", "trace": {"lanes": [1]}},
            "answer(): trace.lanes: got [1]; allowed: a mapping",
        ),
    ],
)
def test_wrong_answers_are_told_what_was_got(value: object, said: str) -> None:
    with pytest.raises(AdapterError) as error:
        ANSWER.read(value, "answer()")
    assert str(error.value) == said


def test_unknown_keys_are_left_out() -> None:
    answer = ANSWER.read({"answer_text": "x", "model_call": 3, 4: 5}, "answer()")
    assert answer == Answer(answer_text="x")
    parsed = PARSED.read(
        {"text": "x", "elements": [{"type": "h", "text": "x", "bbox": 1}]}, "parse()"
    )
    assert parsed.elements == (Element(type="h", text="x"),)


def test_a_key_beside_the_one_it_resembles_is_no_misspelling() -> None:
    assert chunk({"id": "a", "ids": ["b"], "score": 1, "scores": [1]}) == Chunk(id="a", score=1)


def test_a_misspelt_attribute_is_found_too() -> None:
    class Reply:
        def __init__(self) -> None:
            self.answer_text = "x"
            self.citation = ["a"]

    with pytest.raises(AdapterError, match="Did you mean 'citations'"):
        ANSWER.read(Reply(), "answer()")


def test_a_full_answer_is_read_into_our_words() -> None:
    answer = ANSWER.read(
        {
            "answer_text": "x",
            "retrieved_chunks": iter([{"id": 1}]),
            "trace": {
                "lanes": {"bm25": [{"id": "a"}]},
                "filter": {"year": np.int64(2024), "document_id": ["a", "b"]},
                "stages": [{"name": "find", "seconds": 0.5, "cache": "hit"}],
                "output": {"day": date(2024, 5, 1)},
                "survivors": [1, 2],
            },
        },
        "answer()",
    )
    assert answer.retrieved_chunks == (Chunk(id="1"),)
    assert answer.trace == Trace(
        lanes={"bm25": (Chunk(id="a"),)},
        filter={"year": 2024, "document_id": ["a", "b"]},
        stages=(Stage(name="find", seconds=0.5, cache="hit"),),
        output={"day": "2024-05-01"},
        survivors=("1", "2"),
    )


def test_lone_surrogates_pass() -> None:
    assert ANSWER.read("\ud800", "answer()").answer_text == "\ud800"
    assert chunk({"id": "\udfff", "text": "\ud800"}).id == "\udfff"
    with pytest.raises(AdapterError, match=r"0\.score: got"):
        chunk({"id": "\udfff", "score": "\ud800"})


def test_metadata_is_a_copy() -> None:
    mine = {"page": 1}
    found = chunk({"id": "a", "metadata": mine})
    mine["page"] = 2
    assert found.metadata == {"page": 1}


def test_metadata_becomes_json() -> None:
    found = chunk(
        {
            "id": "a",
            "metadata": {
                "when": date(2024, 5, 1),
                "path": PurePosixPath("a/b"),
                "id": UUID(int=0),
                "vector": np.array([1.0, float("nan")]),
                "labels": {"b", "a"},
                "sizes": {10, 9},
                3: b"x",
                "object": Record(1),
            },
        }
    )
    assert found.metadata == {
        "when": "2024-05-01",
        "path": "a/b",
        "id": str(UUID(int=0)),
        "vector": [1.0, "nan"],
        "labels": ["a", "b"],
        "sizes": [9, 10],
        "3": "x",
        "object": {"id": 1, "text": None, "page": 3},
    }


def test_a_value_that_contains_itself_ends() -> None:
    loop: dict[str, Any] = {}
    loop["me"] = [loop]
    assert plain(loop) == {"me": [CYCLE]}
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert TOO_DEEP in json.dumps(plain(deep))


def test_an_object_that_breaks_when_looked_at_is_no_fault() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

        def tolist(self) -> None:
            raise RuntimeError

    assert plain({"x": Broken()}) == {"x": "a Broken"}
    assert shown(Broken()) == "a Broken"


def junk() -> st.SearchStrategy[Any]:
    leaves = (
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
    ) | st.dates()
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
        max_leaves=20,
    )


def complaint(shape: Shape[Any], value: object) -> str | None:
    try:
        shape.read(value, "it()")
    except AdapterError as error:
        return str(error)
    return None


@given(junk())
def test_plain_is_always_strict_json(value: object) -> None:
    made = plain(value)
    assert json.loads(json.dumps(made, allow_nan=False)) == made


@given(junk())
def test_a_result_is_read_or_refused_in_one_sentence(value: object) -> None:
    for shape in (CHUNKS, ANSWER, PARSED):
        said = complaint(shape, value)
        assert said is None or (said.startswith("it()") and "\n" not in said)


def test_a_generator_is_read_once_and_in_order() -> None:
    def lazily() -> Iterator[dict[str, int]]:
        yield {"id": 2}
        yield {"id": 1}

    assert [one.id for one in CHUNKS.read(lazily(), "retrieve()")] == ["2", "1"]
