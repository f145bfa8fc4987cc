"""A provider on loopback that does what it is told, and what is needed to ask it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from aiohttp import web

from ragproof.core import Reply
from ragproof.llm.budget import Budget
from ragproof.llm.client import Client
from ragproof.llm.door import Door
from ragproof.llm.health import Patience
from ragproof.llm.limiter import Limiter
from ragproof.llm.model import Ask
from ragproof.llm.prices import UNPRICED, Prices
from ragproof.llm.replies import MemoryReplies, Replies
from ragproof.llm.settings import ModelSettings

Answers: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
NEVER = 60.0
"""Seconds after which a test has hung."""
KEY = "sk-s3cret-0123456789"
HASTY = Patience(
    backoff_seconds=0.001,
    longest_backoff_seconds=0.01,
    deadline_seconds=20.0,
    outage_seconds=0.3,
    first_outage_seconds=0.1,
)
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
DEAR = Prices(1000.0, 1000.0)
"""A tenth of a cent a token."""


def ask(user: str = "Is it so?", **more: Any) -> Ask:
    return Ask(**{"system": "Judge.", "user": user, "prompt": "p" * 64, **more})


def said(text: str = '{"verdict": "yes"}', **more: Any) -> dict[str, Any]:
    """Give a response of an OpenAI-like server."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return {"model": "m-2026", "choices": [choice], "usage": usage, **more}


def error(message: str, **more: Any) -> str:
    """Give the body of a refusal."""
    return json.dumps({"error": {"message": message, **more}})


async def never(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def reset(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def half(request: web.Request) -> web.StreamResponse:
    """Promise more than is sent."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


class Provider:
    """Gives the replies in turn, the last one for ever, and remembers what it was asked.

    A reply is JSON, (status, text, *headers), or what answers the request itself.
    """

    def __init__(self, *replies: object) -> None:
        self.replies = list(replies) or [said()]
        self.asked: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.out = self.most_out = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        self.headers.append(request.headers)
        self.paths.append(request.path_qs)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        self.out += 1
        self.most_out = max(self.most_out, self.out)
        try:
            if callable(reply):
                made: web.StreamResponse = await reply(request)
                return made
        finally:
            self.out -= 1
        if isinstance(reply, tuple):
            status, text, *headers = reply
            return web.Response(status=status, text=text, headers=dict(headers))
        return web.json_response(reply)


def with_provider(provider: Provider, act: Callable[[str], Awaitable[Any]]) -> Any:
    """Run `act` with the address of a real server."""

    async def run() -> Any:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{rest:.*}", provider.answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            return await asyncio.wait_for(act(url), NEVER)
        finally:
            await runner.cleanup()

    return asyncio.run(run())


def client(url: str, **settings: Any) -> Client:
    key = settings.pop("key", KEY)
    return Client(ModelSettings(**{"model": "m", "base_url": url, **settings}), key)


def asked_once(provider: Provider, question: Ask | None = None, /, **settings: Any) -> Reply:
    """Give the reply of one attempt."""

    async def act(url: str) -> Reply:
        one = client(url, **settings)
        try:
            return await one.reply(question or ask(schema=SCHEMA))
        finally:
            await one.close()

    reply: Reply = with_provider(provider, act)
    return reply


def door(
    url: str,
    *,
    replies: Replies | None = None,
    limit: float | None = None,
    prices: Prices = UNPRICED,
    concurrency: int = 16,
    patience: Patience = HASTY,
    **settings: Any,
) -> Door:
    kept = replies or MemoryReplies()
    one = client(url, **settings)
    return Door(
        one,
        kept,
        Budget(limit, kept.spent()),
        prices,
        max_output_tokens=one.settings.max_output_tokens,
        limiter=Limiter(concurrency),
        patience=patience,
    )
