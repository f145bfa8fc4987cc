"""ingestion.insertion_rate"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.metrics.parsed_text import share
from ragproof.text.alignment import Kind


@dataclass(frozen=True)
class InsertionRate(PureMetric[CaseRun]):
    """Words that the parsed text adds, per word of the reference.

    Question: How much is there that is not in the document: page headers, text twice, made-up text?
    Formula: words inserted / reference words
    Range: 0, none, upwards; above 1 where more was inserted than there was.
    Edge cases: Words are what white space parts. The two texts are laid side by side with as few
        edits as can be; among equals, replacing a word comes before losing one and adding another.
        The evidence quotes the largest gaps. An empty reference is not applicable. Over a set it is
        micro. Texts of more than about 5,000 words that differ are aligned piece by piece.
    Not to be confused with: `ingestion.boilerplate_recall`, which looks at what was to be cleaned
        away.
    References: Wagner and Fischer 1974, "The string-to-string correction problem".

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"), expected_text="two moons")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="two big moons")))
        >>> InsertionRate().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.RATIO,
        better=Better.LOWER,
        needs=(EXPECTED_TEXT, PARSED),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Count the words that are added in the alignment."""
        found, words, evidence = share(run, Kind.INSERTED)
        return Scored(found / words, evidence, weight=words)
