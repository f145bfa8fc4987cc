"""Divide a dataset into splits: what belongs together stays together, and stays where it was.

Where a group falls is drawn from a hash of its name, so that cases added later move nothing. With
strata, groups without a split are placed so that each stratum has its shares; there, what was
placed before keeps its place because its `split` is written down.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from ragproof.core import Case, QuestionCase, Split, UsageError
from ragproof.datasets.alike import Joined, alike
from ragproof.datasets.validate import circumstances, relevant
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.nearest import nearest

SHARES: Mapping[Split, float] = {
    Split.DEVELOPMENT: 0.5,
    Split.CALIBRATION: 0.15,
    Split.RELEASE: 0.35,
}
"""Monitoring is fresh traffic and gets nothing of what there is."""
HEAVY = 0.2
"""A group with more than this share of all cases cannot be divided well."""


class Tie(StrEnum):
    """What keeps cases in one split."""

    GROUP = "group"
    """The same `group`; always."""
    SOURCE = "source"
    """A source that both expect."""
    NEAR = "near"
    """Questions that nearly are the same."""


@dataclass(frozen=True, slots=True)
class Division:
    """The cases, each with its split."""

    cases: tuple[Case, ...]
    """In the order of the file."""
    groups: int
    """What was placed as one."""
    kept: int
    """Cases that had their split already."""
    torn: tuple[tuple[str, ...], ...]
    """Ids of cases that belong together and were in several splits before."""
    heaviest: tuple[str, int]
    """A case of the largest group, and the size of that."""
    retired: int = 0
    """Release cases that became development."""

    def counts(self) -> Mapping[Split, int]:
        """Cases of each split, in the order of the splits."""
        found = Counter(case.split for case in self.cases)
        return {split: found[split] for split in Split if found[split]}


def shares_of(text: str) -> dict[Split, float]:
    """Read `development=0.5,release=0.5`; the shares are taken relative to their sum.

    >>> shares_of("development=1,release=3")
    {<Split.DEVELOPMENT: 'development'>: 0.25, <Split.RELEASE: 'release'>: 0.75}
    """
    found: dict[Split, float] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in tuple(Split):
            told = f"got {name!r}; allowed: {', '.join(Split)}.{nearest(name, tuple(Split))}"
            raise UsageError(f"--shares: {told}")
        try:
            found[Split(name)] = float(number)
        except ValueError:
            raise UsageError(f"--shares: {name}: got {number!r}; allowed: a number") from None
    total = sum(found.values())
    if not 0 < total < float("inf") or min(found.values()) < 0:
        raise UsageError(f"--shares: got {text!r}; allowed: numbers from 0, not all 0")
    return {split: share / total for split, share in found.items()}


def divide(
    cases: Sequence[Case],
    shares: Mapping[Split, float] = SHARES,
    *,
    ties: frozenset[Tie] = frozenset({Tie.GROUP}),
    strata: Sequence[str] = (),
    seed: int = 0,
    earlier: Mapping[str, Split] | None = None,
) -> Division:
    """Give every case without a split one; `earlier` is case id to the split it had before.

    Raises UsageError for a tag of `strata` that no case has.
    """
    _refuse_unknown(cases, strata)
    groups = _groups(cases, ties)
    before = {case.id: case.split or (earlier or {}).get(case.id) for case in cases}
    found: dict[str, Split] = {}
    torn, fresh = [], []
    for name, members in groups.items():
        held = {split for case in members if (split := before[case.id]) is not None}
        if len(held) > 1:
            torn.append(tuple(case.id for case in members))
        if held:
            given = Split.DEVELOPMENT if len(held) > 1 else next(iter(held))
            found |= {case.id: before[case.id] or given for case in members}
        else:
            fresh.append(name)
    found |= _placed(groups, fresh, found, shares, strata, seed)
    largest = max(groups.values(), key=len)
    return Division(
        cases=tuple(
            case if case.split else dataclasses.replace(case, split=found[case.id])
            for case in cases
        ),
        groups=len(groups),
        kept=sum(one is not None for one in before.values()),
        torn=tuple(torn),
        heaviest=(largest[0].id, len(largest)),
    )


def retire(
    cases: Sequence[Case], used: Mapping[str, str]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Make development of release cases that guided a choice, and of all that belongs to them.

    `used` is case id to the run that used it, which is written down under `metadata.retired`.
    Returns all cases, and the ids of those that moved.
    """
    moved: dict[str, str] = {}
    for members in _groups(cases, frozenset({Tie.GROUP})).values():
        run = next((used[case.id] for case in members if _guided(case, used)), None)
        if run is not None:
            moved |= {case.id: run for case in members if case.split is Split.RELEASE}
    changed = tuple(
        dataclasses.replace(
            case,
            split=Split.DEVELOPMENT,
            metadata={**case.metadata, "retired": {"from": "release", "run": moved[case.id]}},
        )
        if case.id in moved
        else case
        for case in cases
    )
    return changed, tuple(moved)


