"""A real server on loopback, and what an adapter sees through it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest
from aiohttp import web

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.exchange import Exchange
from ragproof.adapters.http import HttpAdapter
from ragproof.core import AdapterError, Observation, QuestionCase, Turn

Answers: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
CASE = QuestionCase(id="q1", question="Wie weit? {k}", history=(Turn(role="user", content="hi"),))
BODY = {"q": "{question}", "k": "{k}", "h": "{history}"}
NEVER = 30.0
SECRET = "s3cret-token"


class Server:
    """Gives the replies in turn, the last one for ever, and remembers what it was asked."""

    def __init__(self, *replies: object) -> None:
        self.replies = list(replies)
        self.asked: list[dict[str, Any]] = []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.text()
        asked = {"path": request.path_qs, "headers": request.headers, "body": body}
        self.asked.append({**asked, "method": request.method})
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if callable(reply):
            made: web.StreamResponse = await reply(request)
            return made
        if isinstance(reply, tuple):
            status, text, *headers = reply
            return web.Response(status=status, text=text, headers=dict(headers))
        return web.json_response(reply)


async def serving(server: Server, act: Callable[[str], Awaitable[Any]]) -> Any:
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        return await asyncio.wait_for(act(f"http://127.0.0.1:{port}"), NEVER)
    finally:
        await runner.cleanup()


def adapter(endpoint: HttpEndpoint, **more: Any) -> HttpAdapter:
    most_bytes = more.pop("most_bytes", 1_000_000)
    exchange = Exchange(
        timeout_seconds=more.pop("timeout_seconds", 5.0),
        max_attempts=more.pop("max_attempts", 3),
        backoff_seconds=0.01,
        most_bytes=most_bytes,
    )
    settings = {"depth": 4, "environ": {"TOKEN": SECRET}, "case_timeout_seconds": 60.0, **more}
    return HttpAdapter(exchange, {"answer": endpoint}, {}, **settings)


def observed(server: Server, **settings: Any) -> Observation:
    """What is seen through an answer endpoint at this server."""
    fields = {name: settings.pop(name) for name in list(settings) if name in PATHS}

    async def act(base: str) -> Observation:
        endpoint = HttpEndpoint(**{"url": f"{base}/ask", "body": BODY, **fields})
        one = adapter(endpoint, **settings)
        try:
            return await one.observe(CASE)
        finally:
            await one.close()

    seen: Observation = asyncio.run(serving(server, act))
    return seen


PATHS = {
    "answer_path",
    "citations_path",
    "chunks_path",
    "trace_path",
    "chunk_fields",
    "headers",
    "method",
}


def failure(server: Server, **settings: Any) -> str:
    with pytest.raises(AdapterError) as error:
        observed(server, **settings)
    return str(error.value)
