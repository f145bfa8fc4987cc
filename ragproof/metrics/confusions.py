"""Mentions that were linked to another entity than expected, and what the two are to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from ragproof.core import CaseRun, DoesNotArise, Json, Kinship, Ontology, Scored
from ragproof.metrics.mentions import linked


def confusion_rate(
    run: CaseRun, ontology: Ontology, match: str, wanted: Collection[Kinship]
) -> Scored:
    """Give the share of a case's linking errors that are of the wanted kinship.

    An id that the ontology does not have is an error of kinship `unknown`. A mention whose
    expected entity is not in the ontology is left out. Raises DoesNotArise without an error.
    """
    pairs: list[Json] = []
    counts: Counter[Kinship] = Counter()
    left_out: list[str] = []
    for mention, expected, got in linked(run, match):
        if expected not in ontology:
            left_out.append(expected)
            continue
        kinship = ontology.kinship(got, expected)
        if kinship is Kinship.SAME:
            continue
        counts[kinship] += 1
        meant = ontology.named(mention.text)
        both = {ontology.canonical(one) for one in (expected, got)}
        pairs.append(
            {
                "text": mention.text,
                "expected": _called(ontology, expected),
                "got": _called(ontology, got),
                "kinship": str(kinship),
                "ambiguous": both <= set(meant),
            }
        )
    if left_out and not pairs:
        missing = ", ".join(dict.fromkeys(left_out))
        raise DoesNotArise(f"the ontology does not have what is expected: {missing}")
    if not pairs:
        raise DoesNotArise("no mention was linked to a wrong entity")
    value = sum(counts[one] for one in wanted) / len(pairs)
    return Scored(value, {"errors": len(pairs), "confused": pairs}, weight=len(pairs))


def _called(ontology: Ontology, entity_id: str) -> str:
    """Id and name for a reader."""
    name = ontology[entity_id].name if entity_id in ontology else None
    return f"{entity_id} ({name})" if name else entity_id
