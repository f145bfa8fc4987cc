"""robustness.recall_drop"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, Gather, GroupRun, Pool, PureMetric, Relation, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, PERTURBATION, RELATION, RETRIEVAL, VARIANT_OF
from ragproof.metrics.ranks import check_k
from ragproof.metrics.variants import losses, rows


@dataclass(frozen=True)
class RecallDrop(PureMetric[GroupRun]):
    """How much of the expected sources a varied question no longer finds; paired.

    Question: What do typos, paraphrases or other languages cost in retrieval?
    Formula: for each kind of perturbation (the tag `perturbation`) the mean over variants of
        recall(original) - recall(variant), each |first `k` distinct sources ∩ expected| /
        |expected|
    Range: -1, only the variants find anything, over 0 to 1, only the original does.
    Edge cases: A variant that should have the same answer, or does not say, and has no
        `expected_source_ids` takes those of its original; others without are left out. A variant
        without the tag counts under `unnamed`. Of repeats of the original the mean counts. A case
        without variants, or whose original has nothing expected or was not retrieved for, is not
        applicable.
    Not to be confused with: `robustness.answer_drop`: an answer may survive a worse search, and
        fail after a good one; or a difference of two means over other questions.
    References: Penha, Câmara and Hauff, ECIR 2022, for retrieval under variations of queries.

    Example:
        >>> recall(("a", "x", "b"), frozenset({"a", "b"}), 2)
        0.5
    """

    k: int = 5

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.LOWER,
        needs=(RETRIEVAL,),
        uses=(EXPECTED_SOURCES, VARIANT_OF, RELATION, PERTURBATION),
        pool=Pool.RATIO,
        gather=Gather.VARIANTS,
        each="perturbation",
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, group: GroupRun, /) -> dict[str, Scored]:
        """Compare each variant with its original."""
        ranked = group[RETRIEVAL]
        originals, variants = rows(group)
        gold, relations = group.get(EXPECTED_SOURCES), group.get(RELATION)
        inherited = next((gold[row] for row in originals if gold[row] is not None), None)
        values: dict[int, float] = {}
        for row, found in enumerate(ranked):
            expected = gold[row]
            if expected is None and relations[row] in (None, Relation.SAME_ANSWER):
                expected = inherited
            if expected is not None:
                values[row] = recall(found, expected, self.k)
        return losses(originals, variants, values)


def recall(ranked: tuple[str, ...], expected: frozenset[str], k: int) -> float:
    """Share of what is expected among the first k."""
    return len(expected.intersection(ranked[:k])) / len(expected)
