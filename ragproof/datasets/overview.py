"""A dataset at a glance: what its cases are, and which labels they bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from ragproof.core import Case
from ragproof.datasets.diff import is_label

NO_LABEL = frozenset({"kind"})


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of cases."""

    cases: int
    kinds: Mapping[str, int]
    splits: Mapping[str, int]
    """`none` for those without."""
    groups: int
    """Different groups; cases without one are groups of their own."""
    tags: Mapping[str, Mapping[str, int]]
    """Tag name to value to cases."""
    labels: Mapping[str, int]
    """Field that says what is right, to the cases that have it."""
    variants: int
    with_history: int


def overview(cases: Sequence[Case]) -> Overview:
    """Count."""
    tags: dict[str, Counter[str]] = {}
    labels: Counter[str] = Counter()
    for case in cases:
        for name, value in case.slices.items():
            tags.setdefault(name, Counter())[value] += 1
        labels.update(
            one.name
            for one in fields(case)
            if is_label(one.name)
            and one.name not in NO_LABEL
            and getattr(case, one.name) is not None
        )
    return Overview(
        cases=len(cases),
        kinds=dict(Counter(case.kind.value for case in cases).most_common()),
        splits=dict(Counter(case.split.value if case.split else "none" for case in cases)),
        groups=len({("group", case.group) if case.group else ("case", case.id) for case in cases}),
        tags={name: dict(counts.most_common()) for name, counts in sorted(tags.items())},
        labels=dict(labels.most_common()),
        variants=sum(getattr(case, "variant_of", None) is not None for case in cases),
        with_history=sum(bool(getattr(case, "history", None)) for case in cases),
    )
