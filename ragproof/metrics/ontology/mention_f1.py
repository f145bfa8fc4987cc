"""ontology.mention_f1"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ENTITIES, EXPECTED_ENTITIES
from ragproof.metrics.mentions import check_match, mentions


@dataclass(frozen=True)
class MentionF1(PureMetric[CaseRun]):
    """F1 of finding mentions: harmonic mean of their precision and recall over all questions.

    Question: How well are the places found at which entities are named?
    Formula: 2 |pairs| / (|found mentions| + |expected mentions|), summed over all questions: equal
        to 2 P R / (P + R) of the pooled precision and recall
    Range: 0, nothing right, to 1, everything found and nothing else.
    Edge cases: Mentions are matched by their places in the question, not by what they are linked
        to: `exact` wants the same start and end; `partial` pairs what is left by overlap, each
        mention once, as many as can be. Several at one place count once. A question with neither
        found nor expected mentions contributes nothing.
    Not to be confused with: the mean of the F1 of each question, in which a question with one
        mention weighs as much as one with ten.
    References: Tjong Kim Sang and De Meulder, CoNLL 2003, for exact spans; Segura-Bedmar et al.,
        SemEval 2013 task 9, for partial ones.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Trace
        >>> expected = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 4, 8))
        >>> found = tuple(Mention(start=at, end=at + 1, text="x") for at in (0, 6))
        >>> case = QuestionCase(id="q1", question="x b x d x", expected_entities=expected)
        >>> answer = Answer(answer_text="?", trace=Trace(entities=found))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> round(MentionF1().score(run).value, 3)
        0.4
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
        """Contribute the mentions of both sides."""
        seen = mentions(run, self.match)
        both = len(seen.found) + len(seen.expected)
        if not both:
            raise DoesNotArise("no mention was found, and none is expected")
        evidence: dict[str, Json] = {"missed": seen.missed, "made_up": seen.made_up}
        return Scored(2 * len(seen.pairs) / both, evidence, weight=both)
