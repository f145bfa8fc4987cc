"""ingestion.teds_structure"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TABLES, TABLES
from ragproof.metrics.table_pairs import compared


@dataclass(frozen=True)
class TedsStructure(PureMetric[CaseRun]):
    """Similarity of the parsed tables to the expected ones, by rows, columns and spans alone.

    Question: Is the grid of a table right, whatever was read in its cells?
    Formula: 1 - EditDistance(A, B) / max(|A|, |B|), cells without content
    Range: 0, nothing alike or missing, to 1, the same.
    Edge cases: As `ingestion.teds`, and never below it: |A| is the same, elements within cells
        counted.
    Not to be confused with: `ingestion.teds`, which reads the cells too; where it alone is low, the
        text was misread.
    References: Zhong, ShafieiBavani and Jimeno Yepes 2020, "Image-based table recognition"
        (TEDS-S).

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> right, wrong = (f"<table><tr><td>{cell}</td></tr></table>" for cell in ("12", "17"))
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_tables=(right,))
        >>> seen = Observation(case_id="d", parsed=Parsed(text="", tables=(wrong,)))
        >>> TedsStructure().score(CaseRun(case, seen)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(TABLES, EXPECTED_TABLES),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare pair by pair."""
        return compared(run, structure=True)
