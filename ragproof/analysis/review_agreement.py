"""How far reviewers agree on the answers that several of them saw. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ragproof.analysis.agreement import Figure, kappa, share
from ragproof.analysis.annotators import TENTATIVE, agreed
from ragproof.text.counting import counted


@dataclass(frozen=True, kw_only=True)
class Reviewers:
    """What several people made of the same answers."""

    answers: int
    """With verdicts of two reviewers and more."""
    same: Figure | None
    """Share of them on which all agree."""
    alpha: float | None
    """Krippendorff's, nominal; None where it is not defined."""
    pairs: tuple[tuple[str, str, int, Figure | None], ...]
    """Two reviewers, the answers that both saw, and Cohen's kappa."""

    @property
    def is_low(self) -> bool:
        """Whether conclusions from these verdicts should not be drawn."""
        return self.alpha is not None and self.alpha < TENTATIVE

    @property
    def told_low(self) -> str | None:
        """Why nothing should be concluded; None where nothing speaks against it."""
        if self.alpha is None or not self.is_low:
            return None
        return (
            f"the reviewers agree too little: Krippendorff's alpha {self.alpha:.3f} on "
            f"{counted(self.answers, 'answer')} with two verdicts, at least {TENTATIVE} needed"
        )


def reviewers(verdicts: Iterable[Mapping[str, str]], kinds: Sequence[str]) -> Reviewers:
    """Compare the verdicts of each answer, reviewer to verdict."""
    several = [one for one in verdicts if len(one) > 1]
    found = agreed(several)
    names = sorted({name for one in several for name in one})
    pairs = []
    for one, other in combinations(names, 2):
        both = [(seen[one], seen[other]) for seen in several if one in seen and other in seen]
        if not both:
            continue
        table = np.zeros((len(kinds), len(kinds)), dtype=np.int64)
        for first, second in both:
            table[kinds.index(first), kinds.index(second)] += 1
        pairs.append((one, other, len(both), kappa(table)))
    return Reviewers(
        answers=found.cases,
        same=share(found.same, found.cases) if found.cases else None,
        alpha=found.alpha,
        pairs=tuple(pairs),
    )
