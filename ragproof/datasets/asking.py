"""Ask a model that writes, and tell a useless reply from none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from ragproof.core import Judge, JudgeError, Prompt

T = TypeVar("T")
_REPLIES = 2
"""A reply and its repair: then the model did answer, and it is of no use."""


class Useless(ValueError):
    """The model replied, and neither the reply nor its repair can be used."""


async def said(
    judge: Judge, prompt: Prompt, asked: Mapping[str, str], shape: type[T], repeat: int = 0
) -> T:
    """Ask; raises Useless for what the model said, and JudgeError where it could not be reached."""
    heard: list[object] = []
    try:
        return await judge.ask(prompt, asked, shape, heard=heard.append, repeat=repeat)
    except JudgeError as fault:
        if len(heard) < _REPLIES:
            raise
        raise Useless(str(fault)) from fault
