"""robustness.refused"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseKind, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, REFUSAL, SHOULD_ABSTAIN


@dataclass(frozen=True)
class Refused(PureMetric[CaseRun]):
    """Whether the answer declines, by whether it should: the rows of one table.

    Question: Where does it decline: where it could answer, where retrieval missed, or out of
        scope?
    Formula: 1 if the answer declines, else 0, under the case's situation: `out_of_scope` where
        its kind is `unanswerable`, `retrieval_miss` where `answerable_from_context` is false,
        `unlabelled` where it is traffic of which nobody said what is right, else `answerable`
    Range: 0, it answered, or 1, it declined; each mean is the refusal rate of its situation.
    Edge cases: High is right out of scope and after a miss, wrong where it could answer, so no
        direction is better. A `qa` case that does not tell `answerable_from_context` counts as
        answerable, but for one of the split `monitoring` that has nothing expected. Refusals are
        read as for `robustness.abstention`.
    Not to be confused with: `robustness.refusal_recall`, which joins the two situations in which
        declining is right; or `robustness.overrefusal`, the third alone.
    References: Thakur et al., EMNLP Findings 2024 (NoMIRACL), for passages that hold no answer
        apart from questions that have none.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?", answerable_from_context=False)
        >>> said = Observation(case_id="q", answer=Answer(answer_text="I don't know."))
        >>> read = Readings(refusal=Refusal(refused=True, because="I don't know"))
        >>> {key: one.value for key, one in Refused().score(CaseRun(case, said, read)).items()}
        {'retrieval_miss': 1.0}
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(ANSWER, REFUSAL),
        uses=(SHOULD_ABSTAIN,),
        kinds=frozenset({CaseKind.QA, CaseKind.UNANSWERABLE}),
        interval=Interval.WILSON,
        each="situation",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Put the refusal as read under the situation."""
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        return {self.figure_of(run): Scored(float(refusal.refused), refusal.evidence)}

    def figure_of(self, run: CaseRun, /) -> str:
        """Name the situation, which the case alone tells."""
        if run.case.kind is CaseKind.UNANSWERABLE:
            return "out_of_scope"
        should = run.get(SHOULD_ABSTAIN)
        return "unlabelled" if should is None else "retrieval_miss" if should else "answerable"
