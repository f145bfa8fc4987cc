"""Ask a model that writes, and tell a useless reply from none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ragproof.core import Judge, JudgeError, Prompt, Reply, accept
from ragproof.core.overheard import Overheard

T = TypeVar("T")
_REPLIES = 2
"""A reply and its repair: then the model did answer, and it is of no use."""


class Useless(ValueError):
    """The model replied, and neither the reply nor its repair can be used."""


@dataclass(frozen=True)
class Telling:
    """A judge that tells what it said in vain from what it could not be asked."""

    judge: Judge

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
        """Ask; raises Useless for what the model said, JudgeError where it was not reached."""
        told = Overheard(self.judge)
        try:
            return await told.ask(prompt, variables, shape, check=check, heard=heard, repeat=repeat)
        except JudgeError as fault:
            if len(told.replies) < _REPLIES:
                raise
            raise Useless(str(fault)) from fault


async def said(
    judge: Judge, prompt: Prompt, asked: Mapping[str, str], shape: type[T], repeat: int = 0
) -> T:
    """Ask; raises Useless for what the model said, and JudgeError where it could not be reached."""
    return await Telling(judge).ask(prompt, asked, shape, repeat=repeat)
