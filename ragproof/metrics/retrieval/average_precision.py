"""retrieval.average_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import relevant_ranks


@dataclass(frozen=True)
class AveragePrecision(PureMetric[CaseRun]):
    """Precision at the rank of each relevant source, averaged; its mean is the MAP.

    Question: How clean is the list down to each source that should be found?
    Formula: (1 / |relevant|) * sum of precision at rank over the ranks of relevant sources
    Range: 0, none was retrieved, to 1, all came before anything else.
    Edge cases: The whole ranked list counts, as deep as `run.depth` asked, not the first k. A
        relevant source that was not retrieved adds nothing, but is counted in |relevant|. Ranks
        count distinct sources. Empty retrieval scores 0.
    Not to be confused with: `retrieval.precision_at_k`, which looks at one depth only.
    References: Buckley and Voorhees, SIGIR 2000; trec_eval `map`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("a", "x", "y", "b"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> AveragePrecision().score(run).value
        0.75
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES))

    def score(self, run: CaseRun, /) -> Scored:
        """Average the precision over all relevant sources, found or not."""
        found = relevant_ranks(run)
        relevant = run[EXPECTED_SOURCES]
        precisions = [so_far / rank for so_far, rank in enumerate(found.values(), 1)]
        missed = sorted(relevant.difference(found))
        return Scored(sum(precisions) / len(relevant), {"found": found, "missed": missed})
