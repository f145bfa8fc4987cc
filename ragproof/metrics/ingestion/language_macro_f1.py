"""ingestion.language_macro_f1"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, Interval, Json, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import EXPECTED_LANGUAGE, LANGUAGE, REPEAT
from ragproof.metrics.languages import recognised


@dataclass(frozen=True)
class LanguageMacroF1(PureMetric[SetRun]):
    """Mean over the languages of the F1 with which each is recognised.

    Question: Is every language recognised, the rare ones too?
    Formula: mean over the languages that are expected of 2 TP / (2 TP + FP + FN)
    Range: 0, none is ever recognised, to 1, all always are.
    Edge cases: Every expected language weighs the same, however many documents are in it. One that
        is only given by mistake has no F1 of its own to be averaged: the document counts as missed
        in the language that it is in, and the evidence counts the stray one. The evidence has the
        F1 of each. Tags are compared, and documents whose language is left open are missed, as in
        `ingestion.language_f1`. Documents that failed or lack a label are left out. The interval is
        Wilson's of as many documents as the figure is worth, by what each of them adds to it; it
        takes documents for independent and repeats of one for a single one.
    Not to be confused with: `ingestion.language_f1`, the figures that this is the mean of; the mix
        of languages in production decides which of them count.
    References: Opitz and Burst 2019, "Macro F1 and Macro F1"; scikit-learn `f1_score` with
        `average="macro"`.

    Example:
        >>> from ragproof.core import SetRun
        >>> given, labels = ("en", "de", "de"), ("en", "en", "de")
        >>> run = SetRun({LANGUAGE: given, EXPECTED_LANGUAGE: labels, REPEAT: (0, 0, 0)})
        >>> round(LanguageMacroF1().score(run).value, 3)  # both are 2 / 3
        0.667
    """

    subtags: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(EXPECTED_LANGUAGE,),
        uses=(LANGUAGE, REPEAT),
        kinds=DOCUMENTS,
        interval=Interval.EFFECTIVE,
        version=2,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Average the F1 of every language."""
        seen = recognised(run, subtags=self.subtags)
        mean, worth, f1 = seen.macro(seen.expected)
        stray: dict[str, Json] = {
            one: n for one, n in sorted(seen.given.items()) if one not in seen.expected
        }
        return Scored(mean, {"f1": f1, "not_expected": stray}, weight=worth)
