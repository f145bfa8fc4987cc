"""filter.false_exclusion_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ELIGIBLE, EXPECTED_SOURCES, PARTS, SURVIVORS
from ragproof.metrics.eligibility import false_exclusion_rate, gold_and_kept


@dataclass(frozen=True)
class FalseExclusionRate(PureMetric[CaseRun]):
    """Share of the questions that lost every eligible expected source to the filter.

    Question: How often does the filter make a right answer impossible?
    Formula: |questions of which no eligible expected source survived| / |questions with an
        eligible expected source|; eligible are the expected sources that are among
        `eligible_source_ids`, survived are those in `trace.survivors`
    Range: 0, some source survived everywhere, to 1, none anywhere. Lower is better.
    Edge cases: What the caller may see is settled first: an expected source outside
        `eligible_source_ids` is rightly gone, and a question with no other is not counted. Where
        no question is left there is no rate, and a gate that asks for one fails; it is never 0.
        A question that lost some of its sources is not counted as excluded. Without
        `eligible_source_ids` the caller may see everything. Survivors are documents: where labels
        name chunks of documents it is not applicable; label documents and set `source_match`.
    Not to be confused with: `retrieval.recall_at_k`, which falls with it and does not say that
        the filter is to blame; `filter.document_exclusion_rate`, which also counts partial loss;
        `filter.entitlement_violations`, the opposite fault.
    References: The reference on evaluating RAG systems that ragproof follows, part 5.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(
        ...     id="q1", question="?", expected_source_ids=("d2",), eligible_source_ids=("d1", "d2")
        ... )
        >>> answer = Answer(answer_text="?", trace=Trace(survivors=("d1",)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> FalseExclusionRate().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(SURVIVORS, EXPECTED_SOURCES),
        uses=(ELIGIBLE, PARTS),
        pool=Pool.RATIO,
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute one question, excluded or not."""
        gold, kept = gold_and_kept(run)
        rate, _ = false_exclusion_rate([(gold, gold, kept)])
        lost = sorted(gold - kept)
        return Scored(rate, {"eligible": sorted(gold), "kept": sorted(kept), "lost": lost})
