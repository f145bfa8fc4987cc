"""robustness.answer_drop"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, Gather, GroupRun, Pool, PureMetric, Relation, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER, PERTURBATION, RELATION, VARIANT_OF
from ragproof.metrics.saying import said
from ragproof.metrics.variants import losses, rows


@dataclass(frozen=True)
class AnswerDrop(PureMetric[GroupRun]):
    """How much less often a varied question is answered right than the original; paired.

    Question: What do typos, paraphrases or other languages cost in right answers?
    Formula: for each kind of perturbation (the tag `perturbation`) the mean over variants of
        s(original) - s(variant), where s is 1 if an accepted answer is said, else 0; said as in
        `context.position_accuracy`
    Range: -1, only the variants are answered right, over 0 to 1, only the original is.
    Edge cases: A variant that should have the same answer, or does not say, and has no
        `expected_answer` takes that of its original; others without one are left out, and so are
        variants that should have no answer. A variant without the tag counts under `unnamed`.
        Of repeats of the original the mean counts. A case without variants, or whose original has
        no answer or none expected, is not applicable.
    Not to be confused with: `robustness.variant_consistency`, for which two wrong answers that
        agree are as good as two right ones; or a difference of two means over other questions.
    References: Ribeiro et al., ACL 2020 (CheckList); Jin et al., AAAI 2020, for accuracy before
        and after a perturbation.

    Example:
        >>> losses([0], {1: "typo", 2: "typo"}, {0: 1.0, 1: 1.0, 2: 0.0})["typo"].value
        0.5
    """

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.LOWER,
        needs=(ANSWER,),
        uses=(EXPECTED_ANSWER, VARIANT_OF, RELATION, PERTURBATION),
        pool=Pool.RATIO,
        gather=Gather.VARIANTS,
        each="perturbation",
    )

    def score(self, group: GroupRun, /) -> dict[str, Scored]:
        """Compare each variant with its original."""
        answers = group[ANSWER]
        originals, variants = rows(group)
        accepted, relations = group.get(EXPECTED_ANSWER), group.get(RELATION)
        inherited = next((accepted[row] for row in originals if accepted[row] is not None), None)
        values: dict[int, float] = {}
        for row, answer in enumerate(answers):
            expected = accepted[row]
            if expected is None and relations[row] in (None, Relation.SAME_ANSWER):
                expected = inherited
            if expected is not None and relations[row] is not Relation.NO_ANSWER:
                values[row] = float(said(answer.answer_text, expected) is not None)
        return losses(originals, variants, values)
