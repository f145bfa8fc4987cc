"""ontology.disambiguation_accuracy"""

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
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES, ONTOLOGY
from ragproof.metrics.mentions import check_match, mentions


@dataclass(frozen=True)
class DisambiguationAccuracy(ToolMetric[CaseRun]):
    """Share of the mentions rightly found that were linked to the right entity.

    Question: Where the linker sees that something is named, does it know what?
    Formula: |expected mentions found with the expected `entity_id`| / |expected mentions found|,
        summed over all questions
    Range: 0, never, to 1, always.
    Edge cases: A mention that was not found is in neither sum. One in no ontology is right if it
        was found with `entity_id: null`; with `nil: false` such mentions are left out. Ids are
        equal by every letter; with an ontology an id that was merged into another, or its short
        form, is that other one. Places are matched as in `ontology.mention_recall`.
    Not to be confused with: recall of links, which falls with every mention not found;
        `ontology.wu_palmer`, in which a near miss counts for something.
    References: Hoffart et al., EMNLP 2011 (AIDA-CoNLL), for accuracy on given mentions.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> right = Mention(start=0, end=7, text="Aspirin", entity_id="Q18216")
        >>> case = QuestionCase(id="q1", question="Aspirin?", expected_entities=(right,))
        >>> wrong = Mention(start=0, end=7, text="Aspirin", entity_id="Q1")
        >>> answer = Answer(answer_text="?", trace=Trace(entities=(wrong,)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> asyncio.run(DisambiguationAccuracy().score(run, Tools())).value
        0.0
    """

    match: str = "exact"
    nil: bool = True

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ENTITIES, EXPECTED_ENTITIES),
        uses=(ONTOLOGY,),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Contribute the mentions that were found."""
        seen = mentions(run, self.match)
        pairs = [pair for pair in seen.pairs if self.nil or pair[0].entity_id is not None]
        if not pairs:
            raise DoesNotArise("no expected mention was found", {"missed": seen.missed})
        wrong: list[Json] = [
            {"text": one.text, "expected": one.entity_id, "got": got.entity_id}
            for one, got in pairs
            if _listed(one.entity_id, tools) != _listed(got.entity_id, tools)
        ]
        evidence: dict[str, Json] = {"found": len(pairs), "wrong": wrong}
        return Scored((len(pairs) - len(wrong)) / len(pairs), evidence, weight=len(pairs))


def _listed(entity_id: str | None, tools: Tools) -> str | None:
    """The id under which the ontology lists the entity."""
    if entity_id is None or tools.ontology is None:
        return entity_id
    return tools.ontology.canonical(entity_id)
