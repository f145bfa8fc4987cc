"""Where a judge leans: to a place, to length, to its own kind, to what an answer tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ragproof.analysis.agreement import Figure, category, share
from ragproof.analysis.intervals import Sample, bounds
from ragproof.core.spec import Interval, Unit

Winner: TypeAlias = Literal["1", "2", "tie"]
"""The better answer, wherever it stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What a judge said of two answers in both orders, and what a person says of them."""

    first: str | None
    """`a`, `b` or `tie`, with answer 1 as A; None where there was no usable reply."""
    second: str | None
    """With answer 2 as A."""
    label: Winner
    lengths: tuple[int, int] = (0, 0)
    """Characters of answer 1 and answer 2."""
    change: str | None = None
    """`expansion` or `truncation`, where one was made of the other."""
    families: tuple[str, str] | None = None
    """Which model families wrote them."""

    @property
    def valid(self) -> bool:
        """Whether there is a verdict in both orders."""
        return self.first is not None and self.second is not None

    @property
    def winners(self) -> tuple[Winner, Winner]:
        """The answer that each order makes the better one. Raises ValueError if not valid."""
        if self.first is None or self.second is None:
            raise ValueError("a pair without a verdict in both orders has no winners")
        forward: dict[str, Winner] = {"a": "1", "b": "2", "tie": "tie"}
        backward: dict[str, Winner] = {"a": "2", "b": "1", "tie": "tie"}
        return forward[self.first], backward[self.second]

    @property
    def combined(self) -> Winner:
        """Both orders as one: a tie gives way, a contradiction is a tie."""
        one, other = self.winners
        if one == other or other == "tie":
            return one
        return other if one == "tie" else "tie"

    @property
    def consistent(self) -> bool:
        """Whether both orders make the same answer the better one."""
        return self.winners[0] == self.winners[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What the order of two answers does to the verdict."""

    pairs: int
    invalid: int
    """Pairs without a verdict in both orders, which count nowhere else."""
    consistency: Figure | None
    """Share of pairs of which both orders say the same."""
    bias: Figure | None
    """Share of the first place among verdicts for a place, less one half; None without any."""
    one_order: Figure | None
    """Agreement with people, on the mean of either order."""
    both_orders: Figure | None
    """Agreement with people where the orders are combined."""

    @property
    def swapping_helps(self) -> bool | None:
        """Whether combining the orders agrees better with people; only then is it worth twice."""
        if self.one_order is None or self.both_orders is None:
            return None
        return self.both_orders.value > self.one_order.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """What the length of two answers does to the verdict."""

    pairs: int
    longer_wins: float | None
    """Share that the longer one wins for the judge, ties being half a win."""
    longer_deserves: float | None
    """The same for people, on the same pairs."""
    agreement: float | None
    controlled: float | None
    """The mean of the agreement where people prefer the longer, the shorter, and neither."""
    expansion: float | None
    """Where filler was added: how much more often the longer one wins than people say."""
    truncation: float | None
    """Where something needed was cut: the same, below 0 where cuts are noticed too often."""


def position(ballots: Sequence[Ballot]) -> Position:
    """Measure what the order does."""
    valid = [one for one in ballots if one.valid]
    single = [sum(won == one.label for won in one.winners) for one in valid]
    return Position(
        pairs=len(ballots),
        invalid=len(ballots) - len(valid),
        consistency=_share([one.consistent for one in valid]),
        bias=_bias(valid),
        one_order=_figure(single, [2] * len(single)),
        both_orders=_share([one.combined == one.label for one in valid]),
    )


def length(ballots: Sequence[Ballot]) -> Length:
    """Measure what length does, over pairs of unequal length."""
    valid = [one for one in ballots if one.valid and one.lengths[0] != one.lengths[1]]
    strata = [
        _mean([one.combined == one.label for one in valid if _for_longer(one, one.label) == way])
        for way in (1.0, 0.5, 0.0)
    ]
    return Length(
        pairs=len(valid),
        longer_wins=_mean([_for_longer(one, one.combined) for one in valid]),
        longer_deserves=_mean([_for_longer(one, one.label) for one in valid]),
        agreement=_mean([one.combined == one.label for one in valid]),
        controlled=_mean([one for one in strata if one is not None]),
        expansion=_excess([one for one in valid if one.change == "expansion"]),
        truncation=_excess([one for one in valid if one.change == "truncation"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPreference:
    """How a judge treats answers of its own model family."""

    pairs: int
    wins: float | None
    """Share that its own kind wins for the judge, ties being half a win."""
    deserves: float | None
    """The same for people, on the same pairs."""

    @property
    def excess(self) -> float | None:
        """How much more often its own kind wins than people say."""
        if self.wins is None or self.deserves is None:
            return None
        return self.wins - self.deserves


def self_preference(ballots: Sequence[Ballot], own: str) -> SelfPreference:
    """Measure over the pairs of which exactly one answer is of the family `own`."""
    mixed = [(one, _of_own(one, own)) for one in ballots if one.valid]
    pairs = [(one, mine) for one, mine in mixed if mine is not None]
    return SelfPreference(
        pairs=len(pairs),
        wins=_mean([_points(one.combined, mine) for one, mine in pairs]),
        deserves=_mean([_points(one.label, mine) for one, mine in pairs]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Injectability:
    """What orders inside answers do to their scores."""

    answers: int
    failed: int
    """Without a usable reply, with or without the order; they count nowhere else."""
    moved: Figure | None
    """Share of answers whose band is another with the order than without."""
    mean_shift: float | None
    """Of the score, upwards where it is above 0."""


def injectability(scores: Sequence[tuple[float | None, float | None, bool]]) -> Injectability:
    """Measure from scores without and with the order, and whether there was no usable reply."""
    told = [(before, after) for before, after, failed in scores if not failed]
    shifts = [after - before for before, after in told if before is not None and after is not None]
    return Injectability(
        answers=len(scores),
        failed=len(scores) - len(told),
        moved=_share([category(before) != category(after) for before, after in told]),
        mean_shift=_mean(shifts),
    )


def _bias(valid: Sequence[Ballot]) -> Figure | None:
    firsts = [(one.first, one.second).count("a") for one in valid]
    placed = [2 - (one.first, one.second).count("tie") for one in valid]
    found = _figure(firsts, placed)
    if found is None:
        return None
    ends = found.ends
    return Figure(found.value - 0.5, None if ends is None else (ends[0] - 0.5, ends[1] - 0.5))


def _figure(hits: Sequence[int], of: Sequence[int]) -> Figure | None:
    """A ratio of sums over pairs, whose two verdicts stand or fall together."""
    sample = Sample(np.array(hits, float), np.array(of, float), clustered=True)
    if sample.figure is None:
        return None
    return Figure(sample.figure, bounds(sample, Interval.AUTO, Unit.FRACTION).ends)


def _share(hits: Sequence[bool]) -> Figure | None:
    return share(sum(hits), len(hits)) if hits else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _points(winner: Winner, mine: Winner) -> float:
    return 0.5 if winner == "tie" else float(winner == mine)


def _for_longer(ballot: Ballot, winner: Winner) -> float:
    return _points(winner, "1" if ballot.lengths[0] > ballot.lengths[1] else "2")


def _excess(ballots: Sequence[Ballot]) -> float | None:
    return _mean([_for_longer(b, b.combined) - _for_longer(b, b.label) for b in ballots])


def _of_own(ballot: Ballot, own: str) -> Winner | None:
    if ballot.families is None or ballot.families.count(own) != 1:
        return None
    return "1" if ballot.families[0] == own else "2"
