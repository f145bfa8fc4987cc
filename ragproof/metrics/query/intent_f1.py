"""query.intent_f1"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_INTENT, INTENT


@dataclass(frozen=True)
class IntentF1(PureMetric[CaseRun]):
    """F1 of recognising each intent, a figure an intent.

    Question: Which intents does the classifier confuse?
    Formula: for each intent, 2 TP / (2 TP + FP + FN): TP counts questions where it was expected
        and given, FP where it was given only, FN where it was expected only
    Range: 0, never right, to 1, always and only where expected.
    Edge cases: A right question contributes 2 to both sums of its intent; a wrong one contributes
        1 to the denominator of the expected intent and of the given one. An intent that was never
        expected and is given once has a figure, 0. Intents are equal by every letter.
    Not to be confused with: `query.intent_correct`, the F1 of all intents together (micro), or
        `query.intent_macro_f1`, the mean of these figures.
    References: van Rijsbergen 1979, Information Retrieval, chapter 7; scikit-learn
        `classification_report`.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_intent="refund")
        >>> answer = Answer(answer_text="?", trace=Trace(intent="warranty"))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> {intent: one.value for intent, one in IntentF1().score(run).items()}
        {'refund': 0.0, 'warranty': 0.0}
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(INTENT, EXPECTED_INTENT),
        pool=Pool.RATIO,
        each="intent",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Contribute to the sums of the expected and of the given intent."""
        got, expected = run[INTENT], run[EXPECTED_INTENT]
        evidence = {"expected": expected, "got": got}
        if got == expected:
            return {got: Scored(1.0, evidence, weight=2)}
        return {intent: Scored(0.0, evidence, weight=1) for intent in (expected, got)}
