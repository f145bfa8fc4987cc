"""ingestion.element_recall"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import ELEMENTS, EXPECTED_ELEMENTS
from ragproof.core.outcome import Json
from ragproof.core.spec import Unit
from ragproof.metrics.elements import SIMILARITY, check_similarity, kind, text
from ragproof.text.counterparts import matched


@dataclass(frozen=True)
class ElementRecall(PureMetric[CaseRun]):
    """Share of the expected elements of each type that parsing gave: footnotes, captions, tables.

    Question: Which kinds of elements does the parser lose?
    Formula: for each type, expected elements found / expected elements
    Range: 0, none, to 1, all, one figure a type.
    Edge cases: An expected element is found by a parsed one of the same type whose text is as alike
        as `similarity` asks (1 less the edits per character of the longer text), compatibility
        forms, case and white space aside. Each parsed element finds one; the most alike do first.
        With `any_type: true` the type may differ. A table without text is compared by the text of
        its `html`. Types are equal without regard to case; one that is only parsed has no figure.
        Over a set it is micro. No expected elements is not applicable.
    Not to be confused with: `ingestion.teds`, how well a table was read that was found;
        `ingestion.reading_order`, whether what was found is in order.
    References: Pfitzmann et al. 2022, DocLayNet, for the kinds of elements.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document, Element
        >>> notes = tuple(Element(type="footnote", text=one) for one in ("First.", "Second."))
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_elements=notes)
        >>> seen = Parsed(text="", elements=notes[1:])
        >>> run = CaseRun(case, Observation(case_id="d", parsed=seen))
        >>> ElementRecall().score(run)["footnote"].value
        0.5
    """

    similarity: float = SIMILARITY
    any_type: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ELEMENTS, EXPECTED_ELEMENTS),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
        each="type",
    )

    def __post_init__(self) -> None:
        check_similarity(self.similarity)

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Look for every expected element."""
        got, expected = run[ELEMENTS], run[EXPECTED_ELEMENTS]
        if not expected:
            raise DoesNotArise("no element is expected")
        by_type: dict[str, list[str]] = defaultdict(list)
        missing: dict[str, list[Json]] = defaultdict(list)
        groups = {""} if self.any_type else {kind(one) for one in expected}
        for group in groups:
            wanted = [one for one in expected if group in ("", kind(one))]
            parsed = [text(one) for one in got if group in ("", kind(one))]
            found = matched([text(one) for one in wanted], parsed, self.similarity)
            for one, place in zip(wanted, found, strict=True):
                by_type[kind(one)].append(one.text)
                if place is None:
                    missing[kind(one)].append(one.text[:200])
        return {
            name: Scored(
                1 - len(missing[name]) / len(all_of_it),
                {"expected": len(all_of_it), "missing": missing[name]},
                weight=len(all_of_it),
            )
            for name, all_of_it in by_type.items()
        }
