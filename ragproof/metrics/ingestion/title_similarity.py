"""ingestion.title_similarity"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import EXPECTED_TITLE, TITLE
from ragproof.metrics.ingestion.title_exact import squeezed
from ragproof.text.edits import likeness


@dataclass(frozen=True)
class TitleSimilarity(PureMetric[CaseRun]):
    """How near the title that was found comes to the expected one, letter by letter.

    Question: Is the title at least nearly right?
    Formula: 1 - edits / length of the longer title; edits insert, delete or change a character
    Range: 0, nothing in common, to 1, equal.
    Edge cases: White space at the ends, doubled or as a line break does not count, nor how an
        accented letter is composed (NFC); capitals count. No title found where one is expected
        scores 0. Two empty titles would be 0 / 0: not applicable.
    Not to be confused with: `ingestion.title_exact`, the share that are right.
    References: Levenshtein 1966, normalised by the longer text.

    Example:
        >>> from ragproof.core import CaseRun, Document, DocumentCase, Observation, Parsed
        >>> case = DocumentCase(id="d", document=Document(text=""), expected_title="kitten")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="", title="sitten")))
        >>> round(TitleSimilarity().score(run).value, 4)
        0.8333
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(TITLE, EXPECTED_TITLE),
        kinds=DOCUMENTS,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Count the edits."""
        found, expected = squeezed(run[TITLE]), squeezed(run[EXPECTED_TITLE])
        if not found and not expected:
            raise DoesNotArise("the document has no title and none was found")
        return Scored(likeness(found, expected), {"found": found, "expected": expected})
