"""ingestion.reading_order"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import ELEMENTS, EXPECTED_ELEMENTS
from ragproof.core.outcome import Json
from ragproof.core.spec import Unit
from ragproof.metrics.elements import SIMILARITY, check_similarity, in_order, text
from ragproof.text.counterparts import matched


@dataclass(frozen=True)
class ReadingOrder(PureMetric[CaseRun]):
    """Share of the pairs of elements on a page that parsing gave in the expected order.

    Question: Are pages with several columns read column by column, or line by line across them?
    Formula: pairs of found elements of one page in the expected order / pairs of found elements of
        one page; it is (1 + Kendall's tau) / 2
    Range: 0, exactly the other way round, to 1, in order; chance is 0.5.
    Edge cases: Elements are found as in `ingestion.element_recall`, whatever their type. The page
        is that of the expected element; elements without a page are of one page. What was not found
        is no pair, and counted in the evidence, page by page. No page with two found elements is
        not applicable. Over a set it is micro: pairs in order over pairs.
    Not to be confused with: `ingestion.heading_order`, which counts what was not found as lost.
    References: Kendall 1938, "A new measure of rank correlation".

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document, Element
        >>> words = ("left top", "left end", "right top", "right end")
        >>> parts = tuple(Element(type="paragraph", text=one, page=1) for one in words)
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_elements=parts)
        >>> across = Parsed(text="", elements=(parts[0], parts[2], parts[1], parts[3]))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=across))
        >>> round(ReadingOrder().score(run).value, 3)  # one of six pairs is turned round
        0.833
    """

    similarity: float = SIMILARITY

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ELEMENTS, EXPECTED_ELEMENTS),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_similarity(self.similarity)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the pairs of each page."""
        got, expected = run[ELEMENTS], run[EXPECTED_ELEMENTS]
        found = matched(
            [text(one) for one in expected], [text(one) for one in got], self.similarity
        )
        by_page: dict[int | None, list[int]] = defaultdict(list)
        for element, place in zip(expected, found, strict=True):
            if place is not None:
                by_page[element.page].append(place)
        pages: list[Json] = []
        right = pairs = 0
        for page, places in by_page.items():
            of_page, rightly = len(places) * (len(places) - 1) // 2, in_order(places)
            right, pairs = right + rightly, pairs + of_page
            pages.append({"page": page, "pairs": of_page, "in_order": rightly})
        evidence: dict[str, Json] = {"not_found": found.count(None), "pages": pages}
        if not pairs:
            raise DoesNotArise("no page has two elements that were found", evidence)
        return Scored(right / pairs, evidence, weight=pairs)
