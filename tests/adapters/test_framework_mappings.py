"""What frameworks take and give, on objects of the forms that they document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest

from ragproof.adapters import haystack, langchain, llamaindex
from ragproof.adapters.haystack_flow import Flow
from ragproof.adapters.langchain_input import Asking
from ragproof.adapters.langchain_output import Replies
from ragproof.adapters.langchain_watch import Watch
from ragproof.core import AdapterError, UsageError


def document(name: str) -> SimpleNamespace:
    return SimpleNamespace(page_content=name.upper(), metadata={"source": name}, id=None)


# What LangChain takes


def asking(properties: Sequence[str], required: Sequence[str] = (), **settings: Any) -> Asking:
    schema: dict[str, Any] = {"type": "object", "properties": {one: {} for one in properties}}
    schema["required"] = required
    return Asking.of(SimpleNamespace(get_input_jsonschema=lambda: schema), settings)


@pytest.mark.parametrize(
    ("keys", "required", "expected"),
    [
        (["input"], ["input"], ("input", None)),
        (["context", "question"], [], ("question", None)),
        (["input", "chat_history"], ["input"], ("input", "chat_history")),
        (["topic", "history"], ["topic", "history"], ("topic", "history")),  # only topic is left
        (["topic", "tone"], ["topic"], ("topic", None)),  # only topic is needed
        (["messages", "remaining"], [], ("messages", None)),
    ],
)
def test_the_key_of_the_question_is_read_off_the_schema(
    keys: list[str], required: list[str], expected: tuple[str, str | None]
) -> None:
    found = asking(keys, required)
    assert (found.question, found.history) == expected


def test_keys_in_the_settings_decide() -> None:
    found = asking(["question", "said"], input_key="topic", history_key="said")
    assert found.input("How far?") == {"topic": "How far?", "said": []}


def test_two_unknown_keys_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="the input has the keys tone, topic"):
        asking(["topic", "tone"])


def test_a_runnable_without_a_schema_takes_the_question_itself() -> None:
    def fails() -> Mapping[str, Any]:
        raise TypeError("no schema for a lock")

    for one in (SimpleNamespace(), SimpleNamespace(get_input_jsonschema=fails)):
        assert Asking.of(one, {}).input("How far?") == "How far?"


# What LangChain gives


class Structured:
    """Like a model of pydantic."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


MESSAGE = SimpleNamespace(content="far")
PARTS = SimpleNamespace(content=[{"type": "text", "text": "f"}, {"type": "image"}, "ar"])


@pytest.mark.parametrize(
    "output",
    [
        "far",
        MESSAGE,
        PARTS,
        {"answer": "far", "question": "How far?"},
        {"output": MESSAGE},
        {"result": "far", "source_documents": []},
        {"messages": [SimpleNamespace(content="How far?"), MESSAGE]},
        Structured(answer="far"),
        {"answer": Structured(answer="far")},
        {"answer": {"answer": "far", "citations": []}},
    ],
)
def test_the_answer_is_found_in_every_usual_form(output: object) -> None:
    assert Replies().read(output).text == "far"


def test_an_empty_answer_is_an_answer() -> None:
    assert Replies().read("").text == ""
    assert Replies().read({"answer": ""}).text == ""


def test_a_chosen_key_decides() -> None:
    assert Replies("reply").read({"answer": "near", "reply": "far"}).text == "far"
    with pytest.raises(AdapterError, match="without a text under reply; given are the keys answer"):
        Replies("reply").read({"answer": "near"})


@pytest.mark.parametrize("output", [{"question": "How far?"}, 5, None, ["far"], [document("a")]])
def test_no_answer_is_said(output: object) -> None:
    with pytest.raises(AdapterError, match="the Runnable gave"):
        Replies().read(output)


def test_documents_are_kept_where_they_are_documents() -> None:
    documents = [document("a")]
    assert Replies().read({"answer": "far", "context": documents}).documents == documents
    assert Replies().read({"answer": "far", "context": "a text"}).documents is None
    assert Replies().read({"answer": "far", "context": []}).documents == []


def test_citations_stand_in_the_answer_or_beside_it() -> None:
    cited = [3, "b", {"source_id": "c", "quote": "far"}, Structured(chunk_id="d")]
    expected = [3, "b", {"chunk_id": "c"}, {"chunk_id": "d"}]
    assert Replies().read({"answer": "far", "citations": cited}).citations == expected
    structured = Structured(answer="far", citations=cited)
    assert Replies().read(structured).citations == expected
    assert Replies().read({"answer": structured}).citations == expected
    assert Replies().read({"answer": structured}).output is structured


# What goes on inside LangChain


def test_only_the_outermost_retrievers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    watch, (chain, outer, middle, inner) = Watch(), [uuid4() for _ in range(4)]
    watch.on_chain_start(run_id=chain)
    watch.on_retriever_start(run_id=outer, parent_run_id=chain)  # at 0
    watch.on_chain_start(run_id=middle, parent_run_id=outer)
    watch.on_retriever_start(run_id=inner, parent_run_id=middle)
    watch.on_retriever_end([document("x")], run_id=inner)
    said(watch, 5, parent=middle)
    watch.on_retriever_end([document("a")], run_id=outer)  # at 1
    said(watch, 7, parent=chain)  # from 2 to 3
    assert watch.documents is not None
    assert [one.metadata["source"] for one in watch.documents] == ["a"]
    counted = {"seconds": 1, "output_tokens": 1, "model": "m"}
    assert watch.trace() == {
        "stages": [
            {"name": "retrieve", "input_tokens": 5, **counted},
            {"name": "generate", "input_tokens": 7, **counted},
        ],
        "model": "m",
    }


