"""query.intent_precision"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_INTENT, INTENT


@dataclass(frozen=True)
class IntentPrecision(PureMetric[CaseRun]):
    """Share of the questions taken for an intent that have it, a figure an intent.

    Question: When it says that the question is about this, is it?
    Formula: for each intent, |questions where it was given and expected| / |questions where it
        was given|
    Range: 0, never, to 1, always.
    Edge cases: A question counts for the intent that was given. An intent that was never given
        has no figure. Intents are equal by every letter.
    Not to be confused with: `query.intent_recall`, whose denominator is where it was expected.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.3;
        scikit-learn `classification_report`.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_intent="refund")
        >>> answer = Answer(answer_text="?", trace=Trace(intent="warranty"))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> IntentPrecision().score(run)["warranty"].value
        0.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(INTENT, EXPECTED_INTENT),
        interval=Interval.WILSON,
        each="intent",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count the question for the intent that was given."""
        got, expected = run[INTENT], run[EXPECTED_INTENT]
        return {got: Scored(float(got == expected), {"expected": expected})}
