"""ontology.semantic_conformance"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Pool,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import EXPECTED_ENTITIES, ONTOLOGY, OUTPUT_OR_ENTITIES
from ragproof.metrics.output_ids import check_key, output_ids


@dataclass(frozen=True)
class SemanticConformance(ToolMetric[CaseRun]):
    """Share of the valid entities that outputs name that are among those expected.

    Question: Of what is valid, how much is right?
    Formula: |distinct ids named that are in the ontology and in `expected_entities`| / |distinct
        ids named that are in the ontology|, summed over all questions
    Range: 0, every one is valid and wrong, to 1, every one is right.
    Edge cases: Ids are found as in `ontology.vocabulary_conformance`; those that are not in the
        ontology are that metric's affair and in neither sum. A merged id is the one that it was
        merged into. A question without a valid id contributes nothing; one with `expected_entities:
        []` makes every entity a wrong one.
    Not to be confused with: `ontology.disambiguation_accuracy`, which goes by places in the
        question; `generation.correctness`, beside which it is to be read: conformance is no
        evidence of a right answer.
    References: The reference on evaluating RAG systems that ragproof follows, part 7.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Entity, Mention, Observation, Ontology
        >>> from ragproof.core import QuestionCase, Trace
        >>> ontology = Ontology([Entity("Q1"), Entity("Q2")])
        >>> right = Mention(start=0, end=1, text="a", entity_id="Q1")
        >>> case = QuestionCase(id="q1", question="a?", expected_entities=(right,))
        >>> answer = Answer(answer_text="?", trace=Trace(output={"entity_id": ["Q1", "Q2"]}))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> asyncio.run(SemanticConformance().score(run, Tools(ontology=ontology))).value
        0.5
    """

    key: str = "entity_id"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ONTOLOGY, OUTPUT_OR_ENTITIES, EXPECTED_ENTITIES),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_key(self.key)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Compare the valid ids with those expected."""
        ontology = tools[ONTOLOGY]
        named = output_ids(run, self.key)
        expected = {
            ontology.canonical(one.entity_id)
            for one in run[EXPECTED_ENTITIES]
            if one.entity_id is not None
        }
        valid = {ontology.canonical(one) for one in named if one in ontology}
        if not valid:
            raise DoesNotArise("no entity that the output names is in the ontology")
        evidence: dict[str, Json] = {
            "right": sorted(valid & expected),
            "valid_but_wrong": sorted(valid - expected),
        }
        return Scored(len(valid & expected) / len(valid), evidence, weight=len(valid))
