"""robustness.overrefusal"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseKind,
    CaseRun,
    DoesNotArise,
    Interval,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import ANSWER, REFUSAL, SHOULD_ABSTAIN


@dataclass(frozen=True)
class Overrefusal(PureMetric[CaseRun]):
    """Whether an answerable question was declined.

    Question: How often does the pipeline decline what it could answer?
    Formula: 1 if the answer declines, else 0
    Range: 0, it answered, or 1, it declined; the mean is the refusal rate.
    Edge cases: An empty answer declines, one that answers in part does not. A case whose
        `answerable_from_context` is false is not applicable: what was supplied did not permit an
        answer. A question of traffic that nobody labelled is skipped. Without a judge a rule
        decides; where it does not know the answer's language the case is skipped. With a judge
        only the judge decides.
    Not to be confused with: `robustness.abstention`, where declining is right. An answer that is
        wrong is none that declines.
    References: Röttger et al., NAACL 2024 (XSTest), for exaggerated refusals.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?")
        >>> said = Observation(case_id="q", answer=Answer(answer_text="Paris."))
        >>> read = Readings(refusal=Refusal(refused=False, because=""))
        >>> Overrefusal().score(CaseRun(case, said, read)).value
        0.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(ANSWER, REFUSAL, SHOULD_ABSTAIN),
        kinds=frozenset({CaseKind.QA}),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Take the refusal as read."""
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        if run[SHOULD_ABSTAIN]:
            raise DoesNotArise("the context does not permit an answer", refusal.evidence)
        return Scored(float(refusal.refused), refusal.evidence)
