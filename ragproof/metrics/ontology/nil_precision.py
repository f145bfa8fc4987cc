"""ontology.nil_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.mentions import check_match, mentions, shown


@dataclass(frozen=True)
class NilPrecision(PureMetric[CaseRun]):
    """Share of the mentions said to be in no ontology that are in none.

    Question: When the linker declines to link, is it right to?
    Formula: |mentions found with `entity_id: null` and expected with it| / |mentions found with
        `entity_id: null`|, summed over all questions
    Range: 0, never right, to 1, always.
    Edge cases: A mention that was not expected at all counts as wrong. Without a mention that is
        said to be in none there is no figure: a linker that never declines has no precision here,
        its `ontology.nil_recall` is 0. Matched by place, as in `ontology.mention_precision`.
    Not to be confused with: `ontology.over_linking_rate`, which counts the opposite fault: linking
        what is in no ontology.
    References: Ji, Nothman and Hachey, TAC-KBP 2014, for entities that are in no knowledge base.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> known = Mention(start=0, end=3, text="Foo", entity_id="food")
        >>> case = QuestionCase(id="q1", question="Foo?", expected_entities=(known,))
        >>> declined = Mention(start=0, end=3, text="Foo")
        >>> answer = Answer(answer_text="?", trace=Trace(entities=(declined,)))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> NilPrecision().score(run).value
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
        """Contribute the mentions that were not linked."""
        seen = mentions(run, self.match)
        said = [one for one in seen.found if one.entity_id is None]
        if not said:
            raise DoesNotArise("no mention was said to be in no ontology")
        right = [
            found
            for expected, found in seen.pairs
            if found.entity_id is None and expected.entity_id is None
        ]
        evidence: dict[str, Json] = {
            "right": [shown(one) for one in right],
            "wrong": [shown(one) for one in said if one not in right],
        }
        return Scored(len(right) / len(said), evidence, weight=len(said))
