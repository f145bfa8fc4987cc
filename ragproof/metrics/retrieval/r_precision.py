"""retrieval.r_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import relevant_ranks


@dataclass(frozen=True)
class RPrecision(PureMetric[CaseRun]):
    """Precision at R, where R is how many sources are relevant to the question.

    Question: Are the first places those of the relevant sources, as many as there are?
    Formula: |relevant ∩ first R distinct retrieved sources| / R, R = |relevant|
    Range: 0, none of the first R is relevant, to 1, all are.
    Edge cases: Precision and recall at R are the same figure. Fewer than R retrieved sources
        leave places empty; none scores 0. Several chunks of one source count once, at the best
        rank. Where R is above `run.depth` the value cannot reach 1.
    Not to be confused with: `retrieval.precision_at_k`, which looks equally deep for every
        question and cannot reach 1 where fewer than k sources are relevant.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.4;
        trec_eval `Rprec`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("a", "x", "b"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> RPrecision().score(run).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES))

    def score(self, run: CaseRun, /) -> Scored:
        """Count the relevant sources in the first R places."""
        run[RETRIEVAL]  # that there is no retrieval says more than that nothing is expected
        relevant = run[EXPECTED_SOURCES]
        found = relevant_ranks(run, len(relevant))
        return Scored(len(found) / len(relevant), {"found": found})
