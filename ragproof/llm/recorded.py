"""A model that gives the replies of an earlier run again, without network and for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from ragproof.core import JudgeError, Reply
from ragproof.llm.model import Ask


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Replies by the key that they had for the model that gave them."""

    recorded: str
    """The fingerprint of that model."""
    replies: Mapping[str, Reply]
    prompts: AbstractSet[str]
    """sha256 of the prompts that were asked then."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """sha256 of a prompt to what messages call it."""
    source: str = "the recorded run"
    """What messages call the run."""

    @property
    def fingerprint(self) -> str:
        """Say whose replies these are, and that they are not fresh."""
        return f"recorded: {self.recorded}"

    async def reply(self, ask: Ask, /) -> Reply:
        """Give the reply. Raises JudgeError that names the prompt where there is none."""
        reply = self.replies.get(ask.key(self.recorded))
        if reply is not None:
            return replace(reply, cached=True, usd=0.0)
        name = self.names.get(ask.prompt, ask.prompt[:12])
        if ask.prompt in self.prompts:
            why = "but not with this input: question, answer, context or repeat differ"
        else:
            why = "its wording has changed since, or its metric was not part of that run"
        raise JudgeError(
            f"{self.source} has no reply to prompt {name} (sha256 {ask.prompt[:12]}), {why}; run "
            "again with the model itself and record that"
        )

    async def close(self) -> None:
        """Let go of nothing."""
