"""What a call costs, and what it may cost at most before it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.llm.model import Ask
from ragproof.llm.quick_json import dumps

CHARACTERS_A_TOKEN = 4
"""Where the provider tells no usage."""
_FEWEST_CHARACTERS_A_TOKEN = 3
"""Of ASCII text; other characters may take a token each."""
_ENVELOPE_TOKENS = 64
"""For what providers put around messages."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars a million tokens; None where unknown."""

    input_per_mtok: float | None = None
    output_per_mtok: float | None = None

    @property
    def known(self) -> bool:
        """Whether a cost can be computed."""
        return self.input_per_mtok is not None and self.output_per_mtok is not None

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """USD of so many tokens; None when a price is unknown."""
        if self.input_per_mtok is None or self.output_per_mtok is None:
            return None
        total = input_tokens * self.input_per_mtok + output_tokens * self.output_per_mtok
        return total / 1_000_000

    def most(self, ask: Ask, max_output_tokens: int) -> float | None:
        """USD that the call may cost: the prompt, guessed on the safe side, and a full reply."""
        if not self.known:
            return None
        return self.cost(most_tokens(ask), max_output_tokens)


UNPRICED = Prices()


def tokens(text: str) -> int:
    """Estimate the tokens of a text: 4 characters each, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def most_tokens(ask: Ask) -> int:
    """Estimate the tokens of a question on the safe side, that of its schema included."""
    schema = len(dumps(ask.schema)) if ask.schema else 0
    total = _ENVELOPE_TOKENS + schema // _FEWEST_CHARACTERS_A_TOKEN
    for text in (ask.system, ask.user):
        plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        total += -(-plain // _FEWEST_CHARACTERS_A_TOKEN) + len(text) - plain
    return total
