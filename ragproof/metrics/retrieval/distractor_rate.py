"""retrieval.distractor_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import DISTRACTORS, RETRIEVAL
from ragproof.metrics.ranks import check_k


@dataclass(frozen=True)
class DistractorRate(PureMetric[CaseRun]):
    """Share of the first k retrieved sources that are known to mislead.

    Question: How often does what looks like the answer, and is not, come up?
    Formula: |distractors ∩ first k distinct retrieved sources| / |first k distinct retrieved
        sources|; distractors are `distractor_source_ids`
    Range: 0, none came up, to 1, nothing else did. Lower is better.
    Edge cases: Where fewer than k were retrieved the denominator is as many as there are. Where
        nothing was retrieved it is not applicable. Sources are matched as `source_match` says.
    Not to be confused with: 1 - `retrieval.precision_at_k`: most of what is irrelevant misleads
        nobody.
    References: Cuconasu et al., SIGIR 2024, "The Power of Noise", for distracting documents that
        cost more than random ones.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", distractor_source_ids=("old",))
        >>> found = (Chunk(id="new"), Chunk(id="old"))
        >>> DistractorRate().score(CaseRun(case, Observation(case_id="q1", retrieved=found))).value
        0.5
    """

    k: int = 5

    spec = Spec(unit=Unit.FRACTION, better=Better.LOWER, needs=(RETRIEVAL, DISTRACTORS))

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the distractors in the first k."""
        first, misleading = run[RETRIEVAL][: self.k], run[DISTRACTORS]
        if not first:
            raise DoesNotArise("nothing was retrieved")
        found = {source: rank for rank, source in enumerate(first, 1) if source in misleading}
        return Scored(len(found) / len(first), {"distractors": found})
