"""robustness.abstention"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseKind, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, REFUSAL


@dataclass(frozen=True)
class Abstention(PureMetric[CaseRun]):
    """Whether an unanswerable question was declined.

    Question: Does the pipeline decline where it cannot know?
    Formula: 1 if the answer declines, else 0
    Range: 0, an answer was made up, or 1, it was declined; the mean is the share declined.
    Edge cases: An empty answer declines, one that answers in part does not. Without a judge a
        rule decides; where it does not know the answer's language the case is skipped. With a
        judge only the judge decides, and where it fails it is a judge error.
    Not to be confused with: `robustness.overrefusal`, its counterpart on answerable questions:
        who declines everything is perfect here and worst there; or
        `robustness.refusal_recall`, which counts answerable questions too whose context did not
        hold the answer.
    References: Rajpurkar, Jia and Liang, ACL 2018 (SQuAD 2.0), for unanswerable questions.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?", kind=CaseKind.UNANSWERABLE)
        >>> said = Observation(case_id="q", answer=Answer(answer_text="I don't know."))
        >>> read = Readings(refusal=Refusal(refused=True, because="I don't know"))
        >>> Abstention().score(CaseRun(case, said, read)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, REFUSAL),
        kinds=frozenset({CaseKind.UNANSWERABLE}),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Take the refusal as read."""
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        return Scored(float(refusal.refused), refusal.evidence)
