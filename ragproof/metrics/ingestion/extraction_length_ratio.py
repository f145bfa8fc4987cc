"""ingestion.extraction_length_ratio"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.metrics.parsed_text import texts


@dataclass(frozen=True)
class ExtractionLengthRatio(PureMetric[CaseRun]):
    """Characters that parsing gave, per character of the reference.

    Question: Is the extracted text suspiciously short or long?
    Formula: parsed characters / reference characters
    Range: 0, nothing came out, upwards; 1 where the lengths agree.
    Edge cases: White space around a text is not counted. An empty reference is not applicable; the
        parsed characters are evidence. The evidence says `suspicious` below `low` and above `high`.
        Over a set it is micro: all parsed characters over all reference characters.
    Not to be confused with: `ingestion.cer`. This is a flag only: text that is wrong or doubled
        while other text is lost has the ratio 1.
    References: none; it is a check of plausibility.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"), expected_text="moon")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="mo")))
        >>> ExtractionLengthRatio().score(run).value
        0.5
    """

    low: float = 0.8
    high: float = 1.2

    spec = Spec(
        unit=Unit.RATIO,
        better=Better.NEITHER,
        needs=(EXPECTED_TEXT, PARSED),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        if not 0 <= self.low <= 1 <= self.high:
            raise ValueError(f"0 <= low <= 1 <= high must hold, got {self.low} and {self.high}")

    def score(self, run: CaseRun, /) -> Scored:
        """Compare lengths."""
        reference, parsed = texts(run)
        value = len(parsed) / len(reference)
        evidence = {
            "parsed": len(parsed),
            "reference": len(reference),
            "suspicious": not self.low <= value <= self.high,
        }
        return Scored(value, evidence, weight=len(reference))