def _guided(case: Case, used: Mapping[str, str]) -> bool:
    return case.split is Split.RELEASE and case.id in used


def _refuse_unknown(cases: Sequence[Case], strata: Sequence[str]) -> None:
    known = sorted({name for case in cases for name in case.slices})
    for name in strata:
        if name not in known:
            raise UsageError(
                f"--stratify: no case has the tag {name!r}; there are: "
                f"{', '.join(known) or 'none'}.{nearest(name, known)}"
            )


def _groups(cases: Sequence[Case], ties: frozenset[Tie]) -> dict[str, list[Case]]:
    """Name to the cases that are placed as one.

    The name is that of the `group`, else the id: of several, the one whose hash is least.
    """
    joined, firsts = Joined(len(cases)), dict[tuple[object, ...], int]()
    places = {case.id: at for at, case in enumerate(cases)}
    for at, case in enumerate(cases):
        for key in _keys(case, ties):
            joined.join(firsts.setdefault(key, at), at)
        if isinstance(case, QuestionCase) and case.variant_of in places:
            joined.join(places[case.variant_of], at)
    if Tie.NEAR in ties:
        _join_near(cases, joined)
    found: defaultdict[int, list[Case]] = defaultdict(list)
    for at, case in enumerate(cases):
        found[joined.root(at)].append(case)
    return {_name(members): members for members in found.values()}


def _keys(case: Case, ties: frozenset[Tie]) -> list[tuple[object, ...]]:
    keys: list[tuple[object, ...]] = []
    if case.group is not None:
        keys.append(("group", case.group))
    if isinstance(case, QuestionCase):
        keys.append(("question", tuple(answer_tokens(case.question)), circumstances(case)))
        if Tie.SOURCE in ties:
            keys += [("source", source) for source in relevant(case)]
            keys += [("source", span.document_id) for span in case.expected_spans or ()]
    return keys


def _join_near(cases: Sequence[Case], joined: Joined) -> None:
    asked = [at for at, case in enumerate(cases) if isinstance(case, QuestionCase)]
    texts = [" ".join(answer_tokens(getattr(cases[at], "question", ""))) for at in asked]
    for group in alike(texts).groups:
        for member in group.members[1:]:
            joined.join(asked[group.members[0]], asked[member])


def _name(members: Sequence[Case]) -> str:
    names = {f"group {case.group}" if case.group else f"case {case.id}" for case in members}
    return min(names, key=lambda name: (_draw("", name), name))


def _draw(seed: int | str, name: str) -> float:
    """A number in [0, 1) that depends on nothing but seed and name."""
    return int.from_bytes(sha256(f"{seed}:{name}".encode()).digest()[:7]) / 2**56


def _placed(
    groups: Mapping[str, Sequence[Case]],
    fresh: Sequence[str],
    held: Mapping[str, Split],
    shares: Mapping[Split, float],
    strata: Sequence[str],
    seed: int,
) -> dict[str, Split]:
    """Case id to split, of the groups that had none."""
    if not strata:
        return {
            case.id: _by_hash(_draw(seed, name), shares) for name in fresh for case in groups[name]
        }
    filled: defaultdict[tuple[str, ...], Counter[Split]] = defaultdict(Counter)
    for members in groups.values():
        for case in members:
            if case.id in held:
                filled[_stratum(members, strata)][held[case.id]] += 1
    found: dict[str, Split] = {}
    for name in sorted(fresh, key=lambda one: (-len(groups[one]), _draw(seed, one))):
        members = groups[name]
        here = filled[_stratum(members, strata)]
        split = _neediest(here, len(members), shares, _draw(seed, name))
        here[split] += len(members)
        found |= {case.id: split for case in members}
    return found


def _by_hash(draw: float, shares: Mapping[Split, float]) -> Split:
    below = 0.0
    for split, share in shares.items():
        below += share
        if draw < below:
            return split
    return max(shares, key=lambda split: shares[split])


def _neediest(here: Counter[Split], size: int, shares: Mapping[Split, float], draw: float) -> Split:
    """The split that would lack most of its share; where the stratum is empty, by the hash."""
    total = here.total() + size
    lacks = {split: share * total - here[split] for split, share in shares.items()}
    most = max(lacks.values())
    if here.total() == 0:
        return _by_hash(draw, shares)
    return next(split for split, lack in lacks.items() if lack == most)


def _stratum(members: Sequence[Case], strata: Sequence[str]) -> tuple[str, ...]:
    """The tags of most of a group's cases."""
    found = Counter(tuple(case.slices.get(name, "") for name in strata) for case in members)
    return min(found, key=lambda one: (-found[one], one))