def test_tokens_of_which_a_part_is_unknown_are_unknown() -> None:
    watch = Watch()
    said(watch, 5)
    said(watch, None)
    assert watch.trace()["stages"][0].keys() == {"name", "seconds", "model"}


def test_where_nothing_was_seen_nothing_is_told() -> None:
    assert (Watch().documents, Watch().trace()) == (None, {})


def said(watch: Watch, tokens: int | None, parent: UUID | None = None) -> None:
    run_id = uuid4()
    usage = tokens and {"input_tokens": tokens, "output_tokens": 1}
    message = SimpleNamespace(usage_metadata=usage, response_metadata={"model_name": "m"})
    watch.on_chat_model_start(run_id=run_id, parent_run_id=parent)
    generation = SimpleNamespace(message=message)
    watch.on_llm_end(SimpleNamespace(generations=[[generation]]), run_id=run_id)


def test_what_is_not_langchains_is_not_taken() -> None:
    assert langchain.wrapped(SimpleNamespace(invoke=str), {}) is None
    assert langchain.wrapped(print, {}) is None


# LlamaIndex


def node(name: str, text: str, score: float | None = None) -> SimpleNamespace:
    inner = SimpleNamespace(node_id=name, metadata={}, get_content=lambda: text)
    return SimpleNamespace(node=inner, score=score)


class Response(SimpleNamespace):
    def __str__(self) -> str:
        return str(self.response)


def answered(text: str | None, *nodes: object) -> dict[str, Any]:
    engine = SimpleNamespace(
        query=lambda _: Response(response=text, source_nodes=nodes), aquery=print
    )
    wrapped: Any = llamaindex.wrapped(engine, {})
    found: dict[str, Any] = wrapped.answer("How far?")
    return found


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Far [1].", ["a"]),
        ("Far [2][1], quite [ 1,2 ].", ["b", "a"]),
        ("Far [3].", ["3"]),  # cites a source that is not there
        ("Far.", []),
    ],
)
def test_numbers_cite_the_sources_that_have_them(text: str, cited: list[str]) -> None:
    nodes = [node("a", "Source 1:\nIt is far."), node("b", "Source 2:\nVery.")]
    assert answered(text, *nodes)["citations"] == cited


def test_without_numbered_sources_a_bracket_is_no_citation() -> None:
    assert answered("Far [1].", node("a", "It is far."))["citations"] is None


def test_no_response_is_an_empty_answer() -> None:
    assert answered(None)["answer_text"] == ""


# Haystack


class Graph:
    def __init__(self, **links: list[str]) -> None:
        self._links = links

    def successors(self, name: str) -> list[str]:
        return self._links.get(name, [])


def pipeline(
    inputs: Mapping[str, Mapping[str, bool]], outputs: Mapping[str, list[str]], **links: list[str]
) -> Any:
    described = {
        name: {socket: {"is_mandatory": needed} for socket, needed in sockets.items()}
        for name, sockets in inputs.items()
    }
    given: dict[str, dict[str, Any]] = {
        name: {socket: {} for socket in sockets} for name, sockets in outputs.items()
    }
    return SimpleNamespace(
        inputs=lambda: described,
        outputs=lambda include_components_with_connected_outputs: given,  # noqa: ARG005
        run=lambda data, include_outputs_from: {},  # noqa: ARG005
        graph=Graph(**links),
    )


def test_the_question_goes_to_what_is_called_so_and_to_a_text_that_is_needed() -> None:
    inputs = {
        "embedder": {"text": True},
        "prompt": {"question": False, "template": False},
        "splitter": {"text": False},
        "answers": {"query": True, "pattern": False},
    }
    flow = Flow.of(pipeline(inputs, {}), None)
    assert flow.data("How far?") == {
        "embedder": {"text": "How far?"},
        "prompt": {"question": "How far?"},
        "answers": {"query": "How far?"},
    }


def test_the_last_of_several_is_found_by_the_connections() -> None:
    outputs = {name: ["documents"] for name in ("ranker", "bm25", "dense", "other")}
    links = {"bm25": ["joiner"], "dense": ["joiner"], "joiner": ["ranker"], "ranker": ["prompt"]}
    flow = Flow.of(pipeline({"bm25": {"query": True}}, outputs, **links), None)
    assert flow.last_with("documents") == ["ranker", "other"]
    assert flow.last_with("replies") == []


def test_in_a_loop_each_counts() -> None:
    outputs = {"one": ["replies"], "two": ["replies"]}
    made = pipeline({"one": {"query": True}}, outputs, one=["two"], two=["one"])
    assert Flow.of(made, None).last_with("replies") == ["one", "two"]


def test_a_pipeline_that_takes_no_question_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the pipeline needs a question; .* inputs one\.top_k"):
        Flow.of(pipeline({"one": {"top_k": False}}, {}), None)


def test_a_pipeline_that_cannot_be_run_asynchronously_says_so() -> None:
    made = pipeline({"one": {"query": True}}, {"one": ["documents"]})
    with pytest.raises(UsageError, match="or make the pipeline an AsyncPipeline"):
        haystack.wrapped(made, {"use_async": True})


def test_a_reader_that_found_nothing_gave_an_empty_answer() -> None:
    made = pipeline({"reader": {"query": True}}, {"reader": ["answers"]})
    made.run = lambda data, include_outputs_from: {  # noqa: ARG005
        "reader": {"answers": [SimpleNamespace(data=None, score=0.9)]}
    }
    wrapped: Any = haystack.wrapped(made, {})
    assert wrapped.answer("How far?", [])["answer_text"] == ""
