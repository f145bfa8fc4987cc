"""ontology.mention_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.mentions import check_match, mentions


@dataclass(frozen=True)
class MentionRecall(PureMetric[CaseRun]):
    """Share of the expected mentions that were found.

    Question: Of what the question names, how much does the linker see?
    Formula: |expected mentions that were found| / |expected mentions|, summed over all questions
    Range: 0, none was, to 1, all were.
    Edge cases: Mentions are matched by their places in the question, not by what they are linked
        to: `exact` wants the same start and end; `partial` pairs what is left by overlap, each
        mention once, as many as can be. Several at one place count once. A question that names
        nothing contributes nothing. Mentions of what is in no ontology (`entity_id: null`) are to
        be found as well.
    Not to be confused with: `ontology.hierarchical_recall`, which asks for entities and what is
        above them, wherever they stand.
    References: Tjong Kim Sang and De Meulder, CoNLL 2003, for exact spans; Segura-Bedmar et al.,
        SemEval 2013 task 9, for partial ones.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> expected = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 4, 8))
        >>> found = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 6))
        >>> case = QuestionCase(id="q1", question="x b x d x", expected_entities=expected)
        >>> answer = Answer(answer_text="?", trace=Trace(entities=found))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> round(MentionRecall().score(run).value, 3)
        0.333
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
        """Contribute the expected mentions."""
        seen = mentions(run, self.match)
        if not seen.expected:
            raise DoesNotArise("no mention is expected", {"made_up": seen.made_up})
        evidence: dict[str, Json] = {"expected": len(seen.expected), "missed": seen.missed}
        return Scored(len(seen.pairs) / len(seen.expected), evidence, weight=len(seen.expected))
