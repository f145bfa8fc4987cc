"""Ask a model, check what it replies, and have a faulty reply repaired once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ragproof.core import Prompt, Reply, UselessReply, accept
from ragproof.judge.reply import parsed, schema
from ragproof.llm.model import Ask, Model
from ragproof.text.untrusted import enclosed

T = TypeVar("T")
_SHOWN = 4_000
"""Characters of a faulty reply that are shown to the model again."""
_MESSAGE = 600
"""Characters of what is wrong, in messages."""


@dataclass(frozen=True)
class ModelJudge:
    """A judge that is a language model."""

    model: Model
    retries: bool = False
    """Whether what was kept before and is of no use, its repair included, is asked for anew; a
    usable reply never is."""

    @property
    def fingerprint(self) -> str:
        """The model's."""
        return self.model.fingerprint

    async def ask(
        self,
        prompt: Prompt,
        variables: Mapping[str, str],
        shape: type[T],
        /,
        *,
        check: Callable[[T], None] = accept,
        heard: Callable[[Reply], None] = accept,
        repeat: int = 0,
    ) -> T:
        """Ask; on a faulty reply ask once more with the fault appended.

        The variables are put between tags that their texts cannot close. `repeat` tells apart
        what is asked again on purpose. Where useless replies are retried, those of before are
        not heard again.
        """
        system, user = prompt.filled(enclosed(variables))
        asked = Ask(
            system=system,
            user=user,
            prompt=prompt.sha256,
            schema=schema(shape),
            repeat=repeat,
            weighs=prompt.weighs,
        )
        told: list[Reply] = []
        try:
            return await self._exchanged(asked, shape, check, told.append)
        except UselessReply:
            if not (self.retries and all(reply.cached for reply in told)):
                raise
            told.clear()
        finally:
            for reply in told:
                heard(reply)
        return await self._exchanged(replace(asked, anew=True), shape, check, heard)

    async def _exchanged(
        self,
        asked: Ask,
        shape: type[T],
        check: Callable[[T], None],
        heard: Callable[[Reply], None],
    ) -> T:
        """Ask, and once more where need be. Raises UselessReply where both replies are."""
        first = await self._reply(asked, heard)
        try:
            return parsed(first.text, shape, check)
        except ValueError as fault:
            again = replace(asked, user=asked.user + _complaint(first, fault))
        second = await self._reply(again, heard)
        try:
            return parsed(second.text, shape, check)
        except ValueError as fault:
            why = _why(second, fault)
            raise UselessReply(f"no usable reply, the repair included: {why}") from fault

    async def _reply(self, asked: Ask, heard: Callable[[Reply], None]) -> Reply:
        reply = await self.model.reply(asked)
        heard(reply)
        return reply


def _complaint(reply: Reply, fault: ValueError) -> str:
    shown = enclosed({"reply": reply.text[:_SHOWN]})["reply"]
    return (
        f"\n\nYou replied:\n{shown}\n\nThat reply cannot be used: {_why(reply, fault)}\n"
        "Reply again, with one JSON object in the form asked for and nothing else."
    )


def _why(reply: Reply, fault: ValueError) -> str:
    why = str(fault)[:_MESSAGE]
    if not reply.truncated:
        return why
    return f"it was cut off at the output limit (judge.max_output_tokens); {why}"
