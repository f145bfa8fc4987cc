"""Judges that say what a test wants them to say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ragproof.core import Reply
from ragproof.judge.ask import ModelJudge
from ragproof.llm.model import Ask


@dataclass
class Speaker:
    """A model whose reply depends on what it is asked."""

    say: Callable[[Ask], str | Reply | Exception]
    fingerprint: str = "speaker"
    asked: list[Ask] = field(default_factory=list[Ask])

    async def reply(self, ask: Ask, /) -> Reply:
        self.asked.append(ask)
        await asyncio.sleep(0)
        said = self.say(ask)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(said, usd=0.001)

    async def close(self) -> None:
        pass


def saying(*replies: str | Reply | Exception | dict[str, Any]) -> Speaker:
    """A model that says these, in order."""
    left = iter(replies)

    def say(_: Ask) -> str | Reply | Exception:
        reply = next(left)
        return json.dumps(reply) if isinstance(reply, dict) else reply

    return Speaker(say)


def always(reply: dict[str, Any] | str, fingerprint: str = "speaker") -> ModelJudge:
    """A judge that says the same whatever it is asked."""
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return ModelJudge(Speaker(lambda _: text, fingerprint))
