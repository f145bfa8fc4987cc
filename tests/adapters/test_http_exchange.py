"""Real servers on loopback: busy, broken and silent ones."""

from __future__ import annotations

import asyncio
import gzip
import time

import pytest
from aiohttp import web
from loopback import CASE, NEVER, SECRET, Answers, Server, adapter, failure, observed, serving

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.exchange import LONGEST_WAIT_SECONDS, _retry_after
from ragproof.core import (
    AdapterError,
)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    server = Server((status, "busy"), (status, "busy"), {"answer_text": "far"})
    assert observed(server).answer is not None
    assert len(server.asked) == 3


def test_it_is_not_tried_for_ever() -> None:
    server = Server((503, "come back\nlater"))
    said = failure(server)
    assert said.endswith("503 Service Unavailable (after 3 attempts): come back\nlater")
    assert said.startswith("POST http://127.0.0.1:")
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_what_will_not_pass_fails_at_once(status: int) -> None:
    server = Server((status, "n" * 500))
    said = failure(server)
    assert f": {status} " in said
    assert said.endswith(": " + "n" * 200)
    assert len(server.asked) == 1


def test_a_redirect_is_not_followed() -> None:
    server = Server((307, "", ("Location", "http://elsewhere.invalid/ask")))
    assert "307 Temporary Redirect: it redirects to http://elsewhere.invalid/ask" in failure(server)
    assert len(server.asked) == 1


def test_a_wait_that_outlasts_the_case_is_not_begun() -> None:
    server = Server((429, "slow down", ("Retry-After", "20")))
    started = time.monotonic()
    said = failure(server, case_timeout_seconds=10.0)
    assert "(after 1 attempt; the next would come too late for this case): slow down" in said
    assert time.monotonic() - started < 20  # what it was told to wait
    assert len(server.asked) == 1


def test_retry_after_is_waited_for() -> None:
    server = Server((429, "", ("Retry-After", "1")), {"answer_text": "far"})
    started = time.monotonic()
    seen = observed(server)
    took = time.monotonic() - started
    assert took >= 1
    assert seen.seconds is not None
    assert seen.seconds <= took - 1  # the attempt that succeeded, not the waiting


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("7", 7, 7),
        ("86400", LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS),
        ("-3", 0, 0),
        ("Tue, 01 Jan 2999 00:00:00 GMT", 30, 30),
        ("Mon, 01 Jan 1990 00:00:00 -0000", 0, 0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_capped(said: str, low: float, high: float) -> None:
    wait = _retry_after(web.Response(headers={"Retry-After": said}))  # type: ignore[arg-type]
    assert wait is not None
    assert low <= wait <= high


@pytest.mark.parametrize("said", ["", "soon", "nan", "inf", "Mon, 99 Foo"])
def test_retry_after_that_says_nothing_is_none(said: str) -> None:
    assert _retry_after(web.Response(headers={"Retry-After": said})) is None  # type: ignore[arg-type]


async def _hang(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(NEVER)
    return web.Response()


async def _half(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"answer_text"')
    assert request.transport is not None
    request.transport.close()
    return response


async def _nothing(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def _huge(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(1000):
        await response.write(b" " * 100_000)
    return response


async def _bomb(_: web.Request) -> web.StreamResponse:
    return web.Response(body=gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"})


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (_half, "the connection failed: "),
        (_nothing, "the connection failed: "),
        (_hang, "no complete response within 1 s (after 2 attempts)"),
    ],
)
def test_a_server_that_gives_no_response_is_tried_again(reply: Answers, said: str) -> None:
    server = Server(reply)
    assert said in failure(server, timeout_seconds=1.0, max_attempts=2)
    assert len(server.asked) == 2
    assert observed(Server(reply, {"answer_text": "x"}), timeout_seconds=5.0).answer is not None


@pytest.mark.parametrize("reply", [_huge, _bomb])
def test_a_response_that_is_too_large_is_not_read_to_its_end(reply: Answers) -> None:
    assert "the response is larger than 1,000,000 bytes" in failure(Server(reply))


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b"<html>oops", "text/html", "the response (text/html) is not JSON: <html>oops"),
        (b"", "application/json", "the response (application/json) is empty"),
        (b"\xff\xfe\xff", "application/json", "not text in the charset 'utf-8'"),
        (b"\xff", "application/json; charset=klingon", "not text in the charset 'klingon'"),
        (b"[" * 200_000, "application/json", "is not JSON: [[["),
    ],
)
def test_garbage_is_shown(body: bytes, kind: str, said: str) -> None:
    async def garbage(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, headers={"Content-Type": kind})

    assert said in failure(Server(garbage))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('\ufeff"weiß"'.encode(), "application/json"),
        ('"weiß"'.encode(), "application/json; charset=latin-1"),
        ('"weiß"'.encode("latin-1"), "application/json; charset=latin-1"),
        ('"weiß"'.encode(), "text/plain"),
    ],
)
def test_utf8_is_read_whatever_is_declared(body: bytes, kind: str) -> None:
    async def reply(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, headers={"Content-Type": kind})

    seen = observed(Server(reply))
    assert seen.answer is not None
    assert seen.answer.answer_text == "weiß"


def test_nobody_there_is_said() -> None:
    one = adapter(HttpEndpoint(url="http://127.0.0.1:9/ask"), max_attempts=2)

    async def main() -> None:
        try:
            await one.observe(CASE)
        finally:
            await one.close()

    with pytest.raises(
        AdapterError, match=r"^GET http://127\.0\.0\.1:9/ask: the connection failed"
    ):
        asyncio.run(main())


def test_a_secret_that_the_server_sends_back_is_hidden() -> None:
    async def echo(request: web.Request) -> web.StreamResponse:
        padding = "x" * 195  # the cut at 200 characters would leave half of it
        return web.Response(status=400, text=padding + request.headers["Authorization"])

    said = failure(Server(echo), headers={"Authorization": "env:TOKEN"})
    assert said.endswith("x***")
    assert SECRET[:3] not in said


@pytest.mark.parametrize("at_once", [150])
def test_more_than_a_hundred_requests_are_in_flight_at_once(at_once: int) -> None:
    waiting = 0
    all_there = asyncio.Event()

    async def meet(_: web.Request) -> web.StreamResponse:
        nonlocal waiting
        waiting += 1
        if waiting == at_once:
            all_there.set()
        await all_there.wait()
        return web.json_response("far")

    async def act(base: str) -> None:
        one = adapter(HttpEndpoint(url=f"{base}/ask"), timeout_seconds=NEVER)
        await asyncio.gather(*(one.observe(CASE) for _ in range(at_once)))
        await one.close()

    asyncio.run(serving(Server(meet), act))


def test_a_cookie_of_one_case_is_not_sent_with_the_next() -> None:
    server = Server((200, '"x"', ("Set-Cookie", "session=1")))

    async def act(base: str) -> None:
        one = adapter(HttpEndpoint(url=f"{base}/ask"))
        await one.observe(CASE)
        await one.observe(CASE)
        await one.close()

    asyncio.run(serving(server, act))
    assert "Cookie" not in server.asked[1]["headers"]
