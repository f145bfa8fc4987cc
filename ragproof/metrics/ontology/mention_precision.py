"""ontology.mention_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.mentions import check_match, mentions


@dataclass(frozen=True)
class MentionPrecision(PureMetric[CaseRun]):
    """Share of the mentions found that were expected.

    Question: When the linker says that something is named here, is it?
    Formula: |found mentions that were expected| / |found mentions|, summed over all questions
    Range: 0, none was, to 1, all were.
    Edge cases: Mentions are matched by their places in the question, not by what they are linked
        to: `exact` wants the same start and end; `partial` pairs what is left by overlap, each
        mention once, as many as can be. Several at one place count once. A question in which
        nothing was found contributes nothing; one in which nothing is expected (`expected_entities:
        []`) makes every mention a wrong one.
    Not to be confused with: `ontology.disambiguation_accuracy`, which asks for the entity;
        `ontology.vocabulary_conformance`, which asks whether there is such an entity.
    References: Tjong Kim Sang and De Meulder, CoNLL 2003, for exact spans; Segura-Bedmar et al.,
        SemEval 2013 task 9, for partial ones.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> expected = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 4, 8))
        >>> found = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 6))
        >>> case = QuestionCase(id="q1", question="x b x d x", expected_entities=expected)
        >>> answer = Answer(answer_text="?", trace=Trace(entities=found))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> round(MentionPrecision().score(run).value, 3)
        0.5
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
        """Contribute the mentions found."""
        seen = mentions(run, self.match)
        if not seen.found:
            raise DoesNotArise("no mention was found", {"missed": seen.missed})
        evidence: dict[str, Json] = {"found": len(seen.found), "made_up": seen.made_up}
        return Scored(len(seen.pairs) / len(seen.found), evidence, weight=len(seen.found))
