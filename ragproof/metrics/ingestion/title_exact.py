"""ingestion.title_exact"""

from __future__ import annotations

import unicodedata
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


@dataclass(frozen=True)
class TitleExact(PureMetric[CaseRun]):
    r"""Whether the document's title was found as it is.

    Question: Is what is shown as the title the title?
    Formula: 1 if found and expected title are equal, else 0; over a set the share that are
    Range: 0 or 1.
    Edge cases: White space at the ends, doubled or as a line break does not count; how an accented
        letter is composed does not either (NFC). Capitals and punctuation count. A parser that
        found no title, but would tell one, gives an empty text and scores 0. Where the expected
        title is empty and so is that found, there is no title to find: not applicable.
    Not to be confused with: `ingestion.title_similarity`, for which nearly right is nearly 1.
    References: exact match against labels; no other definition is known.

    Example:
        >>> from ragproof.core import CaseRun, Document, DocumentCase, Observation, Parsed
        >>> case = DocumentCase(id="d", document=Document(text=""), expected_title="Care of lamps")
        >>> parsed = Parsed(text="", title="Care of\nlamps")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=parsed))
        >>> TitleExact().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(TITLE, EXPECTED_TITLE),
        kinds=DOCUMENTS,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the titles."""
        found, expected = squeezed(run[TITLE]), squeezed(run[EXPECTED_TITLE])
        if not found and not expected:
            raise DoesNotArise("the document has no title and none was found")
        return Scored(float(found == expected), {"found": found, "expected": expected})


def squeezed(title: str) -> str:
    """A title as it is compared."""
    return " ".join(unicodedata.normalize("NFC", title).split())
