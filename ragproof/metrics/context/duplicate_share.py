"""context.duplicate_share"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import SUPPLIED
from ragproof.metrics.parameters import positive_share
from ragproof.metrics.supplied import some_supplied
from ragproof.text.shingles import shingles

WORDS = 3
LONGEST_MEAN = 20
"""Of more characters a word there is no script with spaces between words."""


@dataclass(frozen=True)
class DuplicateShare(PureMetric[CaseRun]):
    """Share of the chunks that the model was given which repeat one above them.

    Question: How much of the context is taken up by near-duplicates?
    Formula: |chunks whose text has a Jaccard similarity of at least `similarity` with that of a
        chunk above| / |chunks with text|, over the shingles of 3 words of their lower-cased texts;
        of 5 characters where there are fewer words, or the script has no spaces between them
    Range: 0, no two are alike, to below 1, all repeat the first.
    Edge cases: A chunk supplied twice under one id repeats itself too. Texts shorter than a
        shingle are alike where they are equal. Chunks without text are left out; a context
        without chunks, or without any text, is not applicable. Paraphrases are no duplicates here.
    Not to be confused with: `context.irrelevant_share`: a duplicate may be relevant, and adds
        nothing; or a poisoned copy, which is told by its label: `robustness.poisoned_use`.
    References: Broder 1997, for resemblance by shingles.

    Example:
        >>> repeats(["Mars has two moons.", "Bananas.", "mars has  two moons."], 0.8)
        [2]
    """

    similarity: float = 0.8

    spec = Spec(unit=Unit.FRACTION, better=Better.LOWER, needs=(SUPPLIED,))

    def __post_init__(self) -> None:
        positive_share("similarity", self.similarity)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare each chunk with those above it."""
        some_supplied(run)
        chunks = [one for one in run[SUPPLIED] if one.text.strip()]
        again = repeats([one.text for one in chunks], self.similarity)
        evidence: dict[str, Json] = {
            "repeats": [chunks[at].id for at in again],
            "chunks": len(chunks),
        }
        return Scored(len(again) / len(chunks), evidence)


def repeats(texts: list[str], similarity: float) -> list[int]:
    """Which of the texts are like one before them."""
    seen = [_shingled(one.lower().split()) for one in texts]
    return [
        at
        for at, one in enumerate(seen)
        if any(_alike(one, other, similarity) for other in seen[:at])
    ]


def _shingled(words: list[str]) -> frozenset[object]:
    plain = " ".join(words)
    if len(words) >= WORDS and len(plain) <= len(words) * LONGEST_MEAN:
        return frozenset(zip(words, words[1:], words[2:], strict=False))
    return frozenset(shingles(plain)) or frozenset({plain})


def _alike(one: frozenset[object], other: frozenset[object], similarity: float) -> bool:
    if min(len(one), len(other)) < similarity * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= similarity * (len(one) + len(other) - shared)
