"""The texts of a context, read once while several metrics ask about the same case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.letters import MARKS
from ragproof.text.name_spellings import Spellings
from ragproof.text.quantity_sources import Sources

_SIGNS = re.compile(f"[^\\w\\s{MARKS}]+")


def passages(texts: Iterable[str]) -> Passages:
    """Those of these texts; what was read of them before is there while the case is scored.

    >>> held = passages(["Mars has two moons.", "Phobos is the larger moon."])
    >>> "phobos" in held.words, held.has("Two Moons"), held.has("Moons Phobos")
    (True, True, False)
    """
    return _passages(tuple(texts))


@lru_cache(maxsize=4)  # two cases' contexts and questions: a case is scored in one go
def _passages(texts: tuple[str, ...]) -> Passages:
    return Passages(texts)


@dataclass(frozen=True)
class Passages:
    """Texts, and what is in them; nothing is read before it is asked for."""

    texts: tuple[str, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """The tokens of all of them, those of `answer_tokens`."""
        return frozenset[str]().union(*self._tokens)

    def has(self, name: str) -> bool:
        """Whether the words of the name stand in one of the texts, one after the other.

        Signs may join or part them: `U.S.` is in `US`, `TCP` in `TCP/IP`, `Darwin` in `Darwin's`.
        """
        tokens = answer_tokens(name)
        if self.words.issuperset(tokens) and (len(tokens) == 1 or _run(tokens) in self._joined):
            return True
        parts = answer_tokens(_parted(name))
        # without signs a part stands within a token, so that few texts have to be read again
        return all(part in self._joined for part in parts) and _run(parts) in self._parted

    @cached_property
    def spellings(self) -> Spellings:
        """How names are written in them, for those that are written otherwise elsewhere."""
        return Spellings(self.texts)

    @cached_property
    def quantities(self) -> Sources:
        """What numbers, amounts and dates can follow from."""
        return Sources(self.texts)

    @cached_property
    def _tokens(self) -> list[list[str]]:
        return [answer_tokens(text) for text in self.texts]

    @cached_property
    def _joined(self) -> str:
        return "\n".join(map(_run, self._tokens))

    @cached_property
    def _parted(self) -> str:
        return "\n".join(_run(answer_tokens(_parted(text))) for text in self.texts)


def _run(tokens: Sequence[str]) -> str:
    return f" {' '.join(tokens)} "


def _parted(text: str) -> str:
    return _SIGNS.sub(" ", text)
