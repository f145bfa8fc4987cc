"""A door to a provider on loopback, and the book that it keeps."""

from __future__ import annotations

import asyncio
from typing import Any

from fake_provider import DEAR, Provider, door, error, with_provider

from ragproof.core import Reply
from ragproof.llm.door import Door
from ragproof.llm.model import Ask
from ragproof.llm.replies import MemoryReplies

COST = DEAR.cost(10, 5)
"""Of what the provider says a reply took."""
assert COST is not None
BUSY = (429, error("slow down"))
DOWN = (500, error("oh"))


class Book(MemoryReplies):
    """Writes down what is written down."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.lines: list[tuple[str, float | None]] = []

    async def sent(self, key: str, one: Ask, usd: float | None, /) -> None:
        self.lines.append(("sent", usd))
        await super().sent(key, one, usd)

    async def received(self, key: str, one: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        await asyncio.sleep(0)
        self.lines.append(("received", reply.usd))
        self.kept = reply
        await MemoryReplies.received(self, key, one, reply, lost=lost)

    async def failed(self, key: str, usd: float | None, /) -> None:
        self.lines.append(("failed", usd))
        await super().failed(key, usd)


def through(provider: Provider, *questions: Ask, **settings: Any) -> tuple[list[Any], Door]:
    """Put the questions all at once; give replies or errors, and the door."""

    async def act(url: str) -> tuple[list[Any], Door]:
        one = door(url, **settings)
        try:
            got = await asyncio.gather(*map(one.reply, questions), return_exceptions=True)
        finally:
            await one.close()
        return got, one

    found: tuple[list[Any], Door] = with_provider(provider, act)
    return found


def runs(provider: Provider, *each: tuple[list[Ask], dict[str, Any]]) -> list[Any]:
    """Put questions through one door after the other; give what each gave."""

    async def act(url: str) -> list[Any]:
        found = []
        for questions, settings in each:
            one = door(url, **settings)
            got = await asyncio.gather(*map(one.reply, questions), return_exceptions=True)
            await one.close()
            found.append((got, one))
        return found

    found: list[Any] = with_provider(provider, act)
    return found


def one_after_the_other(
    provider: Provider, *questions: Ask, **settings: Any
) -> tuple[list[Any], Door]:
    async def act(url: str) -> tuple[list[Any], Door]:
        one, got = door(url, **settings), list[Any]()
        for question in questions:
            got += await asyncio.gather(one.reply(question), return_exceptions=True)
        await one.close()
        return got, one

    found: tuple[list[Any], Door] = with_provider(provider, act)
    return found
