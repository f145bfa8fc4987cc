"""Responses read by path, through real servers on loopback."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from urllib.parse import parse_qs

import pytest
from loopback import BODY, CASE, SECRET, Server, adapter, failure, observed, serving

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.http import HttpAdapter
from ragproof.core import (
    AdapterError,
    Answer,
    Chunk,
    Citation,
    Document,
    DocumentCase,
    Observation,
    Pipeline,
    Stage,
    Trace,
    UsageError,
)

REPLY = {
    "data": {"text": "far", "refs": ["c1", {"chunk_id": "c2"}]},
    "hits": [
        {"doc": {"key": 1, "body": "one"}, "s": 0.5, "page": 3},
        {"doc": {"key": 2, "body": "two"}, "s": 0.25},
    ],
}
FIELDS = {
    "id": "$.doc.key",
    "text": "$.doc.body",
    "score": "$.s",
    "metadata": {"document_id": "$.doc.key", "page": "$.page"},
}


def test_an_answer_is_read_by_paths() -> None:
    server = Server(REPLY)
    seen = observed(
        server,
        answer_path="$.data.text",
        citations_path="$.data.refs",
        chunks_path="$.hits[*]",
        chunk_fields=FIELDS,
    )
    assert seen.answer is not None
    assert seen.answer.answer_text == "far"
    assert seen.answer.citations == (Citation(chunk_id="c1"), Citation(chunk_id="c2"))
    assert seen.answer.retrieved_chunks == (
        Chunk(id="1", text="one", score=0.5, metadata={"document_id": "1", "page": 3}),
        Chunk(id="2", text="two", score=0.25, metadata={"document_id": "2"}),
    )
    assert seen.retrieved == seen.answer.retrieved_chunks, "no endpoint tells more"
    assert seen.seconds is not None
    assert json.loads(server.asked[0]["body"]) == {
        "q": "Wie weit? {k}",
        "k": 4,
        "h": [{"role": "user", "content": "hi"}],
    }
    assert server.asked[0]["headers"]["Content-Type"] == "application/json"


def test_without_paths_the_response_has_our_own_form() -> None:
    seen = observed(Server({"answer_text": "far", "citations": [{"chunk_id": 1}]}))
    assert seen.answer is not None
    assert seen.answer.citations == (Citation(chunk_id="1"),)
    assert observed(Server((200, '"far"'))).answer == Answer(answer_text="far")


@pytest.mark.parametrize(
    ("chunks_path", "reply", "count"),
    [
        ("$.hits", {"hits": []}, 0),
        ("$.hits[*]", {"hits": []}, 0),
        ("$.hits[*].doc", {"hits": []}, 0),
        ("$.hits[?@.s > 1]", {"hits": [{"id": 1, "s": 0}]}, 0),
        ("$.hits", {"hits": [{"id": 1}]}, 1),
        ("$.hits[*]", {"hits": [{"id": 1}]}, 1),
        ("$", [{"id": 1}], 1),
        ("$[*]", [{"id": 1}, {"id": 2}], 2),
        ("$..chunk", {"a": {"chunk": {"id": 1}}, "b": {"chunk": {"id": 2}}}, 2),
    ],
)
def test_chunks_are_a_list_or_the_items_of_one(chunks_path: str, reply: object, count: int) -> None:
    async def act(base: str) -> Observation:
        one = HttpAdapter.load(
            retrieve=HttpEndpoint(
                url=f"{base}/find?q={{question}}&k={{k}}", chunks_path=chunks_path
            ),
            params={},
            depth=4,
        )
        try:
            return await one.observe(CASE)
        finally:
            await one.close()

    server = Server(reply)
    seen = asyncio.run(serving(server, act))
    assert len(seen.retrieved) == count
    assert seen.answer is None
    assert server.asked[0]["method"] == "GET"
    query = server.asked[0]["path"].partition("?")[2]
    assert parse_qs(query) == {"q": ["Wie weit? {k}"], "k": ["4"]}


@pytest.mark.parametrize(
    ("paths", "reply", "said"),
    [
        (
            {"answer_path": "$.text"},
            {"answer": "x", "sources": []},
            "http.answer.answer_path '$.text' finds nothing in the response, "
            "which has the keys 'answer', 'sources'",
        ),
        ({"answer_path": "$.text"}, [1, 2], "finds nothing in the response, which is a list of 2"),
        ({"answer_path": "$.text"}, 5, "finds nothing in the response, which is 5"),
        ({"answer_path": "$..x"}, {"x": {"x": 1}}, "finds 2 values; it must find one"),
        (
            {"answer_path": "$.x"},
            {"x": None},
            "http.answer: answer_text: got None; allowed: a string",
        ),
        ({"answer_path": "$.x", "chunks_path": "$.hits"}, {"x": "a"}, "chunks_path '$.hits' finds"),
        (
            {"answer_path": "$.x", "chunks_path": "$.hits[*].doc"},
            {"x": "a", "hits": [{"id": 1}]},
            "chunks_path '$.hits[*].doc' finds nothing",
        ),
        (
            {"answer_path": "$.x", "chunks_path": "$.hits", "chunk_fields": {"id": "$.key"}},
            {"x": "a", "hits": [{"id": 1}]},
            "http.answer.chunk_fields.id '$.key' finds nothing in the response, "
            "which has the keys 'id'",
        ),
        (
            {"answer_path": "$.x", "chunks_path": "$.hits"},
            {"x": "a", "hits": [{"id": 1.5}]},
            "http.answer: retrieved_chunks.0.id: got 1.5; write it as a string",
        ),
        (
            {"answer_path": "$.x", "chunks_path": "$.hits"},
            {"x": "a", "hits": "none"},
            "http.answer: retrieved_chunks: got 'none'; allowed: a list",
        ),
    ],
)
def test_a_path_that_does_not_fit_is_named(paths: dict[str, Any], reply: object, said: str) -> None:
    assert said in failure(
        Server(reply if isinstance(reply, dict) else (200, json.dumps(reply))), **paths
    )


def test_citations_that_are_null_are_not_exposed() -> None:
    seen = observed(Server({"x": "a", "c": None}), answer_path="$.x", citations_path="$.c")
    assert seen.answer is not None
    assert seen.answer.citations is None


def test_what_a_service_tells_of_its_stages_is_its_trace() -> None:
    trace = {"stages": [{"name": "rerank", "seconds": 0.5, "usd": 0.25}]}
    seen = observed(Server({"x": "a", "t": trace}), answer_path="$.x", trace_path="$.t")
    assert seen.answer is not None
    assert seen.answer.trace == Trace(stages=(Stage(name="rerank", seconds=0.5, usd=0.25),))
    for untold in ({"x": "a"}, {"x": "a", "t": None}):
        seen = observed(Server(untold), answer_path="$.x", trace_path="$.t")
        assert seen.answer is not None
        assert seen.answer.trace is None
    bad = failure(Server({"x": "a", "t": {"stages": 3}}), answer_path="$.x", trace_path="$.t")
    assert "trace.stages: got 3; allowed: a list" in bad


def test_it_is_known_when_an_endpoint_was_asked() -> None:
    before = time.time()
    seen = observed(Server(REPLY), answer_path="$.data.text")
    assert seen.asked_at is not None
    assert seen.seconds is not None
    assert before - 1 < seen.asked_at <= time.time() + 1


def test_the_header_tells_endpoints_apart_without_secrets() -> None:
    def info(**more: Any) -> Any:
        endpoint = HttpEndpoint(url="https://x/ask", headers={"A": "Bearer env:TOKEN"}, **more)
        return adapter(endpoint).info("7")

    assert info().target == "GET https://x/ask"
    assert (info().type, info().version) == ("http", "7")
    assert info() == info()
    assert info().content != info(answer_path="$.x").content
    assert SECRET not in repr(info())


def test_one_request_serves_both_where_both_send_the_same() -> None:
    server = Server({"text": "far", "hits": [{"id": 1}]})

    async def act(base: str) -> list[Observation]:
        seen = []
        for other in (f"{base}/ask", f"{base}/find"):
            one = HttpAdapter.load(
                retrieve=HttpEndpoint(url=other, body=BODY, chunks_path="$.hits"),
                answer=HttpEndpoint(url=f"{base}/ask", body=BODY, answer_path="$.text"),
                params={},
                depth=4,
            )
            assert one.capabilities == {"retrieve", "answer"}
            seen.append(await one.observe(CASE))
            await one.close()
        return seen

    seen = asyncio.run(serving(server, act))
    assert [one.retrieved for one in seen] == [(Chunk(id="1"),)] * 2
    assert [asked["path"] for asked in server.asked] == ["/ask", "/find", "/ask"]


def test_a_metric_may_search_again_where_that_pays_no_answer() -> None:
    server = Server({"hits": [{"id": 1, "text": "far"}]}, (503, "busy"))

    async def act(base: str) -> None:
        def retrieving(path: str) -> HttpAdapter:
            return HttpAdapter.load(
                retrieve=HttpEndpoint(url=f"{base}/{path}", body=BODY, chunks_path="$.hits"),
                answer=HttpEndpoint(url=f"{base}/ask", body=BODY, answer_path="$.text"),
                params={},
                depth=4,
                max_attempts=1,
            )

        both, one = retrieving("ask"), retrieving("find")
        assert both.further(5.0) == Pipeline()
        pipeline = one.further(5.0)
        assert pipeline.retrieve is not None
        assert (pipeline.embed, pipeline.generate) == (None, None)
        assert await pipeline.retrieve(CASE, "It is far.", 2) == (Chunk(id="1", text="far"),)
        with pytest.raises(AdapterError, match="503"):
            await pipeline.retrieve(CASE, "It is near.", 2)
        await both.close()
        await one.close()

    asyncio.run(serving(server, act))
    assert [asked["path"] for asked in server.asked] == ["/find", "/find"]
    assert json.loads(server.asked[0]["body"]) == {
        "q": "It is far.",
        "k": 2,
        "h": [{"role": "user", "content": "hi"}],
    }


def test_of_a_document_nothing_is_exposed() -> None:
    case = DocumentCase(id="d", document=Document(text="x"))
    one = adapter(HttpEndpoint(url="http://127.0.0.1:9/ask"))
    assert asyncio.run(one.observe(case)) == Observation(case_id="d")


@pytest.mark.parametrize(
    ("endpoints", "said"),
    [
        ({}, "has neither retrieve nor answer"),
        (
            {"answer": HttpEndpoint(url="http://x", answer_path="$.[")},
            r"http\.answer\.answer_path is '\$\.\[', which is no JSONPath: ",
        ),
        (
            {"retrieve": HttpEndpoint(url="http://x", answer_path="$.x")},
            r"http\.retrieve\.answer_path: only an answer has this",
        ),
        (
            {"retrieve": HttpEndpoint(url="http://x", chunk_fields={"metadata": {"a": "$["}})},
            r"http\.retrieve\.chunk_fields\.metadata\.a is",
        ),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_sent(
    endpoints: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        HttpAdapter.load(**endpoints, params={}, depth=5)
