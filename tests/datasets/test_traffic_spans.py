"""From the spans of a trace to a question, an answer and what was seen in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traffic_spans import CHAIN, START, draft, drafts, span

from ragproof.datasets.traffic import exported, langfuse
from ragproof.datasets.traffic.draft import Draft, Wanted, drafted
from ragproof.datasets.traffic.spans import Span, packed, unpacked
from ragproof.datasets.traffic.turns import UNASKED, turns

RECORDED = Path(__file__).parents[3] / "shared/data/otel_openinference/all-spans.json"


def flat(lead: str, *documents: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{lead}.{number}.document.{name}": told
        for number, one in enumerate(documents)
        for name, told in one.items()
    }


A: dict[str, Any] = {
    "id": "a",
    "content": "the a",
    "score": 0.9,
    "metadata": '{"source": "m.md", "page": 3}',
}
B: dict[str, Any] = {"id": 2, "content": "the b", "score": 0.5}


def test_openinference() -> None:
    root = span(1, "ask", seconds=3, input__value="When?", output__value="At noon.", **CHAIN)
    search = span(
        2, "search", parent=1, at=0.25, seconds=0.5,
        **{"openinference.span.kind": "RETRIEVER"} | flat("retrieval.documents", A, B),
    )  # fmt: skip
    rerank = span(
        3, "order", parent=1, at=0.75, seconds=0.25,
        **{"openinference.span.kind": "RERANKER"}
        | flat("reranker.input_documents", A, B) | flat("reranker.output_documents", {"id": "2"}),
    )  # fmt: skip
    write = span(
        4, "write", parent=1, at=1, seconds=2,
        events=[("First Token Stream Event", 0.5, {})],
        openinference__span__kind="LLM", llm__model_name="m-1", llm__token_count__prompt=90,
        llm__token_count__completion=7, llm__cost__total=0.002,
    )  # fmt: skip
    one = draft(write, rerank, search, root)
    a: dict[str, Any] = {"id": "a", "text": "the a", "score": 0.9}
    a["metadata"] = {"source": "m.md", "page": 3, "document_id": "m.md"}
    b = {"id": "2", "text": "the b", "score": 0.5}
    assert (one.id, one.question) == (f"{1:032x}", "When?")
    assert one.observation == {
        "asked_at": START,
        "seconds": 3.0,
        "retrieved": [a, b],
        "answer": {
            "answer_text": "At noon.",
            "retrieved_chunks": [{"id": "2", "text": "the b"}],
            "trace": {
                "candidates": [a, b],
                "reranked": [{"id": "2"}],
                "stages": [
                    {"name": "retrieve", "seconds": 0.5},
                    {"name": "rerank", "seconds": 0.25},
                    {
                        "name": "generate",
                        "seconds": 2.0,
                        "input_tokens": 90,
                        "output_tokens": 7,
                        "usd": 0.002,
                        "model": "m-1",
                    },
                ],
                "first_token_seconds": 1.5,
                "model": "m-1",
            },
        },
    }


def test_generative_ai_conventions() -> None:
    said = [
        {"role": "system", "parts": [{"type": "text", "content": "Be short."}]},
        {"role": "user", "parts": [{"type": "text", "content": "Who?"}]},
        {"role": "assistant", "parts": [{"type": "text", "content": "Ann."}]},
        {"role": "user", "parts": [{"type": "text", "content": "Since when?"}]},
    ]
    told = [{"role": "assistant", "parts": [{"type": "text", "content": "Since May."}]}]
    search = span(
        1, "retrieval", seconds=0.5,
        gen_ai__operation__name="retrieval",
        gen_ai__retrieval__documents=json.dumps([{"id": "d1", "score": 0.75}]),
    )  # fmt: skip
    chat = span(
        2, "chat m", at=0.5, gen_ai__operation__name="chat", gen_ai__conversation__id="s-1",
        gen_ai__input__messages=json.dumps(said), gen_ai__output__messages=json.dumps(told),
        gen_ai__usage__input_tokens=20, gen_ai__usage__output_tokens=3,
        gen_ai__response__model="m",
    )  # fmt: skip
    one = draft(span(3, "POST /chat", seconds=2), {**search, "parentSpanId": f"{3:016x}"},
                {**chat, "parentSpanId": f"{3:016x}"})  # fmt: skip
    assert one.question == "Since when?"
    assert one.history == [
        {"role": "user", "content": "Who?"},
        {"role": "assistant", "content": "Ann."},
    ]
    assert one.group == "s-1"
    assert one.observation["seconds"] == 2.0
    assert one.observation["retrieved"] == [{"id": "d1", "score": 0.75}]
    assert one.observation["answer"]["answer_text"] == "Since May."


def test_messages_that_are_events_of_older_instrumentation() -> None:
    chat = span(
        1, "chat", gen_ai__operation__name="chat",
        events=[
            ("gen_ai.user.message", 0, {"content": "When?"}),
            ("gen_ai.choice", 1, {"message": '{"role": "assistant", "content": "Now."}'}),
        ],
    )  # fmt: skip
    one = draft(chat)
    assert (one.question, one.observation["answer"]["answer_text"]) == ("When?", "Now.")


@pytest.mark.shared_data
@pytest.mark.skipif(not RECORDED.exists(), reason=f"the recorded spans are not at {RECORDED}")
def test_recorded_spans_of_vercels_sdk() -> None:
    """Question, answer, tokens and times are those that the spans tell."""
    found = {
        one["name"]: exported.read(one, "x")
        for one in json.loads(RECORDED.read_text(encoding="utf-8"))
    }
    made = {name: [drafted(turn, Wanted()) for turn in turns([one])] for name, one in found.items()}
    assert made["ai.embed"] == made["ai.embed.doEmbed"] == [UNASKED]
    [stream] = made["ai.streamText.doStream"]
    assert isinstance(stream, Draft)
    assert stream.question == "Write a short poem about TypeScript."
    assert stream.observation["answer"]["answer_text"].startswith("In code\u2019s embrace,")
    trace = stream.observation["answer"]["trace"]
    assert trace["first_token_seconds"] == pytest.approx(0.4268535, abs=1e-6)
    assert trace["model"] == "gpt-4o-mini-2024-07-18"
    [stage] = trace["stages"]
    assert (stage["input_tokens"], stage["output_tokens"]) == (15, 112)
    [chained] = made["ai.generateObject"]
    assert isinstance(chained, Draft)
    answer = json.loads(chained.observation["answer"]["answer_text"])
    assert answer["name"] == "Scrambled Eggs"


def test_phoenix_and_pythons_sdk() -> None:
    phoenix = {
        "context.trace_id": "t1", "context.span_id": "s1", "parent_id": None, "name": "ask",
        "span_kind": "CHAIN", "start_time": "2026-03-01T10:00:00+00:00",
        "end_time": "2026-03-01T10:00:02.500000+00:00", "status_code": "ERROR",
        "status_message": "no index", "attributes.input.value": '{"question": "When?"}',
    }  # fmt: skip
    [turn] = turns([exported.read(phoenix, "x")])
    one = drafted(turn, Wanted())
    assert isinstance(one, Draft)
    assert one.question == "When?"
    assert one.observation == {"asked_at": 1772359200, "seconds": 2.5, "error": "no index"}
    python = {
        "name": "ask", "context": {"trace_id": "0xAB", "span_id": "0x1"}, "parent_id": None,
        "start_time": "2026-03-01T10:00:00Z", "end_time": "2026-03-01T10:00:01Z",
        "status": {"status_code": "UNSET"}, "attributes": {"input.value": "When?"},
        "events": [{"name": "x", "timestamp": "2026-03-01T10:00:00.5Z", "attributes": {}}],
        "resource": {"attributes": {"service.version": "2.1"}},
    }  # fmt: skip
    [turn] = turns([exported.read(python, "x")])
    one = drafted(turn, Wanted())
    assert isinstance(one, Draft)
    assert (one.id, one.tags) == ("ab", {"release": "2.1"})


def test_langfuse() -> None:
    trace = {
        "id": "lf-1", "timestamp": "2026-03-01T10:00:00Z", "name": "ask", "latency": 2,
        "input": {"question": "When?"}, "output": {"answer": "Now."}, "sessionId": "s",
        "release": "r2", "observations": [
            {"id": "o1", "type": "RETRIEVER", "name": "search",
             "startTime": "2026-03-01T10:00:00Z", "endTime": "2026-03-01T10:00:00.5Z",
             "output": [{"id": "d", "content": "text", "score": 1}]},
            {"id": "o2", "type": "GENERATION", "model": "m", "startTime": "2026-03-01T10:00:01Z",
             "endTime": "2026-03-01T10:00:02Z", "usageDetails": {"input": 5, "output": 2},
             "calculatedTotalCost": 0.25, "timeToFirstToken": 0.25, "parentObservationId": None},
        ],
    }  # fmt: skip
    [turn] = turns(list(langfuse.read(trace, "x")))
    one = drafted(turn, Wanted())
    assert isinstance(one, Draft)
    assert (one.question, one.group, one.tags) == ("When?", "s", {"release": "r2"})
    seen = one.observation
    assert seen["answer"]["answer_text"] == "Now."
    assert seen["retrieved"] == [{"id": "d", "text": "text", "score": 1.0}]
    assert seen["answer"]["trace"]["first_token_seconds"] == 1.25
    assert seen["answer"]["trace"]["stages"][1] == {
        "name": "generate", "seconds": 1.0, "input_tokens": 5, "output_tokens": 2, "usd": 0.25,
        "model": "m",
    }  # fmt: skip


def test_a_trace_of_several_turns_is_a_case_each() -> None:
    session = span(1, "session", seconds=9)
    one = span(2, "turn", parent=1, at=1, input__value="A?", output__value="a", **CHAIN)
    two = span(3, "turn", parent=1, at=5, input__value="B?", output__value="b", **CHAIN)
    calls = [span(9 - n, "call", parent=n, openinference__span__kind="LLM") for n in (2, 3)]
    found = drafts(session, one, two, *calls)
    assert [(d.id, d.question, d.asked_at) for d in found if isinstance(d, Draft)] == [
        (f"{1:032x}-{2:016x}", "A?", START + 1),
        (f"{1:032x}-{3:016x}", "B?", START + 5),
    ]


def test_steps_of_several_names_are_one_turn() -> None:
    front = span(1, "POST /chat", seconds=9)
    one = span(2, "rewrite", parent=1, at=1, input__value="A?", output__value="A of x?", **CHAIN)
    two = span(3, "answer", parent=1, at=5, input__value="A of x?", output__value="a", **CHAIN)
    calls = [span(9 - n, "call", parent=n, openinference__span__kind="LLM") for n in (2, 3)]
    found = draft(front, one, two, *calls)
    assert (found.question, found.observation["seconds"]) == ("A?", 9.0)
    assert found.observation["answer"]["answer_text"] == "a"
    assert [
        d.question for d in drafts(front, one, two, *calls, turn="answer") if isinstance(d, Draft)
    ] == ["A of x?"]


def test_splitting_a_document_is_no_question() -> None:
    build = span(1, "build index", seconds=9, **CHAIN)
    split = [span(n, "split", parent=1, input__value="x", output__value='["x"]', **CHAIN)
             for n in (2, 3)]  # fmt: skip
    assert drafts(build, *split) == [UNASKED]


def test_a_span_delivered_twice_counts_once_and_layers_of_one_call_too() -> None:
    root = span(1, "ask", seconds=3, input__value="When?", output__value="Now.", **CHAIN)
    outer = span(2, "wrapper", parent=1, seconds=2, openinference__span__kind="LLM")
    inner = span(
        3, "call", parent=2, seconds=1.5, openinference__span__kind="LLM",
        llm__token_count__prompt=9,
    )  # fmt: skip
    stages = draft(root, outer, inner, inner, root).observation["answer"]["trace"]["stages"]
    assert stages == [{"name": "generate", "seconds": 2.0, "input_tokens": 9}]


def test_several_searches_are_lanes_and_no_ranking() -> None:
    kind: dict[str, Any] = {"openinference.span.kind": "RETRIEVER"}
    root = span(1, "ask", seconds=3, input__value="When?", output__value="Now.", **CHAIN)
    one = span(2, "dense", parent=1, **kind | flat("retrieval.documents", A))
    two = span(3, "dense", parent=1, at=1, **kind | flat("retrieval.documents", B, A))
    seen = draft(root, one, two).observation
    assert "retrieved" not in seen
    lanes = seen["answer"]["trace"]["lanes"]
    assert {name: [c["id"] for c in lane] for name, lane in lanes.items()} == {
        "dense": ["a"],
        "dense 2": ["2", "a"],
    }
    assert [chunk["id"] for chunk in seen["answer"]["retrieved_chunks"]] == ["a", "2"]


def test_a_document_without_an_id_is_called_by_its_text() -> None:
    kind: dict[str, Any] = {"openinference.span.kind": "RETRIEVER"}
    root = span(1, "ask", input__value="When?", output__value="Now.", **CHAIN)
    search = span(2, "s", parent=1, **kind | flat("retrieval.documents", {"content": "x"}))
    [chunk] = draft(root, search).observation["retrieved"]
    assert chunk == {"id": "sha256:2d711642b726b044", "text": "x"}  # printf x | sha256sum


def test_tags_fields_and_citations_are_taken_from_attributes() -> None:
    root = span(
        1, "ask", input__value="ignored", output__value="Now.", app__q="When?", app__route="web",
        app__sure=0.5, metadata='{"plan": "pro"}', app__cited=["a", "b"], **CHAIN,
    )  # fmt: skip
    one = draft(
        root,
        mapping={
            "question": "app.q", "route": "app.route", "confidence": "app.sure",
            "citations": "app.cited",
        },
        tags={"plan": "metadata.plan", "absent": "no.such"},
    )  # fmt: skip
    answer = one.observation["answer"]
    assert (one.question, one.tags) == ("When?", {"plan": "pro"})
    assert answer["trace"] == {"route": "web", "confidence": 0.5}
    assert answer["citations"] == [{"chunk_id": "a"}, {"chunk_id": "b"}]


def test_content_that_was_not_recorded_makes_no_case_or_no_answer() -> None:
    assert drafts(span(1, "chat", gen_ai__operation__name="chat")) == [UNASKED]
    one = draft(span(1, "ask", input__value="When?", **CHAIN))
    assert "answer" not in one.observation


def test_an_error_inside_that_was_got_over_is_no_failure() -> None:
    root = span(1, "ask", input__value="When?", output__value="Now.", **CHAIN)
    tried = span(2, "call", parent=1, status={"code": 2}, openinference__span__kind="LLM")
    assert "error" not in draft(root, tried).observation
    bad = span(
        1, "ask", input__value="When?", status={"code": "STATUS_CODE_ERROR"},
        events=[("exception", 0.5, {"exception.message": "no model"})], **CHAIN,
    )  # fmt: skip
    assert draft(bad).observation["error"] == "no model"


def test_a_circle_of_parents_and_a_lost_root_do_not_matter() -> None:
    one = span(1, "ask", parent=2, input__value="When?", output__value="Now.", **CHAIN)
    two = span(2, "ask", parent=1, **CHAIN)
    lost = span(3, "ask", parent=99, input__value="When?", **CHAIN)
    assert next(d for d in drafts(one, two) if isinstance(d, Draft)).question == "When?"
    assert draft(lost).question == "When?"


def test_a_span_that_never_ended_has_no_seconds() -> None:
    root = span(1, "ask", input__value="When?", output__value="Now.", **CHAIN)
    assert "seconds" not in draft({**root, "endTimeUnixNano": "0"}).observation


def test_ten_thousand_nested_spans_are_no_trouble() -> None:
    spans = [
        Span(trace="t", id=str(n), parent=str(n - 1), name="s", start=n, end=n + 1,
             attributes={"input.value": "?", "openinference.span.kind": "CHAIN"})
        for n in range(10_000)
    ]  # fmt: skip
    [turn] = turns([*spans[::-1]])
    made = drafted(turn, Wanted())
    assert isinstance(made, Draft)
    assert made.observation["seconds"] == 1.0


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
NAMES = ("input.value", "output.value", "llm.input_messages.0.message.content", "metadata",
         "gen_ai.input.messages", "retrieval.documents.0.document.id", "ai.prompt",
         "openinference.span.kind", "ai.operationId", "llm.cost.total")  # fmt: skip


@given(
    st.lists(
        st.builds(
            Span,
            trace=st.just("t"),
            id=st.sampled_from("abcd"),
            parent=st.none() | st.sampled_from("abcde"),
            name=st.sampled_from(["ask", "search"]),
            start=st.floats(0, 9),
            end=st.none() | st.floats(10, 19),
            attributes=st.dictionaries(st.sampled_from(NAMES), values | st.just("LLM")),
            error=st.none() | st.text(max_size=3),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_whatever_the_attributes_hold_a_trace_becomes_cases_or_reasons(spans: list[Span]) -> None:
    mapping = {"citations": "metadata", "route": "output.value"}
    for turn in turns(spans):
        made = drafted(turn, Wanted(mapping=mapping, tags={"t": "ai.prompt"}))
        assert isinstance(made, Draft | str)
    assert [unpacked(packed(one).encode()) for one in spans] == spans
