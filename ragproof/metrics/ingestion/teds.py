"""ingestion.teds"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TABLES, TABLES
from ragproof.metrics.table_pairs import compared


@dataclass(frozen=True)
class Teds(PureMetric[CaseRun]):
    """Similarity of the parsed tables to the expected ones, by their structure and what they say.

    Question: Are tables read well enough to answer from them?
    Formula: 1 - EditDistance(A, B) / max(|A|, |B|) of the trees of HTML elements, a figure a table;
        of a document the mean over expected tables and those too many
    Range: 0, nothing alike or missing, to 1, the same.
    Edge cases: Inserting or deleting an element costs 1, so does another tag, `colspan` or
        `rowspan`; a cell's content costs its edits per token of the longer one, where a token is a
        character or a tag within the cell. |A| counts the elements below the table. `th` is a cell
        as `td` is, but not the same one. Expected and parsed tables are paired by the share of
        cells that say the same, the most alike first, then by place. A missing table, one too many
        and a piece of HTML that is no table count 0. HTML is read as it is: what is not closed is
        closed as browsers do, no `tbody` is added, a span that is no number is 1, a table within a
        cell is content of the cell. An expected table that is no table is an error. No table at all
        is not applicable. Over a set it is micro: every table weighs the same.
    Not to be confused with: `ingestion.teds_structure`, to which the content does not matter.
    References: Zhong, ShafieiBavani and Jimeno Yepes 2020, "Image-based table recognition"; equal
        to the figures published with PubTabNet.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> right, wrong = (f"<table><tr><td>{cell}</td></tr></table>" for cell in ("12", "17"))
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_tables=(right,))
        >>> seen = Observation(case_id="d", parsed=Parsed(text="", tables=(wrong,)))
        >>> Teds().score(CaseRun(case, seen)).value  # half a node of two
        0.75
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
        return compared(run, structure=False)
