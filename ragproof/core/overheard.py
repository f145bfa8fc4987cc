"""Hearing what a judge says while others ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ragproof.core.ports import Judge, Reply, accept
from ragproof.core.prompt import Prompt

T = TypeVar("T")


@dataclass(frozen=True)
class Overheard:
    """A judge whose every reply is written down."""

    judge: Judge
    replies: list[Reply] = field(default_factory=list[Reply])
    repeat: int = 0
    """Which repeat of the case it is asked about."""

    @property
    def fingerprint(self) -> str:
        """The judge's."""
        return self.judge.fingerprint

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
        """Ask, and write down what is said before it is parsed."""

        def noted(reply: Reply) -> None:
            self.replies.append(reply)
            heard(reply)

        return await self.judge.ask(
            prompt, variables, shape, check=check, heard=noted, repeat=repeat or self.repeat
        )
