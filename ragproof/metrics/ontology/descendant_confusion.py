"""ontology.descendant_confusion"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Kinship, Pool, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES, ONTOLOGY
from ragproof.metrics.confusions import confusion_rate
from ragproof.metrics.mentions import check_match


@dataclass(frozen=True)
class DescendantConfusion(ToolMetric[CaseRun]):
    """Share of the linking errors that took something below the right entity.

    Question: Are errors more special than what was asked?
    Formula: |mentions linked to a child of the expected entity or what is further down| / |mentions
        linked to a wrong entity|, summed over all questions
    Range: 0, no error is of this kind, to 1, all are.
    Edge cases: How far down does not matter. An error is a mention found and linked to another
        entity than expected; ids that are not in the ontology are errors of no kind. Without an
        error there is no rate. Mentions not found, not linked (`entity_id: null`), in no ontology,
        or whose expected id the ontology does not have are not counted. The evidence lists each
        confused pair, and whether the mention's text is a name of both (`ambiguous`).
    Not to be confused with: the rate of errors itself, 1 less `ontology.disambiguation_accuracy`: a
        linker with one error has a rate of 0 or 1 here.
    References: The reference on evaluating RAG systems that ragproof follows, part 7.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Entity, Mention, Observation, Ontology
        >>> from ragproof.core import QuestionCase, Trace
        >>> up = {"vehicle": (), "car": ("vehicle",), "sedan": ("car",), "hatchback": ("car",)}
        >>> ontology = Ontology(Entity(one, parents=above) for one, above in up.items())
        >>> right, wrong = (
        ...     Mention(start=0, end=4, text="?", entity_id=one) for one in ("car", "hatchback")
        ... )
        >>> case = QuestionCase(id="q1", question="Golf?", expected_entities=(right,))
        >>> answer = Answer(answer_text="?", trace=Trace(entities=(wrong,)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> found = asyncio.run(DescendantConfusion().score(run, Tools(ontology=ontology)))
        >>> found.value
        1.0
    """

    match: str = "exact"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.NEITHER,
        needs=(ONTOLOGY, ENTITIES, EXPECTED_ENTITIES),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Contribute the errors."""
        return confusion_rate(run, tools[ONTOLOGY], self.match, {Kinship.DESCENDANT})
