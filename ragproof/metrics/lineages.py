"""The entities of a case together with all that is above them: what hierarchical figures share."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import CaseRun, DoesNotArise, Json, Ontology
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES


@dataclass(frozen=True, slots=True)
class Lineages:
    """What was found and what was expected, each with its ancestors."""

    found: frozenset[str]
    expected: frozenset[str]
    evidence: dict[str, Json]

    @property
    def shared(self) -> int:
        """How many entities both have."""
        return len(self.found & self.expected)


def lineages(run: CaseRun, ontology: Ontology) -> Lineages:
    """Take a case's entities together, each once, and add what is above them.

    A found id that the ontology does not have stands by itself: it was wrong, and counts as one.
    Raises DoesNotArise where an expected one is not there: its ancestors are not known.
    """
    found = {one.entity_id for one in run[ENTITIES] if one.entity_id is not None}
    expected = {one.entity_id for one in run[EXPECTED_ENTITIES] if one.entity_id is not None}
    evidence: dict[str, Json] = {"found": sorted(found), "expected": sorted(expected)}
    if unlabelled := sorted(one for one in expected if one not in ontology):
        told = f"the ontology does not have what is expected: {', '.join(unlabelled)}"
        raise DoesNotArise(told, evidence)
    unknown = {one for one in found if one not in ontology}
    if unknown:
        evidence["not_in_ontology"] = sorted(unknown)
    return Lineages(
        found=frozenset(unknown).union(*map(ontology.lineage, found - unknown)),
        expected=frozenset[str]().union(*map(ontology.lineage, expected)),
        evidence=evidence,
    )
