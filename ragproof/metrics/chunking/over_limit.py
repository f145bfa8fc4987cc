"""chunking.over_limit"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Pool,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import CHUNKS
from ragproof.metrics.cuts import LISTED, NO_CHUNKS
from ragproof.metrics.parameters import at_least
from ragproof.text.token_count import counting


@dataclass(frozen=True)
class OverLimit(PureMetric[CaseRun]):
    """Share of the chunks that have more tokens than the embedding model reads.

    Question: Of how many chunks is the end never seen?
    Formula: chunks with more than `limit` tokens / chunks
    Range: 0, all fit, to 1, none does.
    Edge cases: Tokens are estimated at 4 characters each, or counted as words with
        `tokens: words`; your model's own count differs, so leave room. A chunk of exactly `limit`
        tokens fits. Empty chunks fit, and are named. The limit is 512 unless yours is given.
    Not to be confused with: `chunking.size`, which tells how long chunks are.
    References: the maximum sequence length of embedding models, such as 512 of BERT: Devlin et
        al., NAACL 2019.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation
        >>> case = DocumentCase(id="d", document=Document(text="..."))
        >>> chunks = (Chunk(id="1", text="one two three"), Chunk(id="2", text="four"))
        >>> run = CaseRun(case, Observation(case_id="d", chunks=chunks))
        >>> OverLimit(limit=2, tokens="words").score(run).value
        0.5
    """

    limit: int = 512
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
        at_least("limit", self.limit)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the tokens of each chunk."""
        count = counting(self.tokens)
        sizes = [(one.id, count(one.text)) for one in run[CHUNKS]]
        if not sizes:
            raise DoesNotArise(NO_CHUNKS)
        over = [(name, size) for name, size in sizes if size > self.limit]
        evidence: dict[str, Json] = {
            "over": dict(over[:LISTED]),
            "over_count": len(over),
            "longest": max(size for _, size in sizes),
            "empty": [name for name, size in sizes if not size][:LISTED],
        }
        return Scored(len(over) / len(sizes), evidence, weight=len(sizes))
