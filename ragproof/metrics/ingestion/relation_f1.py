"""ingestion.relation_f1"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_RELATIONS, RELATIONS
from ragproof.metrics.named_entities import labelled, tally

_SHOWN = 20


@dataclass(frozen=True)
class RelationF1(PureMetric[CaseRun]):
    """F1 of the relations taken from a document, a figure a type.

    Question: Of which relations does the extraction miss or make up facts?
    Formula: for each type, 2 |found ∩ expected| / (|found| + |expected|), of triples of head, type
        and tail
    Range: 0, never right, to 1, all and only those expected.
    Edge cases: A triple is right where all three are, letter by letter but for white space; a
        triple given twice counts once, and the direction counts. A type that was found but never
        expected has a figure, 0. A figure for all types together has the label `micro`; over a set
        figures are ratios of sums, and `document_class` slices them. Where no relation was
        expected and none was found it is not applicable.
    Not to be confused with: `ingestion.named_entity_f1`: both names can be right and the relation
        between them wrong.
    References: Zhang et al., EMNLP 2017 (TACRED); Yao et al., ACL 2019 (DocRED).

    Example:
        >>> from ragproof.core import CaseRun, Document, DocumentCase, Observation, Parsed
        >>> right = (("Ada", "born_in", "London"),)
        >>> case = DocumentCase(id="d", document=Document(text=""), expected_relations=right)
        >>> parsed = Parsed(text="", relations=(("London", "born_in", "Ada"),))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=parsed))
        >>> {kind: one.value for kind, one in RelationF1().score(run).items()}
        {'born_in': 0.0, 'micro': 0.0}
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RELATIONS, EXPECTED_RELATIONS),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
        each="type",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count triples by type."""
        given, labels = run[RELATIONS], run[EXPECTED_RELATIONS]
        found, expected = _triples(given), _triples(labels)
        none = "no relation was expected and none was found"
        counts = tally(_types(expected), _types(found), _types(expected & found), none)
        sums = {kind: (2 * one.both, one.found + one.expected) for kind, one in counts.items()}
        evidence: dict[str, Json] = {
            "missed": [list(one) for one in sorted(expected - found)[:_SHOWN]],
            "made_up": [list(one) for one in sorted(found - expected)[:_SHOWN]],
        }
        return labelled(sums, evidence, none)


def _types(triples: Iterable[tuple[str, str, str]]) -> Counter[str]:
    return Counter(kind for _, kind, _ in triples)


def _triples(given: Iterable[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    squeezed = (tuple(" ".join(part.split()) for part in one) for one in given)
    return {(head, kind, tail) for head, kind, tail in squeezed}
