"""chunking.attribution_fidelity"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    Chunk,
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
    ELEMENTS,
    EXPECTED_ELEMENTS,
    EXPECTED_SECTIONS,
    LABELLED_TEXT,
)
from ragproof.core.places import document_of
from ragproof.metrics.cuts import NO_CHUNKS, is_text_of, told_place
from ragproof.metrics.documents import heading_path, names_of, same
from ragproof.text.whereabouts import Whereabouts, bare

PAGE_KEYS = ("page", "page_number", "page_label")
ANCHOR_KEYS = ("anchor", "section", "heading")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_HTML_HEADING = re.compile(r"<h[1-6]\b[^<>]*>(.{1,500}?)</h[1-6]>", re.IGNORECASE | re.DOTALL)
_HTML_NAME = re.compile(r"""\b(?:id|name)=["']([^"'<>]{1,200})["']""")
_SHOWN = 20


@dataclass(frozen=True)
class AttributionFidelity(PureMetric[CaseRun]):
    """Share of the chunks whose pointer back to the source was followed and holds.

    Question: Can an auditor get from a chunk to the very place it was taken from?
    Formula: chunks with a pointer that was verified, and none that is wrong / chunks
    Range: 0, no chunk leads back, to 1, all do.
    Edge cases: `start` and `end` hold where the document's text there is the chunk's, white space
        aside; a context written before it is allowed up to half of the chunk. `document_id` holds
        where it is the case's id, or the path, name or stem of its file, and the chunk's text is
        in the document. A page (`page`, `page_number`, `page_label`) holds where an element of
        that page is in the chunk or the chunk in it; a section (`anchor`, `section`, `heading` or a
        path of headings) where there is such a heading or id. The text is that of the case or what
        the parser made of its file; elements are `expected_elements`, else those of the parser.
        A pointer that cannot be checked, such as a page where no element tells its page, counts
        neither for nor against. With `place: true` a document id alone is not enough.
    Not to be confused with: `citation.provenance_depth`, which follows the citations of answers;
        or `chunking.hierarchy_preserved`, which asks for the right section.
    References: chunk attribution as auditors need it; no published figure is known.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation
        >>> case = DocumentCase(id="d", document=Document(text="Cats purr. Dogs bark."))
        >>> right = Chunk(id="1", text="Cats purr.", metadata={"start": 0, "end": 10})
        >>> wrong = Chunk(id="2", text="Dogs bark.", metadata={"start": 0, "end": 10})
        >>> run = CaseRun(case, Observation(case_id="d", chunks=(right, wrong)))
        >>> AttributionFidelity().score(run).value
        0.5
    """

    place: bool = False

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CHUNKS, CUT_TEXT),
        uses=(LABELLED_TEXT, EXPECTED_ELEMENTS, ELEMENTS, EXPECTED_SECTIONS),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Follow each chunk's pointers."""
        chunks, source = run[CHUNKS], _Source.of(run)
        if not chunks:
            raise DoesNotArise(NO_CHUNKS)
        verified = 0
        wrong: list[Json] = []
        without: list[Json] = []
        for chunk in chunks:
            told = dict(source.followed(chunk))
            holds = [name for name, is_right in told.items() if is_right]
            enough = [name for name in holds if name != "document" or not self.place]
            if False in told.values():
                failed = [name for name, is_right in told.items() if is_right is False]
                wrong.append({"chunk": chunk.id, "wrong": failed})
            elif enough:
                verified += 1
            else:
                without.append(chunk.id)
        evidence: dict[str, Json] = {
            "chunks": len(chunks),
            "verified": verified,
            "wrong": wrong[:_SHOWN],
            "wrong_count": len(wrong),
            "no_verified_pointer": without[:_SHOWN],
            "no_verified_pointer_count": len(without),
        }
        return Scored(verified / len(chunks), evidence, weight=len(chunks))


@dataclass(frozen=True)
class _Source:
    """What is known of the document that chunks may point to."""

    names: frozenset[str]
    texts: tuple[Whereabouts, ...]
    elements: Sequence[Element]
    sections: Sequence[Section]

    @classmethod
    def of(cls, run: CaseRun) -> _Source:
        texts = dict.fromkeys([run[CUT_TEXT], run.get(LABELLED_TEXT) or ""])
        elements = run.get(EXPECTED_ELEMENTS) or run.get(ELEMENTS) or ()
        sections = run.get(EXPECTED_SECTIONS) or ()
        where = tuple(Whereabouts(text) for text in texts)
        return cls(names_of(run.case), where, elements, sections)

    def followed(self, chunk: Chunk) -> Iterator[tuple[str, bool | None]]:
        """Each pointer that the chunk has, and whether it holds; None where nobody can tell."""
        at_place: bool | None = None
        if {"start", "end"} & chunk.metadata.keys():
            at_place = self._is_at(chunk)
            yield "place", at_place
        if (document := document_of(chunk)) is not None:
            yield "document", document in self.names and (at_place or self._has(chunk))
        for key in PAGE_KEYS:
            if (page := chunk.metadata.get(key)) is not None:
                yield key, self._is_on_page(chunk, str(page))
        for key in ANCHOR_KEYS:
            if isinstance(anchor := chunk.metadata.get(key), str):
                yield key, self._has_anchor([anchor])
        if path := heading_path(chunk.metadata):
            yield "headings", self._has_anchor(path)

    def _is_at(self, chunk: Chunk) -> bool:
        told = told_place(chunk)
        return told is not None and any(
            told[1] <= len(where.text) and is_text_of(chunk, where.text[slice(*told)])
            for where in self.texts
        )

    def _has(self, chunk: Chunk) -> bool:
        return any(where.places(chunk.text, most=1) for where in self.texts)

    def _is_on_page(self, chunk: Chunk, page: str) -> bool | None:
        if not self._pages:
            return None
        mine = bare(chunk.text)
        return any(one in mine or mine in one for one in self._pages.get(page, ()) if mine)

    def _has_anchor(self, anchors: Sequence[str]) -> bool | None:
        if not self._anchors:
            return None
        return all(same(one.removeprefix("#")) in self._anchors for one in anchors)

    @cached_property
    def _pages(self) -> Mapping[str, list[str]]:
        """Page to the texts of its elements, without white space."""
        pages: dict[str, list[str]] = {}
        for one in self.elements:
            if one.page is not None and (text := bare(one.text)):
                pages.setdefault(str(one.page), []).append(text)
        return pages

    @cached_property
    def _anchors(self) -> frozenset[str]:
        """Headings and ids, and headings as links to them are written."""
        headings = [part for section in self.sections for part in section.path]
        headings += [one.text for one in self.elements if one.type.lower() in ("heading", "title")]
        ids: list[str] = []
        for where in self.texts:
            headings += _HEADING.findall(where.text)
            if "<" in where.text:
                found = _HTML_HEADING.findall(where.text)
                headings += [re.sub(r"<[^<>]*>", "", one) for one in found]
                ids += _HTML_NAME.findall(where.text)
        links = (re.sub(r"[^\w\- ]", "", same(one)).replace(" ", "-") for one in headings)
        return frozenset({*map(same, headings), *links, *map(same, ids)} - {""})
