"""ontology.hierarchical_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Pool, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES, ONTOLOGY
from ragproof.metrics.lineages import lineages


@dataclass(frozen=True)
class HierarchicalRecall(ToolMetric[CaseRun]):
    """Share of the expected entities, and of all above them, that were found.

    Question: How much of what is meant does the linker get, counting a near miss for what it
        shares?
    Formula: sum of |P ∩ T| / sum of |T| over all questions; P are the entities found and all their
        ancestors, T those expected and all theirs
    Range: 0, not even a root is shared, to 1.
    Edge cases: An entity with several parents has all that is above any of them. The entities of a
        question are taken together, each once, wherever they are named. Nothing joins several
        roots: below different ones nothing is shared. A found id that is not in the ontology is one
        entity that is wrong. Where an expected id is not in it, the question is not applicable: its
        ancestors are not known. A question in which no entity is expected contributes nothing; one
        in which none was found lowers it.
    Not to be confused with: `ontology.mention_recall`, which asks for places, not for entities.
    References: Kosmopoulos et al., Data Mining and Knowledge Discovery 2015; Kiritchenko et al., AI
        2006.

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
        >>> found = asyncio.run(HierarchicalRecall().score(run, Tools(ontology=ontology)))
        >>> round(found.value, 3)
        0.667
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ONTOLOGY, ENTITIES, EXPECTED_ENTITIES),
        pool=Pool.RATIO,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Contribute what was expected and all above it."""
        seen = lineages(run, tools[ONTOLOGY])
        if not seen.expected:
            raise DoesNotArise("no entity is expected", seen.evidence)
        return Scored(seen.shared / len(seen.expected), seen.evidence, weight=len(seen.expected))
