"""ingestion.language_f1"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, Interval, Json, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import EXPECTED_LANGUAGE, LANGUAGE, REPEAT
from ragproof.metrics.label_f1 import Labelled
from ragproof.metrics.languages import UNDETERMINED, recognised


@dataclass(frozen=True)
class LanguageF1(PureMetric[SetRun]):
    """F1 of recognising each language, a figure a language.

    Question: Which languages does the detector confuse?
    Formula: for each language, 2 TP / (2 TP + FP + FN): TP counts documents where it was expected
        and given, FP where it was given only, FN where it was expected only
    Range: 0, never right, to 1, always and only where expected.
    Edge cases: Languages are compared by their first subtag, in lower case: `en-US`, `en_GB` and
        `EN` are `en`; with `subtags: true` by all of it. Withdrawn codes and those of three letters
        are the same as today's of two: `iw` is `he`, `deu_Latn` is `de`. A language that was never
        expected and is given once has a figure, 0. A document whose language is left open (null),
        or told as empty, `unknown` or `und`, is missed in the language that it is in: giving up is
        no way to a better figure. Where no document has a language it is skipped. Documents
        that failed or lack a label are left out. The interval is Wilson's of as many documents as
        F1 is worth, which takes documents for independent and repeats of one for a single one.
    Not to be confused with: `ingestion.language_macro_f1`, the mean of the figures of expected
        languages.
    References: van Rijsbergen 1979, Information Retrieval, chapter 7; BCP 47 for the tags; Hand,
        Christen and Kirielle 2021, Machine Learning 110:451, for F1 as a function of a share.

    Example:
        >>> given, labels = ("de", "en", None), ("en-GB", "en", "en")
        >>> run = SetRun({LANGUAGE: given, EXPECTED_LANGUAGE: labels, REPEAT: (0, 0, 0)})
        >>> {language: one.value for language, one in LanguageF1().score(run).items()}
        {'de': 0.0, 'en': 0.5}
    """

    subtags: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(EXPECTED_LANGUAGE,),
        uses=(LANGUAGE, REPEAT),
        kinds=DOCUMENTS,
        interval=Interval.EFFECTIVE,
        each="language",
        version=2,
    )

    def score(self, run: SetRun, /) -> Mapping[str, Scored]:
        """Count every language that was expected or given."""
        seen = recognised(run, subtags=self.subtags)
        languages = sorted(seen.expected | seen.given)
        return {
            one: Scored(seen.f1(one), _evidence(seen, one), weight=seen.worth(one))
            for one in languages
            if one in seen.expected or one != UNDETERMINED
        }


def _evidence(seen: Labelled, language: str) -> dict[str, Json]:
    """For a reader."""
    return {
        "expected": seen.expected[language],
        "given": seen.given[language],
        "right": seen.right[language],
        "not_told": seen.given[UNDETERMINED],
    }
