"""What is put to a model, and what all that puts it needs to know of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from ragproof.core import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question to a model."""

    system: str
    user: str
    prompt: str
    """sha256 of the prompt's templates."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the reply, which the prompt states in words too."""
    repeat: int = 0
    weighs: tuple[str, ...] = ()
    """Words of the reply whose probabilities are wanted; the prompt's hash covers them."""
    anew: bool = False
    """Whether a reply that was kept before this sitting will not do: it is known to be of no use.
    The question is the same all the same, and so is its key."""

    def key(self, fingerprint: str) -> str:
        """Identify the question to this model: what is asked twice has the same key.

        It is made of the fingerprint, the prompt's hash and the hash of the text; the repeat is
        part of it from the second on.
        """
        text = sha256(_sha256(self.system) + _sha256(self.user)).hexdigest()
        parts = [fingerprint, self.prompt, text]
        if self.repeat:
            parts.append(str(self.repeat))
        return _sha256("\0".join(parts)).hex()


class Model(Protocol):
    """Answers questions."""

    @property
    def fingerprint(self) -> str:
        """Identifies endpoint, model and settings."""
        ...

    async def reply(self, ask: Ask, /) -> Reply:
        """Answer, or raise JudgeError."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def _sha256(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
