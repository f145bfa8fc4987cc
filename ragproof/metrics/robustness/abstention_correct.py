"""robustness.abstention_correct"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseKind,
    CaseRun,
    Interval,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import ANSWER, REFUSAL, SHOULD_ABSTAIN


@dataclass(frozen=True)
class AbstentionCorrect(PureMetric[CaseRun]):
    """Whether it declined exactly where it should.

    Question: Does it decline what cannot be answered, and nothing else?
    Formula: 1 if (the answer declines) = (the case should be declined), else 0; a case should be
        declined where its kind is `unanswerable` or its `answerable_from_context` is false
    Range: 0, it answered what it should have declined or the reverse, or 1; the mean is the
        accuracy of the decision.
    Edge cases: Whether an answer is right plays no part. A question of traffic that nobody labelled
        is skipped. Refusals are read as for `robustness.abstention`.
    Not to be confused with: `robustness.abstention` and `robustness.overrefusal`, its two
        halves: where most questions can be answered, a pipeline that never declines does well
        here.
    References: Kamath, Jia and Liang, ACL 2020, for abstention as a decision of its own.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?", kind=CaseKind.UNANSWERABLE)
        >>> said = Observation(case_id="q", answer=Answer(answer_text="I don't know."))
        >>> read = Readings(refusal=Refusal(refused=True, because="I don't know"))
        >>> AbstentionCorrect().score(CaseRun(case, said, read)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, REFUSAL, SHOULD_ABSTAIN),
        kinds=frozenset({CaseKind.QA, CaseKind.UNANSWERABLE}),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare what was done with what should have been."""
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        should = run[SHOULD_ABSTAIN]
        evidence = {"should_abstain": should, **refusal.evidence}
        return Scored(float(refusal.refused is should), evidence)
