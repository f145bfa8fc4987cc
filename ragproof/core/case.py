"""What is asked, and what a right response would be.

The names are those of a dataset line: a field here is a field there, read without renaming.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, ClassVar, Literal

STRICT: dict[str, Any] = {"extra": "forbid"}
"""Tells whoever reads a line into these classes that a key they do not have is an error."""


class CaseKind(StrEnum):
    """What a case tests."""

    QA = "qa"
    UNANSWERABLE = "unanswerable"
    INJECTION = "injection"
    DOCUMENT = "document"


QUESTIONS = frozenset(CaseKind) - {CaseKind.DOCUMENT}
DOCUMENTS = frozenset({CaseKind.DOCUMENT})


class Split(StrEnum):
    """What a case may be used for."""

    DEVELOPMENT = "development"
    CALIBRATION = "calibration"
    RELEASE = "release"
    MONITORING = "monitoring"


class Relation(StrEnum):
    """How the answer to a variant relates to the answer to its original."""

    SAME_ANSWER = "same_answer"
    CHANGED_ANSWER = "changed_answer"
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSpan:
    """A stretch of a document: character offsets, end exclusive."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedSpan:
    """A stretch of a text and what it is: a kind of personal data, a kind of name."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    start: int
    end: int
    type: str
    score: float | None = None
    """How sure whoever found it is; the higher, the surer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Nugget:
    """A piece of information that a good answer has."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    text: str
    vital: bool
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A stretch of text that names an entity; `entity_id` is None for one in no ontology."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    start: int
    end: int
    text: str
    entity_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One message of the conversation so far."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    role: str
    content: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Element:
    """A part of a document: a heading, a table, a caption."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    type: str
    text: str
    level: int | None = None
    page: int | None = None
    html: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A stretch of a document and the headings above it, the outermost first."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Boundary:
    """A place of a document where a chunker cut, and whether people call that cut sensible."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    at: int
    sensible: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A document for ingestion: a file, or its text."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    path: str | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """What every case has. `None` means "not known", never "empty"."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    id: str
    kind: CaseKind
    group: str | None = None
    """Cases that stand or fall together: one source document, one session."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """Slices: tag name to value."""
    split: Split | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Whatever else the author wrote down, kept and never read."""

    @property
    def slices(self) -> Mapping[str, str]:
        """What the case can be sliced by: its tags, and the class of a document."""
        return self.tags


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionCase(Case):
    """A question for the whole pipeline."""

    kind: CaseKind = CaseKind.QA
    question: str
    expected_source_ids: tuple[str, ...] | Mapping[str, int] | None = None
    """Ids, or id to grade; grades of 1 and above count as relevant."""
    expected_spans: tuple[SourceSpan, ...] | None = None
    expected_answer: str | tuple[str, ...] | None = None
    """The acceptable answer, or all of them."""
    expected_nuggets: tuple[Nugget, ...] | None = None
    adversarial_payload: str | None = None
    """A payload id or a literal marker."""
    planted_source_ids: tuple[str, ...] | None = None
    """Documents that carry the payload."""
    distractor_source_ids: tuple[str, ...] | None = None
    superseded_source_ids: tuple[str, ...] | None = None
    as_of: date | None = None
    eligible_source_ids: tuple[str, ...] | None = None
    """What the caller may see."""
    expected_filter: Mapping[str, Any] | None = None
    expected_intent: str | None = None
    expected_route: str | None = None
    expected_entities: tuple[Mention, ...] | None = None
    expected_schema: Mapping[str, Any] | None = None
    """JSON Schema that the answer's structured output satisfies."""
    answerable_from_context: bool | None = None
    history: tuple[Turn, ...] | None = None
    caller: Mapping[str, Any] | None = None
    """What the pipeline is told of who asks."""
    variant_of: str | None = None
    """Id of the case that this one varies."""
    expected_relation: Relation | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentCase(Case):
    """A document for ingestion."""

    kind: Literal[CaseKind.DOCUMENT] = CaseKind.DOCUMENT
    document: Document
    expected_text: str | None = None
    """What a perfect parser would give; possibly empty."""
    document_class: str | None = None
    expected_tables: tuple[str, ...] | None = None
    expected_elements: tuple[Element, ...] | None = None
    """In reading order."""
    expected_language: str | None = None
    expected_title: str | None = None
    expected_boilerplate: tuple[tuple[int, int], ...] | None = None
    expected_pii: tuple[TypedSpan, ...] | None = None
    expected_named_entities: tuple[TypedSpan, ...] | None = None
    expected_relations: tuple[tuple[str, str, str], ...] | None = None
    """Head, type, tail."""
    duplicate_group: str | None = None
    expected_sections: tuple[Section, ...] | None = None
    expected_boundaries: tuple[Boundary, ...] | None = None
    """Cuts that people judged; in no order."""

    @property
    def slices(self) -> Mapping[str, str]:
        """The tags and, where it is known and no tag says otherwise, `document_class`."""
        if self.document_class is None:
            return self.tags
        return {"document_class": self.document_class, **self.tags}


@dataclass(frozen=True, slots=True)
class Trial:
    """A case to be put to the system, for the first time or again."""

    case: Case
    repeat: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """Case id and repeat: what tells trials of one run apart."""
        return self.case.id, self.repeat

    @property
    def name(self) -> str:
        """For people: the case id, with the repeat's number from the second on (`q1 #1`)."""
        return f"{self.case.id} #{self.repeat}" if self.repeat else self.case.id
