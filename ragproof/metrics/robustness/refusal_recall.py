"""robustness.refusal_recall"""

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
class RefusalRecall(PureMetric[CaseRun]):
    """Share of the cases that should be declined that were.

    Question: Of all it should decline, how much does it?
    Formula: |refusals of cases that should be declined| / |cases that should be declined|; a case
        should be declined where its kind is `unanswerable` or its `answerable_from_context` is
        false
    Range: 0, none was declined, to 1, all were.
    Edge cases: A case that can be answered is not applicable; a question of traffic that nobody
        labelled is skipped. Refusals are read as for
        `robustness.abstention`.
    Not to be confused with: `robustness.abstention`, which is of the kind `unanswerable` only,
        so that questions outside the corpus stay apart from retrieval that missed.
    References: Manning, Raghavan and Schütze 2008, section 8.3, with refusal as the class; Thakur
        et al., EMNLP Findings 2024 (NoMIRACL), for questions whose passages hold no answer.

    Example:
        >>> from ragproof.core import Answer, Observation, QuestionCase, Readings, Refusal
        >>> case = QuestionCase(id="q", question="?", kind=CaseKind.UNANSWERABLE)
        >>> said = Observation(case_id="q", answer=Answer(answer_text="I don't know."))
        >>> read = Readings(refusal=Refusal(refused=True, because="I don't know"))
        >>> RefusalRecall().score(CaseRun(case, said, read)).value
        1.0
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
        """Contribute one case that should be declined, if it is one."""
        if run.get(SHOULD_ABSTAIN) is False:
            raise DoesNotArise("the question can be answered")
        run[ANSWER]  # that there is no answer says more than that it could not be read
        refusal = run[REFUSAL]
        _ = run[SHOULD_ABSTAIN]
        return Scored(float(refusal.refused), refusal.evidence)
