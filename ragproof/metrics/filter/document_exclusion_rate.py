"""filter.document_exclusion_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ELIGIBLE, EXPECTED_SOURCES, PARTS, SURVIVORS
from ragproof.metrics.eligibility import gold_and_kept


@dataclass(frozen=True)
class DocumentExclusionRate(PureMetric[CaseRun]):
    """Share of the eligible expected sources that the filter removed, over all questions.

    Question: How much of the evidence never reaches the retriever?
    Formula: sum of |eligible expected sources that did not survive| / sum of |eligible expected
        sources|, over all questions with one
    Range: 0, all survived, to 1, none did. Lower is better.
    Edge cases: A source counts once for each question that expects it; a question with four
        sources weighs as much as four with one. What the caller may not see is left out above
        and below. Otherwise as `filter.false_exclusion_rate`.
    Not to be confused with: `filter.false_exclusion_rate`, which counts questions that lost
        everything.
    References: The reference on evaluating RAG systems that ragproof follows, part 5.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> answer = Answer(answer_text="?", trace=Trace(survivors=("a", "x")))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> DocumentExclusionRate().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(SURVIVORS, EXPECTED_SOURCES),
        uses=(ELIGIBLE, PARTS),
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute the question's sources, removed and all."""
        gold, kept = gold_and_kept(run)
        lost = gold - kept
        evidence = {"kept": sorted(kept), "lost": sorted(lost)}
        return Scored(len(lost) / len(gold), evidence, weight=len(gold))
