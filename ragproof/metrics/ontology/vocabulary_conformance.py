"""ontology.vocabulary_conformance"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Json, Pool, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ONTOLOGY, OUTPUT_OR_ENTITIES
from ragproof.metrics.output_ids import check_key, output_ids


@dataclass(frozen=True)
class VocabularyConformance(ToolMetric[CaseRun]):
    """Share of the entities that outputs name that the ontology has.

    Question: Does the pipeline invent entities?
    Formula: |ids named that are in the ontology| / |ids named|, summed over all questions
    Range: 0, all are made up, to 1, none is.
    Edge cases: Ids are the values under `key` in `trace.output`, at any depth, also in lists; where
        it has none, the `entity_id` of `trace.entities`. An id counts as often as it is named, null
        does not. Merged ids and short forms are in the ontology; what it calls obsolete is not. An
        output that names no entity contributes nothing.
    Not to be confused with: `ontology.semantic_conformance`, which asks whether it is the right
        entity; `generation.citation_validity`, the same question about sources.
    References: The reference on evaluating RAG systems that ragproof follows, part 7.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Entity, Mention, Observation, Ontology
        >>> from ragproof.core import QuestionCase, Trace
        >>> ontology = Ontology([Entity("Q1"), Entity("Q2")])
        >>> case = QuestionCase(id="q1", question="?")
        >>> output = {"drugs": [{"entity_id": "Q1"}, {"entity_id": "Q99"}]}
        >>> answer = Answer(answer_text="?", trace=Trace(output=output))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> asyncio.run(VocabularyConformance().score(run, Tools(ontology=ontology))).value
        0.5
    """

    key: str = "entity_id"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ONTOLOGY, OUTPUT_OR_ENTITIES),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_key(self.key)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Look every id up."""
        ontology = tools[ONTOLOGY]
        named = output_ids(run, self.key)
        unknown = [one for one in named if one not in ontology]
        evidence: dict[str, Json] = {
            "named": len(named),
            "not_in_ontology": list(dict.fromkeys(unknown)),
        }
        gone: dict[str, Json] = {
            one: ontology.left_out[one] for one in unknown if one in ontology.left_out
        }
        if gone:
            evidence["left_out"] = gone
        return Scored((len(named) - len(unknown)) / len(named), evidence, weight=len(named))
