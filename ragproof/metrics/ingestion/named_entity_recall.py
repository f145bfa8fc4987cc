"""ingestion.named_entity_recall"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_NAMED_ENTITIES, NAMED_ENTITIES
from ragproof.metrics.named_entities import check_match, compare, labelled


@dataclass(frozen=True)
class NamedEntityRecall(PureMetric[CaseRun]):
    """Share of the expected named entities that were found, a figure a type.

    Question: How many names were missed?
    Formula: for each type, |found ∩ expected| / |expected|
    Range: 0, none was found, to 1, all were.
    Edge cases: An entity is a span and a type; with `match: overlap` one of the same type that
        overlaps will do, each matched once. A type of which none is expected has no figure. A
        figure for all types together has the label `micro`; over a set figures are ratios of sums.
        Spans given twice count once. Tags of tokens become spans by `ragproof.text.tagged`.
    Not to be confused with: `ingestion.named_entity_precision`: naming everything misses nothing.
    References: Tjong Kim Sang and De Meulder, CoNLL 2003; seqeval.

    Example:
        >>> from ragproof.core import Document, DocumentCase, Observation, Parsed, TypedSpan
        >>> ada = TypedSpan(start=0, end=3, type="PER")
        >>> rome = TypedSpan(start=9, end=13, type="LOC")
        >>> case = DocumentCase(
        ...     id="d", document=Document(text="Ada saw  Rome"), expected_named_entities=(ada, rome)
        ... )
        >>> parsed = Parsed(text="Ada saw  Rome", named_entities=(ada,))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=parsed))
        >>> {kind: one.value for kind, one in NamedEntityRecall().score(run).items()}
        {'LOC': 0.0, 'PER': 1.0, 'micro': 0.5}
    """

    match: str = "exact"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(NAMED_ENTITIES, EXPECTED_NAMED_ENTITIES),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
        each="type",
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count what is expected by type."""
        compared = compare(run, self.match)
        sums = {kind: (one.both, one.expected) for kind, one in compared.counts.items()}
        return labelled(sums, compared.evidence, "no entity was expected")
