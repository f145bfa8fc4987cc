"""The tokens of a passage, kept for as long as several metrics ask about it."""

from __future__ import annotations

from functools import lru_cache

from ragproof.text.answer_tokens import answer_tokens


@lru_cache(maxsize=256)
def passage_tokens(text: str) -> tuple[str, ...]:
    """Those of `answer_tokens`, in order."""
    return tuple(answer_tokens(text))


@lru_cache(maxsize=256)
def passage_words(text: str) -> frozenset[str]:
    """Each of them once."""
    return frozenset(passage_tokens(text))
