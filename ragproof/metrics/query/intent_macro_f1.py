"""query.intent_macro_f1"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, Interval, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import EXPECTED_INTENT, INTENT, REPEAT
from ragproof.metrics.label_f1 import Labelled


@dataclass(frozen=True)
class IntentMacroF1(PureMetric[SetRun]):
    """Mean over the intents of the F1 with which each is recognised.

    Question: Is every intent recognised, the rare ones too?
    Formula: mean over the intents that are expected or given of 2 TP / (2 TP + FP + FN)
    Range: 0, none is ever recognised, to 1, all always are.
    Edge cases: Every intent weighs the same, however many questions have it; one that is only
        ever given by mistake counts as 0. The evidence has the F1 of each intent. Failed
        questions and those that lack one of the two are left out. The interval is Wilson's of as
        many questions as the figure is worth, by what each of them adds to it; it takes questions
        for independent and repeats of one for a single one.
    Not to be confused with: `query.intent_correct`, in which every question weighs the same; the
        F1 of mean precision and mean recall, which is another figure.
    References: Opitz and Burst 2019, "Macro F1 and Macro F1", for the two averages that go by this
        name; scikit-learn `f1_score` with `average="macro"`.

    Example:
        >>> from ragproof.core import SetRun
        >>> expected, got = ("a", "a", "b"), ("a", "b", "b")
        >>> run = SetRun({INTENT: got, EXPECTED_INTENT: expected, REPEAT: (0, 0, 0)})
        >>> round(IntentMacroF1().score(run).value, 3)  # both are 2 / 3
        0.667
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(INTENT, EXPECTED_INTENT),
        uses=(REPEAT,),
        interval=Interval.EFFECTIVE,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Average the F1 of every intent."""
        trials = run.get(REPEAT)
        seen = Labelled.of(run[INTENT], run[EXPECTED_INTENT], len(set(trials)))
        mean, worth, f1 = seen.macro(seen.given | seen.expected)
        return Scored(mean, {"f1": f1}, weight=worth)
