"""robustness.variant_consistency"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    DoesNotArise,
    Gather,
    GroupRun,
    Json,
    Pool,
    PureMetric,
    Refusal,
    Relation,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import ANSWER, PERTURBATION, REFUSAL, RELATION, VARIANT_OF
from ragproof.metrics.parameters import positive_share
from ragproof.metrics.saying import token_f1
from ragproof.metrics.variants import rows
from ragproof.text.answer_tokens import answer_tokens

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "cant", "wont"}
    | {"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "hasnt", "without"}
    | {"nein", "nicht", "kein", "keine", "keinen", "nie", "ne", "pas", "jamais", "nunca", "não"}
    | {"нет", "не"}
)


@dataclass(frozen=True)
class VariantConsistency(PureMetric[GroupRun]):
    """Whether variants of a question are answered as they should be beside the original.

    Question: Does the answer survive a typo or a paraphrase, and change when the question does?
    Formula: share of a question's variants whose answer stands to that of the original as
        `expected_relation` says, a figure for each kind of perturbation (the tag `perturbation`);
        pooled over all variants. Two answers are the same where both decline, or neither does,
        their numbers are the same, both or neither deny, and 2 * shared tokens / all tokens is at
        least `threshold`; changed is answered and not the same; no answer is declined
    Range: 0, no variant is answered as expected, to 1, all are.
    Edge cases: `expected_relation` is `same_answer` where a variant does not say. A variant
        without the tag counts under `unnamed`. A case without variants, and one whose original
        was not answered or failed, is not applicable. Whether an answer declines is read as for
        `robustness.abstention`; where it cannot be read, variants that should have no answer are
        left out, and counted. With repeats a variant is compared with every answer to the
        original, and its share counts. Words in another order, synonyms and other languages look
        different to tokens: for answers of more than a line lower `threshold`, and give variants
        in other languages an `expected_answer` and look at `robustness.answer_drop`.
    Not to be confused with: correctness: an answer may be wrong in the same way twice, which
        `robustness.answer_drop` tells.
    References: Ribeiro et al., ACL 2020 (CheckList), for invariance and directed change; Gardner
        et al., EMNLP Findings 2020, for contrast sets.

    Example:
        >>> same("It opened in 1889.", "It was opened in 1889", 0.5)
        True
        >>> same("It opened in 1889.", "It opened in 1998.", 0.5)
        False
    """

    threshold: float = 0.5

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER,),
        uses=(VARIANT_OF, RELATION, PERTURBATION, REFUSAL),
        pool=Pool.RATIO,
        gather=Gather.VARIANTS,
        each="perturbation",
    )

    def __post_init__(self) -> None:
        positive_share("threshold", self.threshold)

    def score(self, group: GroupRun, /) -> dict[str, Scored]:
        """Compare each variant with its original."""
        answers = [one.answer_text for one in group[ANSWER]]
        refusals = [_refused(one) for one in group.get(REFUSAL)]
        said = list(zip(answers, refusals, strict=True))
        rows_of_original, variants = rows(group)
        originals = [said[row] for row in rows_of_original]
        relations = group.get(RELATION)
        found: dict[str, list[dict[str, Json]]] = {}
        for row, kind in variants.items():
            relation = relations[row] or Relation.SAME_ANSWER
            found.setdefault(kind, []).append(self._account(said[row], originals, relation))
        if not (scored := {k: v for k, one in found.items() if (v := _pooled(one)) is not None}):
            raise DoesNotArise("whether the variants decline could not be read", {**found})
        return scored

    def _account(
        self,
        variant: tuple[str, bool | None],
        originals: Sequence[tuple[str, bool | None]],
        relation: Relation,
    ) -> dict[str, Json]:
        held = [self._holds(variant, one, relation) for one in originals]
        known = [one for one in held if one is not None]
        return {
            "answer": variant[0],
            "original": originals[0][0],
            "expected_relation": relation,
            "holds": sum(known) / len(known) if known else None,
        }

    def _holds(
        self,
        variant: tuple[str, bool | None],
        original: tuple[str, bool | None],
        relation: Relation,
    ) -> bool | None:
        """Whether the two answers stand to each other as they should; None where unreadable."""
        (text, declines), (first, first_declines) = variant, original
        if relation is Relation.NO_ANSWER:
            return declines
        is_same = (
            bool(declines) == bool(first_declines)
            if declines or first_declines
            else same(text, first, self.threshold)
        )
        return is_same if relation is Relation.SAME_ANSWER else not is_same and not declines


def same(one: str, other: str, threshold: float) -> bool:
    """Whether two answers say the same, as far as their tokens tell."""
    ours, theirs = answer_tokens(one), answer_tokens(other)
    if sorted(_NUMBER.findall(one)) != sorted(_NUMBER.findall(other)):
        return False
    if bool(_NEGATIONS & set(ours)) != bool(_NEGATIONS & set(theirs)):
        return False
    return token_f1(ours, theirs) >= threshold


def _refused(refusal: Refusal | None) -> bool | None:
    return None if refusal is None else refusal.refused


def _pooled(accounts: list[dict[str, Json]]) -> Scored | None:
    """The mean over the variants that could be read; None where none could."""
    held = [one["holds"] for one in accounts]
    known = [float(one) for one in held if isinstance(one, bool | int | float)]
    if not known:
        return None
    evidence: dict[str, Json] = {"variants": accounts, "unreadable": len(held) - len(known)}
    return Scored(sum(known) / len(known), evidence, weight=float(len(known)))
