"""Rates of verdicts over all traffic, over its slices, and within what each stratum drew. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ragproof.analysis.intervals import Indices
from ragproof.analysis.review_rate import Rate, rate
from ragproof.core.record import Floats

BAD, PARTLY, GOOD, CANNOT_SAY = "bad", "partly", "good", "cannot_say"
VERDICTS = (BAD, PARTLY, GOOD)
Verdicts = Mapping[str, Mapping[str, str]]
"""Item to reviewer to verdict."""


class Item(Protocol):
    """A drawn answer."""

    @property
    def item(self) -> str: ...  # noqa: D102
    @property
    def strata(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def probability(self) -> float: ...  # noqa: D102
    @property
    def group(self) -> str | None: ...  # noqa: D102
    @property
    def tags(self) -> Mapping[str, str]: ...  # noqa: D102


class Frame(Protocol):
    """What was drawn from."""

    @property
    def population(self) -> int: ...  # noqa: D102
    @property
    def unanswered(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Within:
    """What one stratum drew, each answer counted once: no figure of the traffic."""

    name: str
    drawn: int
    reviewed: int
    bad: Rate | None


@dataclass(frozen=True, slots=True)
class Slice:
    """The traffic with one value of a tag."""

    tag: str
    value: str
    drawn: int
    bad: Rate | None


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What the reviewed answers say of all answered traffic."""

    drawn: int
    reviewed: int
    """With a verdict of someone who could say."""
    waiting: int
    cannot_say: int
    """Reviewed, but nobody could say."""
    rates: Mapping[str, Rate]
    """Verdict to its share; where reviewers differ, each counts a part."""
    with_unanswered: Rate | None
    """The bad ones and those without an answer, of all traffic."""
    possible: tuple[float, float]
    """The bad rate, were all that are not reviewed good, or all bad."""
    strata: tuple[Within, ...]


def figures(items: Sequence[Item], verdicts: Verdicts, frame: Frame) -> Figures:
    """Estimate; at least one answer must have a verdict."""
    told = {name: shares(items, verdicts, name) for name in VERDICTS}
    known = ~np.isnan(told[BAD])
    weights, unit = _weights(items), sessions(items)
    rates = {
        name: found
        for name, one in told.items()
        if (found := rate(one[known], weights[known], unit[known])) is not None
    }
    filled = [float(weights @ np.where(known, told[BAD], other)) for other in (0.0, 1.0)]
    said = [one for one in items if verdicts.get(one.item)]
    return Figures(
        drawn=len(items),
        reviewed=int(known.sum()),
        waiting=len(items) - len(said),
        cannot_say=len(said) - int(known.sum()),
        rates=rates,
        with_unanswered=_with_unanswered(rates.get(BAD), frame),
        possible=(filled[0] / float(weights.sum()), filled[1] / float(weights.sum())),
        strata=tuple(_within(items, told[BAD], unit)),
    )


def slices(items: Sequence[Item], verdicts: Verdicts, tags: Sequence[str]) -> tuple[Slice, ...]:
    """The bad rate by each value of these tags, weighted as the whole."""
    bad, weights, unit = shares(items, verdicts, BAD), _weights(items), sessions(items)
    found = []
    for tag in tags:
        values = [one.tags.get(tag) for one in items]
        for value in sorted({one for one in values if one is not None}):
            here = np.array([one == value for one in values])
            known = here & ~np.isnan(bad)
            found.append(
                Slice(tag, value, int(here.sum()), rate(bad[known], weights[known], unit[known]))
            )
    return tuple(found)


def sessions(items: Sequence[Item]) -> Indices:
    """The independent unit of each answer: its session, or itself."""
    names: dict[tuple[bool, str], int] = {}
    keys = [(True, one.group) if one.group else (False, one.item) for one in items]
    return np.array([names.setdefault(key, len(names)) for key in keys], dtype=np.intp)


def shares(items: Sequence[Item], verdicts: Verdicts, wanted: str) -> Floats:
    """The share of an answer's reviewers with a verdict; NaN where none could say."""
    found = []
    for one in items:
        said = [told for told in verdicts.get(one.item, {}).values() if told != CANNOT_SAY]
        found.append(said.count(wanted) / len(said) if said else np.nan)
    return np.array(found)


def _weights(items: Sequence[Item]) -> Floats:
    return np.array([1 / one.probability for one in items])


def _with_unanswered(bad: Rate | None, frame: Frame) -> Rate | None:
    """The same with what has no answer, which is bad for sure."""
    if bad is None or not frame.unanswered:
        return None
    share = frame.unanswered / (frame.unanswered + frame.population)

    def whole(value: float) -> float:
        return share + (1 - share) * value

    ends = bad.ends and (whole(bad.ends[0]), whole(bad.ends[1]))
    return Rate(whole(bad.value), ends, bad.answers, bad.effective)


def _within(items: Sequence[Item], bad: Floats, unit: Indices) -> list[Within]:
    found = []
    for name in dict.fromkeys(name for one in items for name in one.strata):
        here = np.array([name in one.strata for one in items])
        known = here & ~np.isnan(bad)
        told = rate(bad[known], np.ones(int(known.sum())), unit[known])
        found.append(Within(name, int(here.sum()), int(known.sum()), told))
    return sorted(found, key=lambda one: one.name != "random")
