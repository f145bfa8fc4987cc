"""ingestion.omission_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.metrics.parsed_text import share
from ragproof.text.alignment import Kind


@dataclass(frozen=True)
class OmissionRate(PureMetric[CaseRun]):
    """Share of the words of the reference that the parsed text lacks.

    Question: How much of the document was lost?
    Formula: words omitted / reference words
    Range: 0, none, to 1, all of them.
    Edge cases: Words are what white space parts. The two texts are laid side by side with as few
        edits as can be; among equals, replacing a word comes before losing one and adding another.
        The evidence quotes the largest gaps. An empty reference is not applicable. Over a set it is
        micro. Texts of more than about 5,000 words that differ are aligned piece by piece.
    Not to be confused with: `ingestion.substitution_rate`: a word that is there, but spoilt. A low
        `ingestion.extraction_length_ratio`, which text added elsewhere makes up for.
    References: Wagner and Fischer 1974, "The string-to-string correction problem".

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"), expected_text="two moons")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="two")))
        >>> OmissionRate().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(EXPECTED_TEXT, PARSED),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Count the words that are lost in the alignment."""
        found, words, evidence = share(run, Kind.OMITTED)
        return Scored(found / words, evidence, weight=words)
