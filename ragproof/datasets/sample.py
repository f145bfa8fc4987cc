"""Draw queries from traffic for experts to answer: some of every stratum, each with its weight.

A query that was asked often is drawn once, and its weight counts how often. The weight is how many
queries of the traffic a case stands for, so that a weighted mean is a mean over the traffic.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from ragproof.text.answer_tokens import answer_tokens


class Allocation(StrEnum):
    """How the places are dealt to the strata."""

    PROPORTIONAL = "proportional"
    """By traffic; each stratum gets one place at least."""
    EQUAL = "equal"
    """As many each, as far as a stratum has them."""
    SQUARE_ROOT = "square-root"
    """By the root of its traffic: rare strata are seen, frequent ones well enough."""


@dataclass(frozen=True, slots=True)
class Query:
    """A line of the log."""

    id: str
    text: str
    stratum: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A query that was drawn."""

    query: Query
    asked: int
    """How often the log has it."""
    weight: float
    """Queries of the traffic that it stands for."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A sort of queries."""

    name: str
    traffic: int
    distinct: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn, in order of stratum and lot."""

    drawn: tuple[Drawn, ...]
    strata: tuple[Stratum, ...]


def draw(
    queries: Sequence[Query],
    places: int,
    allocation: Allocation = Allocation.PROPORTIONAL,
    seed: int = 0,
) -> Sample:
    """Draw so many different queries, or all where there are fewer."""
    firsts: dict[tuple[str, ...], Query] = {}
    asked: Counter[tuple[str, ...]] = Counter()
    traffic: Counter[str] = Counter()
    for query in queries:
        words = tuple(answer_tokens(query.text))
        first = firsts.setdefault(words, query)
        asked[words] += 1
        traffic[first.stratum] += 1
    strata: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for words, query in firsts.items():
        strata[query.stratum].append(words)
    sizes = {name: len(strata[name]) for name in sorted(strata)}
    shares = _dealt(sizes, traffic, places, allocation)
    drawn = []
    for name in sizes:
        row = sorted(strata[name], key=lambda words: _lot(seed, words))[: shares[name]]
        held = sum(asked[words] for words in row)
        for words in row:
            weight = asked[words] * traffic[name] / held
            drawn.append(Drawn(firsts[words], asked[words], weight))
    return Sample(
        tuple(drawn),
        tuple(Stratum(name, traffic[name], size, shares[name]) for name, size in sizes.items()),
    )


def _dealt(
    sizes: Mapping[str, int], traffic: Mapping[str, int], places: int, allocation: Allocation
) -> dict[str, int]:
    """Places of each stratum: one each first, then to whoever lacks most of its share."""
    power = {
        Allocation.PROPORTIONAL: 1.0,
        Allocation.EQUAL: 0.0,
        Allocation.SQUARE_ROOT: 0.5,
    }[allocation]
    share = {name: float(traffic[name]) ** power for name in sizes}
    found = dict.fromkeys(sizes, 0)
    for _ in range(min(places, sum(sizes.values()))):
        open_ones = [name for name, size in sizes.items() if found[name] < size]
        name = max(open_ones, key=lambda one: (found[one] == 0, share[one] / (found[one] + 1), one))
        found[name] += 1
    return found


def _lot(seed: int, words: Sequence[str]) -> bytes:
    return sha256(f"{seed}:{' '.join(words)}".encode()).digest()
