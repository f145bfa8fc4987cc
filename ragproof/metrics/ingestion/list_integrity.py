"""ingestion.list_integrity"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import ELEMENTS, EXPECTED_ELEMENTS
from ragproof.core.outcome import Json
from ragproof.core.spec import Unit
from ragproof.metrics.elements import SIMILARITY, check_similarity, items_of
from ragproof.text.counterparts import possible
from ragproof.text.edits import likeness


@dataclass(frozen=True)
class ListIntegrity(PureMetric[CaseRun]):
    r"""Share of the expected lists that parsing gave whole: every item, in order, in one list.

    Question: Do lists stay lists, or are they cut, mixed and shuffled?
    Formula: expected lists given whole / expected lists
    Range: 0, none, to 1, all of them.
    Edge cases: A list is an element `list` with an item a line, or `list_item` elements in a row;
        either form may stand for the other. It is whole where one parsed list has its items, as
        many and in this order, each as alike as `similarity` asks; bullets and numbers aside. A
        list that was cut in two, lost an item or was run together with another is not whole. Each
        parsed list serves one expected one. No expected list is not applicable. Over a set it is
        micro.
    Not to be confused with: `ingestion.element_recall`, to which a list element that lost one item
        of many may still be alike enough.
    References: Pfitzmann et al. 2022, DocLayNet, for lists as a kind of layout.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document, Element
        >>> whole = Element(type="list", text="- Phobos\n- Deimos")
        >>> case = DocumentCase(id="d", document=Document(path="d"), expected_elements=(whole,))
        >>> cut = tuple(Element(type="list", text=one) for one in ("- Phobos", "- Deimos"))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="", elements=cut)))
        >>> ListIntegrity().score(run).value
        0.0
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
        """Look for a parsed list that is the same, for each expected one."""
        left, expected = items_of(run[ELEMENTS]), items_of(run[EXPECTED_ELEMENTS])
        if not expected:
            raise DoesNotArise("no list is expected")
        near = self._near(expected, left)
        taken: set[int] = set()
        broken: list[Json] = []
        for at, items in enumerate(expected):
            free = (place for place in near.get(at, ()) if place not in taken)
            same = next((place for place in free if self._alike(items, left[place])), None)
            if same is None:
                broken.append([item[:100] for item in items[:20]])
            else:
                taken.add(same)
        evidence: dict[str, Json] = {"expected": len(expected), "broken": broken}
        return Scored(1 - len(broken) / len(expected), evidence, weight=len(expected))

    def _near(self, expected: list[list[str]], given: list[list[str]]) -> dict[int, Sequence[int]]:
        """For each expected list those with as many items whose first may be its first."""
        found: dict[int, Sequence[int]] = {}
        for size in {len(items) for items in expected}:
            mine, theirs = (
                {at: one[0] if one else "" for at, one in enumerate(side) if len(one) == size}
                for side in (expected, given)
            )
            if theirs:
                found.update(possible(mine, theirs, self.similarity))
        return found

    def _alike(self, items: list[str], other: list[str]) -> bool:
        return len(items) == len(other) and all(
            likeness(one, two, self.similarity) >= self.similarity
            for one, two in zip(items, other, strict=True)
        )
