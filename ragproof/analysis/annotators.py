"""How far several annotators agree on labels that have no order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

TENTATIVE = 0.667
"""Below this, conclusions from labels are not drawn (Krippendorff 2004, p. 241)."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What several annotators made of the same cases."""

    cases: int
    """With two labels and more."""
    same: int
    """Of these, those on which all agree."""
    alpha: float | None
    """Krippendorff's, nominal; None where every label is the same, or nothing is paired."""


def agreed(labels: Iterable[Mapping[str, str]]) -> Agreed:
    """Compare the labels of each case, annotator to label.

    Krippendorff's alpha: 1 less observed over expected disagreement, each pair of labels of a case
    weighed by 1 / (labels of the case - 1). Krippendorff 2004, Content Analysis, ch. 11.
    """
    paired = [Counter(one.values()) for one in labels if len(one) > 1]
    totals: Counter[str] = sum(paired, Counter())
    number = sum(totals.values())
    same = sum(len(counts) == 1 for counts in paired)
    apart = sum(
        sum(n * (sum(counts.values()) - n) for n in counts.values()) / (sum(counts.values()) - 1)
        for counts in paired
    )
    expected = sum(n * (number - n) for n in totals.values())
    alpha = 1 - (number - 1) * apart / expected if expected else None
    return Agreed(len(paired), same, alpha)
