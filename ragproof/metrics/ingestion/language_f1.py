"""ingestion.language_f1"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_LANGUAGE, LANGUAGE
from ragproof.metrics.languages import code


@dataclass(frozen=True)
class LanguageF1(PureMetric[CaseRun]):
    """F1 of recognising each language, a figure a language.

    Question: Which languages does the detector confuse?
    Formula: for each language, 2 TP / (2 TP + FP + FN): TP counts documents where it was expected
        and given, FP where it was given only, FN where it was expected only
    Range: 0, never right, to 1, always and only where expected.
    Edge cases: Languages are compared by their first subtag, in lower case: `en-US`, `en_GB` and
        `EN` are `en`; with `subtags: true` by all of it. Withdrawn codes and those of three letters
        are the same as today's of two: `iw` is `he`, `deu_Latn` is `de`. A language that was never
        expected and is given once has a figure, 0. A document whose language the adapter leaves
        open is skipped.
    Not to be confused with: `ingestion.language_macro_f1`, the mean of the figures of expected
        languages.
    References: van Rijsbergen 1979, Information Retrieval, chapter 7; BCP 47 for the tags.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_language="en-GB")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="", language="de")))
        >>> {language: one.value for language, one in LanguageF1().score(run).items()}
        {'en': 0.0, 'de': 0.0}
    """

    subtags: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(LANGUAGE, EXPECTED_LANGUAGE),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
        each="language",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Contribute to the sums of the expected and of the given language."""
        got, expected = (
            code(one, subtags=self.subtags) for one in (run[LANGUAGE], run[EXPECTED_LANGUAGE])
        )
        evidence = {"expected": expected, "got": got}
        if got == expected:
            return {got: Scored(1.0, evidence, weight=2)}
        return {language: Scored(0.0, evidence, weight=1) for language in (expected, got)}
