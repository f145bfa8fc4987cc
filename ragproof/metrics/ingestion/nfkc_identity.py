"""ingestion.nfkc_identity"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import PARSED
from ragproof.core.outcome import Json

SHOWN = 20


@dataclass(frozen=True)
class NfkcIdentity(PureMetric[CaseRun]):
    r"""Whether the parsed text is the same in NFC and in NFKC: 1, or 0.

    Question: In how many documents do compatibility forms hide words: ligatures, full-width
        letters, superscripts?
    Formula: 1 if NFC(text) = NFKC(text), else 0
    Range: 0 or 1; over a set the share of documents without compatibility forms.
    Edge cases: An empty text has none: 1. The evidence lists the first code points that differ.
    Not to be confused with: `ingestion.invisible_characters` and `ingestion.confusables`: neither
        invisible characters nor letters of another script are compatibility forms.
    References: Unicode Standard Annex 15, Unicode Normalization Forms.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="\ufb01nd")))
        >>> NfkcIdentity().score(run)
        Scored(value=0.0, evidence={'differ': ['U+FB01']}, weight=1.0)
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(PARSED,),
        kinds=DOCUMENTS,
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the two forms."""
        text = unicodedata.normalize("NFC", run[PARSED].text)
        if unicodedata.is_normalized("NFKC", text):
            return Scored(1.0)
        differ: list[Json] = [
            f"U+{ord(one):04X}"
            for one in dict.fromkeys(text)
            if unicodedata.normalize("NFKC", one) != one
        ]
        return Scored(0.0, {"differ": differ[:SHOWN]})
