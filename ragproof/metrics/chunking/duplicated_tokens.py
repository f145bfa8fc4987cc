"""chunking.duplicated_tokens"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    Chunk,
    DoesNotArise,
    Pool,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import CHUNKS
from ragproof.metrics.cuts import NO_CHUNKS
from ragproof.text.token_count import counting
from ragproof.text.whereabouts import bare

LEAST = 8
"""Characters that two neighbours have in common by more than chance."""


@dataclass(frozen=True)
class DuplicatedTokens(PureMetric[CaseRun]):
    """Share of the chunks' tokens that other chunks have already: what overlap costs.

    Question: How much is stored, embedded and read twice?
    Formula: duplicated tokens / tokens of all chunks; duplicated is what the beginning of a chunk
        has in common with the end of the one before it, and a chunk that came before
    Range: 0, nothing comes twice, towards 1; over a set it is the ratio of the sums.
    Edge cases: The chunks' own text is compared, so that no place has to be known; white space
        does not count. Less than 8 characters in common are chance, not overlap. Tokens are
        characters, 4 of which are one, or words with `tokens: words`: words that the overlap cuts
        through do not count as duplicated. Text that a document itself says twice is no
        duplicate, unless it makes up a whole chunk or a cut falls just between.
    Not to be confused with: `retrieval.span_precision`, what of the retrieved text is needed.
    References: the duplication cost by which an overlap is chosen (`docs/chunking.md`).

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation
        >>> case = DocumentCase(id="d", document=Document(text="..."))
        >>> chunks = (Chunk(id="1", text="one of second"), Chunk(id="2", text="of second third"))
        >>> run = CaseRun(case, Observation(case_id="d", chunks=chunks))
        >>> DuplicatedTokens(tokens="words").score(run).value == 2 / 6
        True
    """

    tokens: str = "characters"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(CHUNKS,),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        counting(self.tokens)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare each chunk with the one before it."""
        chunks = run[CHUNKS]
        if not chunks:
            raise DoesNotArise(NO_CHUNKS)
        split = self._words if self.tokens == "words" else self._characters
        parts = [split(one) for one in chunks]
        total = sum(map(len, parts))
        if not total:
            raise DoesNotArise("the chunks have no text")
        seen: set[str] = set()
        twice = 0
        for before, one in pairwise([[], *parts]):
            whole = "\0".join(one)
            twice += len(one) if whole in seen else overlap(before, one)
            seen.add(whole)
        unit = 1 if self.tokens == "words" else 4
        evidence = {"duplicated": twice / unit, "tokens": total / unit, "chunks": len(chunks)}
        return Scored(twice / total, evidence, weight=total / unit)

    def _words(self, chunk: Chunk) -> list[str]:
        return chunk.text.split()

    def _characters(self, chunk: Chunk) -> list[str]:
        return list(bare(chunk.text))


def overlap(before: Sequence[str], one: Sequence[str]) -> int:
    """How many of the last tokens of one text are the first of the next.

    The longest beginning that is also an ending so far is kept while reading on (Knuth, Morris
    and Pratt 1977), so that the time grows with the length only.
    """
    if not before or not one:
        return 0
    fallback = [0] * len(one)
    at = 0
    for place in range(1, len(one)):
        while at and one[place] != one[at]:
            at = fallback[at - 1]
        at += one[place] == one[at]
        fallback[place] = at
    at = 0
    for token in before:
        if at == len(one):
            at = fallback[at - 1]
        while at and token != one[at]:
            at = fallback[at - 1]
        at += token == one[at]
    return at if sum(map(len, one[:at])) >= LEAST else 0
