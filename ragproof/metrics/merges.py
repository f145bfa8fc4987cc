"""Which documents were merged as duplicates, and which are: counted in pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TypeAlias

from ragproof.core import MissingInput, SetRun
from ragproof.core.needs import DUPLICATE_GROUP, MERGED, REPEAT
from ragproof.core.outcome import Json

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Merges:
    """Pairs merged, pairs that are duplicates, and both; and some of those that are not both."""

    merged: int
    duplicates: int
    both: int
    wrong: list[Json]
    missed: list[Json]
    unknown: list[Json]
    """Names told as duplicated that no document of the set has."""

    @property
    def evidence(self) -> dict[str, Json]:
        """For a reader."""
        return {
            "merged_pairs": self.merged,
            "duplicate_pairs": self.duplicates,
            "both": self.both,
            "wrongly_merged": self.wrong,
            "not_merged": self.missed,
            **({"not_in_the_set": self.unknown} if self.unknown else {}),
        }


def merges(run: SetRun) -> Merges:
    """Count pairs of documents over the whole set.

    A document is merged with all that duplicate the same one, directly or by others. One without
    `duplicate_group` is one of a kind. An original says nothing, or that it duplicates itself or
    nothing (an empty text). Trials of one document are no pair: each trial of the set is counted by
    itself. Raises MissingInput where no document says anything, or none has a
    group.
    """
    told = run[MERGED]
    labels = run.get(DUPLICATE_GROUP)
    if all(label is None for label in labels):
        raise MissingInput(DUPLICATE_GROUP.reason)
    if all(other is None for _, other in told):
        raise MissingInput(MERGED.reason)
    trials = run.get(REPEAT)
    names = [(trial, name) for trial, (name, _) in zip(trials, told, strict=True)]
    heaps = _heaps(names, [other or None for _, other in told])
    groups = [
        ("alone", *name) if label is None else ("group", name[0], label)
        for name, label in zip(names, labels, strict=True)
    ]
    known = {name for name, _ in told} | {None, ""}
    unknown = dict.fromkeys(other for _, other in told if other not in known)
    both = _pairs(Counter(zip(heaps, groups, strict=True)))
    return Merges(
        merged=_pairs(Counter(heaps)),
        duplicates=_pairs(Counter(groups)),
        both=both,
        wrong=_apart(names, heaps, groups),
        missed=_apart(names, groups, heaps),
        unknown=list(islice(unknown, SHOWN)),
    )


Name: TypeAlias = tuple[int | None, str]
"""Which trial, and which document."""


def _heaps(names: Sequence[Name], others: Sequence[str | None]) -> list[Name]:
    """For each document the first of those that it was merged with, itself among them."""
    above: dict[Name, Name] = {}

    def top(name: Name) -> Name:
        while (other := above.get(name, name)) != name:
            above[name] = above.get(other, other)
            name = other
        return name

    for name, other in zip(names, others, strict=True):
        if other is not None:
            above[top(name)] = top((name[0], other))
    return [top(name) for name in names]


def _pairs(sizes: Mapping[object, int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.values())


def _apart(
    names: Sequence[Name], together: Sequence[object], apart: Sequence[object]
) -> list[Json]:
    """The first pairs that are together in one way and apart in the other."""
    members: dict[object, list[int]] = defaultdict(list)
    for at, heap in enumerate(together):
        members[heap].append(at)

    def found() -> Iterator[Json]:
        for places in members.values():
            if len({apart[at] for at in places}) > 1:
                for one, other in combinations(places, 2):
                    if apart[one] != apart[other]:
                        yield [names[one][1], names[other][1]]

    return list(islice(found(), SHOWN))
