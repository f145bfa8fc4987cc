"""Draw answers of traffic for people to review, and know the chance of each exactly. Pure.

Every stratum draws so many of its pool at random, by itself: an answer may be drawn twice and is
reviewed once. Its chance to be reviewed at all is 1 - (1 - p1)(1 - p2)..., p1 being that of the
first stratum. Rates over all traffic weigh each answer by 1 over this chance (Horvitz, Thompson
1952, JASA 47: 663). The random stratum has the whole traffic as its pool, so no chance is 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ragproof.core import UsageError

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Stratum:
    """Answers of which some are drawn."""

    name: str
    pool: tuple[str, ...]
    """Case ids."""
    places: int
    """How many are drawn; all where there are fewer."""
    order: Mapping[str, float] | None = None
    """Where those that stand lowest are wanted; chance decides only between equals."""

    def chances(self) -> dict[str, float]:
        """The chance of each answer of the pool to be drawn by this stratum."""
        places = min(self.places, len(self.pool))
        if self.order is None:
            return dict.fromkeys(self.pool, places / len(self.pool)) if self.pool else {}
        if not places:
            return dict.fromkeys(self.pool, 0.0)
        values = {name: self.order[name] for name in self.pool}
        last = sorted(values.values())[places - 1]
        below = sum(one < last for one in values.values())
        equal = sum(one == last for one in values.values())
        shared = (places - below) / equal
        return {
            name: 1.0 if one < last else shared if one == last else 0.0
            for name, one in values.items()
        }

    def drawn(self, seed: int) -> frozenset[str]:
        """Those that are drawn: the same for equal pool and seed, in whatever order it is given."""

        def place(name: str) -> tuple[float, bytes]:
            return self.order[name] if self.order else 0.0, lot(seed, self.name, name)

        return frozenset(sorted(self.pool, key=place)[: self.places])


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer that is to be reviewed."""

    case_id: str
    strata: tuple[str, ...]
    """Those that drew it."""
    probability: float
    """Of being drawn by any."""


def lot(seed: int, *names: str) -> bytes:
    """What stands for chance: as good as random, and the same again for the same names."""
    return sha256("\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")).digest()


def inclusion(strata: Sequence[Stratum]) -> dict[str, float]:
    """The chance of each answer to be drawn by at least one stratum."""
    found: dict[str, float] = {}
    for one in strata:
        for name, chance in one.chances().items():
            before = found.get(name, 0.0)
            found[name] = 1.0 if chance == 1 else min(1.0, before + (1 - before) * chance)
    return found


def draw(strata: Sequence[Stratum], seed: int = 0) -> tuple[Drawn, ...]:
    """Draw from every stratum; the answers come in an order that tells nothing of them.

    Raises UsageError where the random stratum is not among them or draws nothing: whatever else
    is reviewed, without it no figure would be of the whole traffic.
    """
    if not any(one.name == RANDOM and one.places > 0 and one.pool for one in strata):
        raise UsageError(
            "the random sample cannot be left out: without it nothing is known of the answers "
            "that nobody complained of"
        )
    chances = inclusion(strata)
    by: dict[str, list[str]] = {}
    for one in strata:
        for name in one.drawn(seed):
            by.setdefault(name, []).append(one.name)
    order = sorted(by, key=lambda name: lot(seed, "order", name))
    return tuple(Drawn(name, tuple(by[name]), chances[name]) for name in order)


def dealt(
    names: Sequence[str], reviewers: Sequence[str], overlap: float, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """Deal answers to reviewers in turn; a random share of them, rounded up, goes to two.

    `overlap` lies in [0, 1]; with one reviewer there is none.
    """
    shuffled = sorted(names, key=lambda name: lot(seed, "dealt", name))
    several = len(reviewers)
    twice = math.ceil(round(len(shuffled) * overlap, 9)) if several > 1 else 0
    found: dict[str, tuple[str, ...]] = {}
    for at, name in enumerate(shuffled):
        first = reviewers[at % several]
        if at >= twice:
            found[name] = (first,)
            continue
        gap = 1 + at // several % (several - 1)
        found[name] = (first, reviewers[(at + gap) % several])
    return found
