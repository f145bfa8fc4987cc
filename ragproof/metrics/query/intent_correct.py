"""query.intent_correct"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_INTENT, INTENT


@dataclass(frozen=True)
class IntentCorrect(PureMetric[CaseRun]):
    """Share of the questions whose intent was recognised: micro-averaged F1 over all intents.

    Question: How often is the question taken for what it is?
    Formula: |questions with `trace.intent` = `expected_intent`| / |questions with both|
    Range: 0, never, to 1, always.
    Edge cases: Intents are equal by every letter. With one intent a question, every wrong one is
        both missed where it was expected and made up where it was not, so that precision, recall
        and F1 summed over all intents are this one figure.
    Not to be confused with: `query.intent_f1`, a figure an intent; `query.intent_macro_f1`, in
        which a rare intent weighs as much as a frequent one; `query.routing_correct`, which asks
        what was done about it.
    References: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 13.6.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_intent="refund")
        >>> answer = Answer(answer_text="?", trace=Trace(intent="warranty"))
        >>> IntentCorrect().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        0.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(INTENT, EXPECTED_INTENT),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the two."""
        got, expected = run[INTENT], run[EXPECTED_INTENT]
        return Scored(float(got == expected), {"expected": expected, "got": got})
