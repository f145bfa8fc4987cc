"""chunking.hierarchy_preserved"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    Chunk,
    DoesNotArise,
    Json,
    Pool,
    PureMetric,
    Scored,
    Section,
    Spec,
    Unit,
)
from ragproof.core.needs import CHUNKS, EXPECTED_SECTIONS, LABELLED_TEXT
from ragproof.core.places import document_of
from ragproof.metrics.cuts import NO_CHUNKS, Cut, account, cuts
from ragproof.metrics.documents import heading_path, names_of, same
from ragproof.text.whereabouts import Whereabouts

Path: TypeAlias = tuple[str, ...]
_SHOWN = 20


@dataclass(frozen=True)
class HierarchyPreserved(PureMetric[CaseRun]):
    r"""Share of the chunks that correctly keep document, section and the headings above.

    Question: Can "what does the child of policy X say?" be answered from the chunks' metadata?
    Formula: chunks whose document, section and whole path of headings are right / chunks
    Range: 0, none keeps them, to 1, all do.
    Edge cases: The document is `metadata.document_id`: the case's id, or the path, name or stem of
        its file. The path is a list or one text in `section_path`, `headings`, `heading_path`,
        `header_path` or `path`, or a key a level (`Header 1`, `h2`). Right is the path of the
        innermost of `expected_sections` in which the chunk begins, or of the innermost that holds
        all of it; above the first section it is empty. Capitals, `#` and white space do not count.
        A chunk that tells no path, or whose place is not known, has not kept it: nothing is left
        out. The evidence counts what is missing or wrong.
    Not to be confused with: `ingestion.heading_order`, which asks whether the parser kept the
        headings; or `chunking.attribution_fidelity`, which asks for a pointer back.
    References: hierarchical metadata preservation; no published figure is known.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation, Section
        >>> sections = (Section(path=("Care",), start=0, end=14),)
        >>> case = DocumentCase(
        ...     id="d", document=Document(text="# Care\nDust it."), expected_sections=sections
        ... )
        >>> about = {"document_id": "d", "headings": ["Care"]}
        >>> chunks = (Chunk(id="1", text="Dust it.", metadata=about), Chunk(id="2", text="# Care"))
        >>> run = CaseRun(case, Observation(case_id="d", chunks=chunks))
        >>> HierarchyPreserved().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CHUNKS, EXPECTED_SECTIONS, LABELLED_TEXT),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Hold what each chunk says against the sections it lies in."""
        chunks, sections = run[CHUNKS], run[EXPECTED_SECTIONS]
        where, names = Whereabouts(run[LABELLED_TEXT]), names_of(run.case)
        placed = _placed(chunks, where)
        by_number = {cut.number: cut for cut in placed}
        faults: dict[str, list[Json]] = {"document": [], "section": [], "path": [], "place": []}
        kept = 0
        for number, chunk in enumerate(chunks):
            fault = _fault(chunk, by_number.get(number), sections, names)
            if fault is None:
                kept += 1
            else:
                faults[fault].append(chunk.id)
        evidence: dict[str, Json] = {
            **account(chunks, placed),
            "kept": kept,
            "wrong": {fault: len(ids) for fault, ids in faults.items()},
            "examples": {fault: ids[:_SHOWN] for fault, ids in faults.items() if ids},
        }
        return Scored(kept / len(chunks), evidence, weight=len(chunks))


def _placed(chunks: Sequence[Chunk], where: Whereabouts) -> list[Cut]:
    if not chunks:
        raise DoesNotArise(NO_CHUNKS)
    try:
        return cuts(chunks, where)
    except DoesNotArise:  # then none has kept anything that could be checked
        return []


def _fault(
    chunk: Chunk, cut: Cut | None, sections: Sequence[Section], names: frozenset[str]
) -> str | None:
    """What of it is missing or wrong: the first of document, place, section and path."""
    if document_of(chunk) not in names:
        return "document"
    told = heading_path(chunk.metadata)
    if cut is None:
        return "place"
    right = _paths(cut, sections)
    if told is None:
        return None if () in right else "section"
    path = tuple(map(same, told))
    if path in right:
        return None
    return "path" if path and any(path[-1:] == one[-1:] for one in right) else "section"


def _paths(cut: Cut, sections: Sequence[Section]) -> set[Path]:
    """The paths that are right for a chunk."""
    begun = [one for one in sections if one.start <= cut.start < one.end]
    around = [one for one in begun if cut.end <= one.end]
    return {_innermost(begun), _innermost(around)} if around else {_innermost(begun)}


def _innermost(sections: Sequence[Section]) -> Path:
    if not sections:
        return ()
    inner = max(sections, key=lambda one: (one.start, -one.end, len(one.path)))
    return tuple(map(same, inner.path))
