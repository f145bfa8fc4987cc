"""query.intent_macro_f1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ragproof.core import Better, Interval, Json, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import EXPECTED_INTENT, INTENT


@dataclass(frozen=True)
class IntentMacroF1(PureMetric[SetRun]):
    """Mean over the intents of the F1 with which each is recognised.

    Question: Is every intent recognised, the rare ones too?
    Formula: mean over the intents that are expected or given of 2 TP / (2 TP + FP + FN)
    Range: 0, none is ever recognised, to 1, all always are.
    Edge cases: Every intent weighs the same, however many questions have it; one that is only
        ever given by mistake counts as 0. The evidence has the F1 of each intent. It is one figure
        of the whole set and has no interval: resample the figures of `query.intent_f1`. Failed
        questions and those that lack one of the two are left out.
    Not to be confused with: `query.intent_correct`, in which every question weighs the same; the
        F1 of mean precision and mean recall, which is another figure.
    References: Opitz and Burst 2019, "Macro F1 and Macro F1", for the two averages that go by this
        name; scikit-learn `f1_score` with `average="macro"`.

    Example:
        >>> from ragproof.core import SetRun
        >>> expected, got = ("a", "a", "b"), ("a", "b", "b")
        >>> run = SetRun({INTENT: got, EXPECTED_INTENT: expected})
        >>> round(IntentMacroF1().score(run).value, 3)  # both are 2 / 3
        0.667
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(INTENT, EXPECTED_INTENT),
        interval=Interval.NONE,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Average the F1 of every intent."""
        pairs = list(zip(run[INTENT], run[EXPECTED_INTENT], strict=True))
        given = Counter(got for got, _ in pairs)
        wanted = Counter(expected for _, expected in pairs)
        right = Counter(got for got, expected in pairs if got == expected)
        # 2 TP + FP + FN is how often it was given and expected, right ones counted in both
        f1: dict[str, Json] = {}
        total = 0.0
        for intent in sorted(given | wanted):
            value = 2 * right[intent] / (given[intent] + wanted[intent])
            f1[intent], total = value, total + value
        return Scored(total / len(f1), {"f1": f1})
