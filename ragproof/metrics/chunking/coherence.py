"""chunking.coherence"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import CHUNKS, EMBED
from ragproof.core.pipeline import Embed
from ragproof.metrics.cuts import NO_CHUNKS
from ragproof.metrics.parameters import at_least
from ragproof.text.sentence_spans import sentence_spans

Unity: TypeAlias = NDArray[np.float64]
"""A vector of length 1."""
BATCH = 256
"""So many sentences are embedded by one call."""


@dataclass(frozen=True)
class Coherence(ToolMetric[CaseRun]):
    """How much more alike sentences are within chunks than across the cuts between chunks.

    Question: Do chunks hold together what belongs together, and part what does not?
    Formula: mean cosine of all pairs of sentences of one chunk - mean cosine of all pairs of a
        sentence of one chunk and a sentence of the next
    Range: -2 to 2; above 0 where sentences within chunks are more alike. Figures of different
        embedding models are not comparable.
    Edge cases: The adapter's `embed` gives the vectors or, where it has none, the local model of
        `local.embeddings`. A chunk of one sentence gives no pair within; where no chunk has two, or
        there is no cut, the document is not applicable. A sentence that two neighbours both have,
        in an overlap, is no pair across. With `window: N` only the N sentences before and after a
        cut are compared across it. Sentences whose vector has no direction are left out and
        counted. Sentences are told by their punctuation, also in scripts without spaces; a line of
        a table or list is one.
    Not to be confused with: `retrieval.recall_at_k`, by which a chunker is chosen: coherent
        chunks can be worse to search.
    References: Reimers and Gurevych, EMNLP 2019, for cosines of sentence embeddings.

    Example:
        >>> pairs = Pairs()
        >>> a, b = np.array([1.0, 0.0]), np.array([0.0, 1.0])
        >>> pairs.within([a, a])
        >>> pairs.across({"one": a}, {"two": b})
        >>> pairs.difference
        1.0
    """

    window: int = 0

    spec = Spec(unit=Unit.COSINES, better=Better.HIGHER, needs=(EMBED, CHUNKS), kinds=DOCUMENTS)

    def __post_init__(self) -> None:
        at_least("window", self.window, 0)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Compare the directions of the sentences' vectors."""
        embed, chunks = tools[EMBED], run[CHUNKS]
        if not chunks:
            raise DoesNotArise(NO_CHUNKS)
        said = [
            [" ".join(one.text[start:end].split()) for start, end in sentence_spans(one.text)]
            for one in chunks
        ]
        vectors = await _directions(
            embed, list(dict.fromkeys(one for some in said for one in some))
        )
        pairs = Pairs()
        for sentences in said:
            pairs.within([vectors[one] for one in sentences if one in vectors])
        for one, other in pairwise(said):
            before, after = one[-self.window :], other[: self.window or None]
            pairs.across(_known(before, vectors), _known(after, vectors))
        without = sum(one not in vectors for some in said for one in some)
        return Scored(pairs.difference, {**pairs.evidence, "without_direction": without})


@dataclass
class Pairs:
    """Sums of cosines, and how many there are."""

    inner: list[float] = field(default_factory=lambda: [0.0, 0.0])
    outer: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def within(self, sentences: Sequence[Unity]) -> None:
        """Add the pairs of a chunk: the square of a sum has every pair twice, and the squares."""
        if (n := len(sentences)) > 1:
            total = np.sum(sentences, axis=0)
            self.inner[0] += (float(total @ total) - n) / 2
            self.inner[1] += n * (n - 1) / 2

    def across(self, one: Mapping[str, Unity], other: Mapping[str, Unity]) -> None:
        """Add the pairs of two neighbours, less what both have."""
        left = [vector for text, vector in one.items() if text not in other]
        right = [vector for text, vector in other.items() if text not in one]
        if left and right:
            self.outer[0] += float(np.sum(left, axis=0) @ np.sum(right, axis=0))
            self.outer[1] += len(left) * len(right)

    @property
    def difference(self) -> float:
        """The difference of the means; raises DoesNotArise where there is none of a kind."""
        if not self.inner[1]:
            raise DoesNotArise("no chunk has two sentences")
        if not self.outer[1]:
            raise DoesNotArise("there is no cut with different sentences before and after it")
        value = self.inner[0] / self.inner[1] - self.outer[0] / self.outer[1]
        return min(2.0, max(-2.0, value))  # rounding may go a little beyond

    @property
    def evidence(self) -> dict[str, float]:
        """The two means, and of how many pairs."""
        return {
            "within": self.inner[0] / max(self.inner[1], 1),
            "across": self.outer[0] / max(self.outer[1], 1),
            "pairs_within": self.inner[1],
            "pairs_across": self.outer[1],
        }


def _known(sentences: Sequence[str], vectors: Mapping[str, Unity]) -> dict[str, Unity]:
    return {one: vectors[one] for one in sentences if one in vectors}


async def _directions(embed: Embed, sentences: Sequence[str]) -> dict[str, Unity]:
    """Each sentence's vector made 1 long; one that is 0 long has no direction."""
    found: dict[str, Unity] = {}
    for at in range(0, len(sentences), BATCH):
        some = sentences[at : at + BATCH]
        for sentence, vector in zip(some, await embed(some), strict=True):
            array = np.asarray(vector, dtype=np.float64)
            if (length := float(np.linalg.norm(array))) > 0:
                found[sentence] = array / length
    return found
