"""The form of an API: what a request looks like and where a response says what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ragproof.core import Weighed
from ragproof.llm.model import Ask
from ragproof.llm.settings import ModelSettings

_AROUND = ' \t\n"'
"""What a token may hold beside the word that it is."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint turned out to take."""

    limit_field: str = "max_tokens"
    """How it calls the limit of tokens."""
    has_learnt_limit: bool = False
    takes_schema: bool = True
    alternatives: int = 0
    """How many words beside the one that was said it tells the probability of; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a response says."""

    text: str
    finish: str | None
    truncated: bool
    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    spoken: tuple[Spoken, ...] | None = None
    """The text token by token; None where that is not told."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A token, and what else might have stood there, each with its probability."""

    text: str
    among: tuple[tuple[str, float], ...]


def weighed(
    spoken: tuple[Spoken, ...] | None, words: Collection[str]
) -> tuple[Weighed, ...] | None:
    """Pick the places where one of the words was said; tokens of one word are added up.

    >>> there = Spoken(" 4", ((" 4", 0.5), ("4", 0.25), ("3", 0.125), ("no", 0.0625)))
    >>> weighed((Spoken("It is", ()), there), ("3", "4"))
    (Weighed(at=5, said='4', among={'4': 0.75, '3': 0.125}),)
    """
    if not words or spoken is None:
        return None
    found, at = [], 0
    for token in spoken:
        if (said := token.text.strip(_AROUND)) in words:
            among: dict[str, float] = {}
            for text, probability in token.among:
                if (word := text.strip(_AROUND)) in words:
                    among[word] = among.get(word, 0.0) + probability
            found.append(Weighed(at, said, among))
        at += len(token.text)
    return tuple(found)


class NoReply(Exception):
    """A response is none; says what it lacks."""


class Wire(Protocol):
    """One API."""

    def first_dialect(self, settings: ModelSettings, /) -> Dialect:
        """Give what to begin with."""
        ...

    def headers(self, settings: ModelSettings, key: str | None, /) -> Mapping[str, str]:
        """Give the headers of a request, the key included."""
        ...

    def body(self, ask: Ask, settings: ModelSettings, dialect: Dialect, /) -> dict[str, Any]:
        """Give the body of a request."""
        ...

    def read(self, document: Any, /) -> Said:  # noqa: ANN401  any JSON
        """Read a response; raise NoReply."""
        ...


def sendable(text: str) -> str:
    """Give the text with halves of characters, which no encoding can carry, replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def count(usage: Any, *names: str) -> int | None:  # noqa: ANN401  any JSON
    """Sum the named counts of a usage report; None where it holds no number for the first."""
    found = [usage.get(name) if isinstance(usage, Mapping) else None for name in names]
    numbers = [one for one in found if isinstance(one, int) and not isinstance(one, bool)]
    if not numbers or found[0] not in numbers or min(numbers) < 0:
        return None
    return sum(numbers)


def words(content: Any) -> str | None:  # noqa: ANN401  any JSON
    """Give the text of a message: of a string, or of a list of parts; None where there is none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [
        part["text"]
        for part in content
        if isinstance(part, Mapping)
        and part.get("type", "text") in {"text", "output_text"}
        and isinstance(part.get("text"), str)
    ]
    return "".join(parts) if parts else None
