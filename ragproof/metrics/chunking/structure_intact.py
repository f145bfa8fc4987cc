"""chunking.structure_intact"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    Element,
    Json,
    Pool,
    PureMetric,
    Scored,
    Section,
    Spec,
    Unit,
)
from ragproof.core.needs import (
    CHUNKS,
    CUT_TEXT,
    EXPECTED_ELEMENTS,
    EXPECTED_SECTIONS,
    LABELLED_TEXT,
)
from ragproof.metrics.cuts import Cut, account, cuts
from ragproof.metrics.parameters import one_of
from ragproof.text.structures import KINDS, Structure, structures
from ragproof.text.whereabouts import Whereabouts, trimmed

_NUMBER = re.compile(r"\s*(?:\u00a7\s*\d|[A-Za-z]+\s+\d|\d|[IVXLC]+\.)")
_SHOWN = 60
"""Characters by which a structure is shown."""
_LISTED = 20


@dataclass(frozen=True)
class StructureIntact(PureMetric[CaseRun]):
    r"""Share of the chunks that tear no table, list or numbered section apart.

    Question: Does the chunker cut where a reader would not?
    Formula: chunks that split nothing / chunks; a chunk splits a structure when it has a part of
        it and no chunk has it whole. With `of: structures` it is structures that one chunk has
        whole / structures
    Range: 0, every chunk is torn from something, to 1, nothing is torn.
    Edge cases: Tables and lists are those of `expected_elements`, numbered sections those of
        `expected_sections` with no section inside them and a number before their last heading;
        kinds without labels are told by how the text is written (Markdown and HTML; a list has two
        items). A document without any is not applicable. A structure that another chunk has
        whole, as with overlap, is not torn. A chunk whose place is not known splits nothing that
        can be seen: it is left out, and named. A structure of which no chunk has a part is lost:
        no chunk is to blame, but `of: structures` counts it. Labels that are not found in the text
        are counted in the evidence.
    Not to be confused with: `ingestion.list_integrity`, which asks it of the parser; or
        `chunking.boundary_quality`, where people judge.
    References: the structural check beside human labels of cuts; no published figure is known.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation
        >>> text = "Do: \n- dust\n- dry\n\nThen rest."
        >>> case = DocumentCase(id="d", document=Document(text=text))
        >>> parts = ("Do: \n- dust", "- dry\n\nThen rest.")
        >>> chunks = tuple(Chunk(id=part[0], text=part) for part in parts)
        >>> run = CaseRun(case, Observation(case_id="d", chunks=chunks))
        >>> StructureIntact().score(run).value
        0.0
    """

    of: str = "chunks"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CHUNKS, CUT_TEXT),
        uses=(EXPECTED_ELEMENTS, EXPECTED_SECTIONS, LABELLED_TEXT),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        one_of("of", self.of, ("chunks", "structures"))

    def score(self, run: CaseRun, /) -> Scored:
        """Look at the chunks that have a part of each structure."""
        chunks, where = run[CHUNKS], Whereabouts(run[CUT_TEXT])
        placed = cuts(chunks, where)
        found, absent = _structures(run, where)
        if not found:
            raise DoesNotArise(
                "the document has no table, list or numbered section", {"not_found": absent}
            )
        torn = [(one, parts) for one, parts in _parts(found, placed) if parts is not None]
        blamed = {cut.number for _, parts in torn for cut in parts}
        whole, many = len(placed) - len(blamed), len(placed)
        if self.of == "structures":
            whole, many = len(found) - len(torn), len(found)
        evidence: dict[str, Json] = {
            **account(chunks, placed),
            "structures": {kind: sum(one.kind == kind for one in found) for kind in KINDS},
            "torn": [_shown(one, parts, where.text) for one, parts in torn[:_LISTED]],
            "torn_count": len(torn),
            "not_found": absent,
        }
        return Scored(whole / many, evidence, weight=many)


def _structures(run: CaseRun, where: Whereabouts) -> tuple[list[Structure], int]:
    """The structures of the text, and how many that are labelled were not found in it."""
    wanted = [
        (one.type.lower(), where.once(one.text))
        for one in run.get(EXPECTED_ELEMENTS) or ()
        if one.type.lower() in ("table", "list") and _has_text(one)
    ]
    labels = run.get(EXPECTED_SECTIONS) or ()
    text = run.get(LABELLED_TEXT) or ""
    wanted += [
        ("section", (one.start, one.end) if text == where.text else where.once(stretch))
        for one in _numbered(labels)
        if (stretch := text[one.start : one.end]).strip()
    ]
    found = [Structure(kind, *trimmed(where.text, *at)) for kind, at in wanted if at is not None]
    labelled = {kind for kind, _ in wanted} | ({"section"} if labels else set())
    found += structures(where.text, [kind for kind in KINDS if kind not in labelled])
    return found, sum(at is None for _, at in wanted)


def _has_text(element: Element) -> bool:
    return bool(element.text.strip())


def _numbered(sections: Sequence[Section]) -> Iterator[Section]:
    """Numbered sections with no other section inside."""
    for one in sections:
        inner = (
            other is not one and one.start <= other.start and other.end <= one.end
            for other in sections
        )
        if one.path and _NUMBER.match(one.path[-1]) and not any(inner):
            yield one


def _parts(
    found: Sequence[Structure], placed: Sequence[Cut]
) -> Iterator[tuple[Structure, list[Cut] | None]]:
    """Each structure and the chunks that have a part of it; None where one has it whole."""
    by_start = sorted(placed, key=lambda cut: cut.start)
    starts = [cut.start for cut in by_start]
    longest = max(cut.end - cut.start for cut in placed)
    for one in found:
        first = bisect_left(starts, one.start - longest)
        near = by_start[first : bisect_left(starts, one.end)]
        is_whole = any(cut.start <= one.start and one.end <= cut.end for cut in near)
        yield one, None if is_whole else [cut for cut in near if cut.end > one.start]


def _shown(one: Structure, parts: Sequence[Cut], text: str) -> Json:
    begins = " ".join(text[one.start : one.end].split())[:_SHOWN]
    return {
        "kind": one.kind,
        "start": one.start,
        "end": one.end,
        "begins": begins,
        "chunks": [cut.id for cut in parts],
    }
