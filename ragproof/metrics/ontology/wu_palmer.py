"""ontology.wu_palmer"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Ontology,
    Pool,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES, ONTOLOGY
from ragproof.metrics.mentions import check_match, linked


@dataclass(frozen=True)
class WuPalmer(ToolMetric[CaseRun]):
    """Mean similarity of the entity given and the one expected: how deep the two are one.

    Question: How far off are the links?
    Formula: mean over the mentions found and linked of 2 depth(a) / (depth(given) +
        depth(expected)); a is their lowest common ancestor, the depth of a root is 1
    Range: 0, below different roots, to 1, the same entity.
    Edge cases: Where an entity has several parents, its depth is counted along the longest way from
        a root, so that it is always deeper than what is above it and no value passes 1; of several
        common ancestors the deepest counts. Nothing joins several roots: 0 between them. A pair
        with an id that is not in the ontology has no similarity and is left out; without any other
        the question is not applicable. So are mentions that were not found, or found with
        `entity_id: null`. Each pair weighs the same. Matched by place, as in
        `ontology.mention_recall`.
    Not to be confused with: WordNet's figure in NLTK, whose depth of verbs is counted from a root
        put above all; the form with depth 0 at the root, by which children of a root share nothing.
    References: Wu and Palmer, ACL 1994.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Entity, Mention, Observation, Ontology
        >>> from ragproof.core import QuestionCase, Trace
        >>> up = {"vehicle": (), "car": ("vehicle",), "sedan": ("car",), "hatchback": ("car",)}
        >>> ontology = Ontology(Entity(one, parents=above) for one, above in up.items())
        >>> right, wrong = (
        ...     Mention(start=0, end=4, text="?", entity_id=one) for one in ("hatchback", "sedan")
        ... )
        >>> case = QuestionCase(id="q1", question="Golf?", expected_entities=(right,))
        >>> answer = Answer(answer_text="?", trace=Trace(entities=(wrong,)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> found = asyncio.run(WuPalmer().score(run, Tools(ontology=ontology)))
        >>> round(found.value, 3)
        0.667
    """

    match: str = "exact"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ONTOLOGY, ENTITIES, EXPECTED_ENTITIES),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Average over the pairs."""
        ontology = tools[ONTOLOGY]
        total, pairs = 0.0, list[Json]()
        unknown: set[str] = set()
        for _, expected, got in linked(run, self.match):
            if absent := {one for one in (expected, got) if one not in ontology}:
                unknown |= absent
                continue
            value, above = _similarity(ontology, expected, got)
            total += value
            pairs.append({"expected": expected, "got": got, "common": above, "value": value})
        evidence: dict[str, Json] = {"not_in_ontology": sorted(unknown)} if unknown else {}
        if not pairs:
            raise DoesNotArise("no pair of entities is in the ontology", evidence)
        return Scored(total / len(pairs), {**evidence, "pairs": pairs}, weight=len(pairs))


def _similarity(ontology: Ontology, one: str, other: str) -> tuple[float, str | None]:
    """The similarity, and the ancestor that it rests on."""
    above = ontology.lowest_above_both(one, other)
    if above is None:
        return 0.0, None
    return 2 * ontology.depth(above) / (ontology.depth(one) + ontology.depth(other)), above
