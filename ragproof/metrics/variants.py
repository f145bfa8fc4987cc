"""A question and its variants, and what each variant loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragproof.core import DoesNotArise, GroupRun, Json, Scored
from ragproof.core.needs import PERTURBATION, VARIANT_OF

UNNAMED = "unnamed"
"""The kind of a variant without the tag `perturbation`."""


@dataclass
class _Losses:
    deltas: list[float] = field(default_factory=list[float])
    accounts: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])


def rows(group: GroupRun) -> tuple[list[int], dict[int, str]]:
    """The rows of the original, and those of variants with the kind of each.

    Raises DoesNotArise where there are not both.
    """
    of, kinds = group.get(VARIANT_OF), group.get(PERTURBATION)
    originals = [row for row, original in enumerate(of) if original is None]
    variants = {row: kinds[row] or UNNAMED for row, one in enumerate(of) if one is not None}
    if not variants:
        raise DoesNotArise("no case varies this one")
    if not originals:
        raise DoesNotArise("the original has nothing to compare with")
    return originals, variants


def losses(
    originals: Sequence[int], variants: Mapping[int, str], values: Mapping[int, float]
) -> dict[str, Scored]:
    """By kind, the mean of the original less each variant; rows without a value are left out.

    Raises DoesNotArise where no pair is left.
    """
    before = [values[row] for row in originals if row in values]
    found: dict[str, _Losses] = {}
    for row, kind in variants.items():
        if before and row in values:
            one = found.setdefault(kind, _Losses())
            original = sum(before) / len(before)
            one.deltas.append(original - values[row])
            one.accounts.append({"original": original, "variant": values[row]})
    if not found:
        raise DoesNotArise("no variant has what it takes to be compared")
    return {
        kind: Scored(
            sum(one.deltas) / len(one.deltas),
            {"pairs": one.accounts},
            weight=float(len(one.deltas)),
        )
        for kind, one in found.items()
    }
