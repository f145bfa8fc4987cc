"""Ranked search by words, scored as Lucene does."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from math import log
from typing import TypeAlias

Tokenizer: TypeAlias = Callable[[str], list[str]]

WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
"""Letters and digits; `4.6` and `5.3.1` are one word each."""

STOP_WORDS = frozenset(
    WORD.findall("""
    a about after again all also am an and any are as at be because been before being below
    between both but by can cannot could did do does doing down during each few for from further
    had has have having he her here hers him his how i if in into is it its itself many may me
    might more most much must my myself no nor not of off on once only or other our ours out
    over own same shall she should so some such than that the their theirs them themselves then
    there these they this those through to too under until up very was we were what when where
    which while who whom why will with would you your yours
    """)
)
"""English words that say how a sentence is built, not what it is about."""


def light_tokens(text: str) -> list[str]:
    """Give the lower-case words of a text without stop words and plural endings.

    Source of the stemmer: Harman, "How effective is suffixing?", JASIS 1991 (the S-stemmer).

    Example:
        >>> light_tokens("The batteries of both boxes: 4.6 kW")
        ['battery', 'boxe', '4.6', 'kw']
    """
    return [_singular(word) for word in WORD.findall(text.lower()) if word not in STOP_WORDS]


def _singular(word: str) -> str:
    """Take the plural ending off; the first rule whose ending fits decides."""
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    if word.endswith("s"):
        return word if word.endswith(("us", "ss")) else word[:-1]
    return word


class Bm25:
    """An index of texts.

    A text's score is the sum over the query's tokens of idf * tf / (tf + k1 (1 - b + b l / L)),
    with idf = ln(1 + (N - n + 0.5) / (n + 0.5)): tf is how often the token is in the text, n in
    how many of the N texts it is, l the text's length in tokens and L the mean length.
    Source: Kamphuis and others, "Which BM25 do you mean?", ECIR 2020 (Lucene, exact lengths).
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        tokens: Tokenizer = light_tokens,
        k1: float = 1.5,
        b: float = 0.75,
    ) -> None:
        counts = [Counter(tokens(text)) for text in texts]
        lengths = [count.total() for count in counts]
        mean_length = sum(lengths) / max(len(lengths), 1) or 1.0
        self.tokens = tokens
        self._size = len(texts)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for text, (count, length) in enumerate(zip(counts, lengths, strict=True)):
            norm = k1 * (1 - b + b * length / mean_length)
            for token, frequency in count.items():
                self._postings[token].append((text, frequency / (frequency + norm)))

    def idf(self, token: str) -> float:
        """Weigh a token: the rarer, the heavier; the heaviest is one that no text has."""
        n = len(self._postings.get(token, ()))
        return log(1 + (self._size - n + 0.5) / (n + 0.5))

    def best(self, query: str, k: int) -> list[tuple[int, float]]:
        """Find the k best texts, as positions and scores; those that share no token are left out.

        Of equal scores the earlier text comes first.
        """
        return self.weighted(Counter(self.tokens(query)), k)

    def weighted(self, query: Mapping[str, float], k: int) -> list[tuple[int, float]]:
        """The same for tokens that are told apart by weight; a token asked twice weighs 2."""
        scores: dict[int, float] = defaultdict(float)
        for token, asked in query.items():
            idf = asked * self.idf(token)
            for text, weight in self._postings.get(token, ()):
                scores[text] += idf * weight
        return nsmallest(k, scores.items(), key=lambda found: (-found[1], found[0]))
