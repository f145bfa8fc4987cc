"""Where replies are kept, and the book of what they cost."""

from __future__ import annotations

from typing import Protocol

from ragproof.core import Reply
from ragproof.llm.model import Ask


class Replies(Protocol):
    """Replies at rest. What a method wrote is durable when it returns.

    For one key the order is `found`, `sent`, and then `received` or `failed`. A process that is
    killed leaves `sent` alone: that call may have been paid, is booked so for good, and does not
    keep the key from being asked again.
    """

    async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:
        """Give the reply of an earlier call, as it was received; `anew`, of one since we began."""
        ...

    async def sent(self, key: str, ask: Ask, usd: float | None, /) -> None:
        """Note that up to `usd` may be paid for this key from now on; None if that is unknown.

        Called again with a larger sum when an earlier attempt may have been paid for nothing.
        """
        ...

    async def received(self, key: str, ask: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        """Keep the reply word for word; its `usd` takes the place of what was sent.

        `lost` USD of that are for attempts before it that may have been paid for nothing.
        """
        ...

    async def failed(self, key: str, usd: float | None, /) -> None:
        """Note that no reply came; `usd` takes the place of what was sent, 0 if none was paid."""
        ...

    def spent(self) -> float:
        """USD of this run so far: what was paid and what may have been paid."""
        ...

    def unanswered(self) -> float:
        """The part of it for calls that brought no reply: the most that they may have cost."""
        ...


class MemoryReplies:
    """Replies that last as long as the process. Without `lookup` it only keeps the book."""

    def __init__(self, *, lookup: bool = True, spent: float = 0.0) -> None:
        """Begin with what was spent before."""
        self._lookup = lookup
        self._before = spent
        self._replies: dict[str, Reply] = {}
        self._usd: dict[str, float] = {}
        self._settled = 0.0
        self._lost = 0.0

    async def found(self, key: str, /, *, anew: bool = False) -> Reply | None:  # noqa: ARG002
        """Give the reply of an earlier call; there is none of before."""
        return self._replies.get(key) if self._lookup else None

    async def sent(self, key: str, _: Ask, usd: float | None, /) -> None:
        """Note what may be paid."""
        self._usd[key] = usd or 0.0

    async def received(self, key: str, _: Ask, reply: Reply, /, *, lost: float = 0.0) -> None:
        """Keep the reply and book what it cost."""
        if self._lookup:
            self._replies[key] = reply
        self._settle(key, reply.usd, lost)

    async def failed(self, key: str, usd: float | None, /) -> None:
        """Book what the call may have cost."""
        self._settle(key, usd, usd or 0.0)

    def spent(self) -> float:
        """USD so far, what may have been paid included."""
        return self._before + self._settled + sum(self._usd.values())

    def unanswered(self) -> float:
        """The part of it for calls that brought no reply; of before, that is not known."""
        return self._lost + sum(self._usd.values())

    def _settle(self, key: str, usd: float | None, lost: float) -> None:
        self._usd.pop(key, None)
        self._settled += usd or 0.0
        self._lost += lost
