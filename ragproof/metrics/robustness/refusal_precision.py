"""robustness.refusal_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseKind,
    CaseRun,
    DoesNotArise,
    Interval,
    Pool,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import ANSWER, REFUSAL, SHOULD_ABSTAIN


@dataclass(frozen=True)
class RefusalPrecision(PureMetric[CaseRun]):
    """Share of the refusals that were right.

    Question: When it declines, should it have?
    Formula: |refusals of cases that should be declined| / |refusals|; a case should be declined
        where its kind is `unanswerable` or its `answerable_from_context` is false
    Range: 0, all refusals were wrong, to 1, all were right.
    Edge cases: A case that was answered contributes nothing; without any refusal there is no
        figure. A question of traffic that nobody labelled is skipped. Refusals are read as for
        `robustness.abstention`.
    Not to be confused with: `robustness.overrefusal`, whose denominator is the answerable
        questions, not the refusals.
    References: Manning, Raghavan and Schütze 2008, section 8.3, with refusal as the class; Thakur
        et al., EMNLP Findings 2024 (NoMIRACL), for questions whose passages hold no answer.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?")
        >>> said = Observation(case_id="q", answer=Answer(answer_text="I don't know."))
        >>> read = Readings(refusal=Refusal(refused=True, because="I don't know"))
        >>> RefusalPrecision().score(CaseRun(case, said, read)).value
        0.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, REFUSAL, SHOULD_ABSTAIN),
        kinds=frozenset({CaseKind.QA, CaseKind.UNANSWERABLE}),
        pool=Pool.RATIO,
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute one refusal, right or wrong."""
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        if not refusal.refused:
            raise DoesNotArise("the answer does not decline", refusal.evidence)
        return Scored(float(run[SHOULD_ABSTAIN]), refusal.evidence)
