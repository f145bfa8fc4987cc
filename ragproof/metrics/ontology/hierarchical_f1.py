"""ontology.hierarchical_f1"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Pool, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES, ONTOLOGY
from ragproof.metrics.lineages import lineages


@dataclass(frozen=True)
class HierarchicalF1(ToolMetric[CaseRun]):
    """F1 of the entities and all above them: harmonic mean of the two hierarchical figures.

    Question: How near does the linker come, all in all?
    Formula: 2 sum of |P ∩ T| / sum of (|P| + |T|) over all questions: equal to 2 hP hR / (hP + hR)
        of the pooled figures; P are the entities found and all their ancestors, T those expected
    Range: 0, not even a root is shared, to 1.
    Edge cases: An entity with several parents has all that is above any of them. The entities of a
        question are taken together, each once, wherever they are named. Nothing joins several
        roots: below different ones nothing is shared. A found id that is not in the ontology is one
        entity that is wrong. Where an expected id is not in it, the question is not applicable: its
        ancestors are not known. A question with neither contributes nothing. Where nothing is
        shared at all it is 0, also where hP + hR = 0.
    Not to be confused with: the mean of the F1 of each question, which is another figure;
        `ontology.wu_palmer`, which compares entities in pairs.
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
        >>> found = asyncio.run(HierarchicalF1().score(run, Tools(ontology=ontology)))
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
        """Contribute both sides."""
        seen = lineages(run, tools[ONTOLOGY])
        both = len(seen.found) + len(seen.expected)
        if not both:
            raise DoesNotArise("no entity was found, and none is expected", seen.evidence)
        return Scored(2 * seen.shared / both, seen.evidence, weight=both)
