"""ingestion.heading_order"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import ELEMENTS, EXPECTED_ELEMENTS
from ragproof.core.outcome import Json
from ragproof.core.spec import Unit
from ragproof.metrics.elements import (
    HEADINGS,
    SIMILARITY,
    check_similarity,
    kind,
    rising,
    text,
)
from ragproof.text.counterparts import matched


@dataclass(frozen=True)
class HeadingOrder(PureMetric[CaseRun]):
    """Share of the expected headings that parsing gave in the expected order.

    Question: Does the outline of the document survive?
    Formula: most expected headings that were found and stand in the expected order / expected
        headings
    Range: 0, none, to 1, all of them in order.
    Edge cases: Headings are elements of type heading, title, header, section_header or h1 to h6.
        They are found as in `ingestion.element_recall`; with `levels: true` only at their level. Of
        headings out of order as few as can be count as misplaced; they and the missing ones are
        evidence. A document without expected headings is not applicable. Over a set it is micro.
    Not to be confused with: `ingestion.reading_order`, which looks at all elements, page by page,
        and leaves out those that were not found.
    References: the longest increasing subsequence, Schensted 1961; Pfitzmann et al. 2022,
        DocLayNet.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document, Element
        >>> heads = tuple(Element(type="heading", text=one) for one in ("Scope", "Terms", "Rules"))
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_elements=heads)
        >>> seen = Parsed(text="", elements=(heads[1], heads[0], heads[2]))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=seen))
        >>> round(HeadingOrder().score(run).value, 3)
        0.667
    """

    similarity: float = SIMILARITY
    levels: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ELEMENTS, EXPECTED_ELEMENTS),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
        version=2,
    )

    def __post_init__(self) -> None:
        check_similarity(self.similarity)

    def score(self, run: CaseRun, /) -> Scored:
        """Find the headings and take the longest part that is in order."""
        got = [one for one in run[ELEMENTS] if kind(one) in HEADINGS]
        expected = [one for one in run[EXPECTED_ELEMENTS] if kind(one) in HEADINGS]
        if not expected:
            raise DoesNotArise("no heading is expected")
        found = matched(
            [text(one) for one in expected], [text(one) for one in got], self.similarity
        )
        places = [
            (at, place)
            for at, place in enumerate(found)
            if place is not None and (not self.levels or expected[at].level == got[place].level)
        ]
        kept = {places[one][0] for one in rising([place for _, place in places])}
        there = {at for at, _ in places}
        evidence: dict[str, Json] = {
            "expected": len(expected),
            "missing": [expected[at].text for at in range(len(expected)) if at not in there],
            "misplaced": [expected[at].text for at in sorted(there - kept)],
        }
        return Scored(len(kept) / len(expected), evidence, weight=len(expected))
