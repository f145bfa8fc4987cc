"""ontology.nil_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.mentions import check_match, mentions, shown


@dataclass(frozen=True)
class NilRecall(PureMetric[CaseRun]):
    """Share of the mentions in no ontology that were found and said to be in none.

    Question: Of what the ontology does not have, how much does the linker recognise as such?
    Formula: |mentions expected with `entity_id: null` and found with it| / |mentions expected with
        `entity_id: null`|, summed over all questions
    Range: 0, none was, to 1, all were.
    Edge cases: A mention that was not found at all was not recognised: `ontology.nil_recall`,
        `ontology.over_linking_rate` and the share not found add up to 1. A question without such a
        mention contributes nothing. Matched by place, as in `ontology.mention_recall`.
    Not to be confused with: `robustness.abstention`, which asks whether the answer declines.
    References: Ji, Nothman and Hachey, TAC-KBP 2014, for entities that are in no knowledge base.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> nil = Mention(start=0, end=3, text="Foo")
        >>> case = QuestionCase(id="q1", question="Foo?", expected_entities=(nil,))
        >>> linked = Mention(start=0, end=3, text="Foo", entity_id="food")
        >>> answer = Answer(answer_text="?", trace=Trace(entities=(linked,)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> NilRecall().score(run).value
        0.0
    """

    match: str = "exact"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ENTITIES, EXPECTED_ENTITIES),
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_match(self.match)

    def score(self, run: CaseRun, /) -> Scored:
        """Contribute the mentions that are in no ontology."""
        seen = mentions(run, self.match)
        nil = [one for one in seen.expected if one.entity_id is None]
        if not nil:
            raise DoesNotArise("no expected mention is in no ontology")
        pairs = [(one, got) for one, got in seen.pairs if one.entity_id is None]
        declined = [shown(one) for one, got in pairs if got.entity_id is None]
        over_linked = [
            f"{shown(one)} -> {got.entity_id}" for one, got in pairs if got.entity_id is not None
        ]
        evidence: dict[str, Json] = {
            "declined": declined,
            "over_linked": over_linked,
            "not_found": len(nil) - len(pairs),
        }
        return Scored(len(declined) / len(nil), evidence, weight=len(nil))
