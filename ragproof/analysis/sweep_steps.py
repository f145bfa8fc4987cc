"""From one point of a sweep to another: is that shown to gain enough?

That is a question to paired intervals, not to means. A step gains when the interval of its gain
lies above what is asked for and the test, adjusted over all steps of the rule, agrees; it is flat
when the interval lies at or below; else it is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ragproof.analysis.comparison import Compared, greatest_change
from ragproof.analysis.gate import exceeds
from ragproof.analysis.power import cases_needed, unchanged_needed
from ragproof.analysis.sweep_points import SweepPoint, adjusted, gain_between, gain_ends


class Found(StrEnum):
    """What a step was found to be."""

    GAINS = "gains"
    FLAT = "flat"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True)
class Step:
    """A pair of points, and what the second gains over the first."""

    before: int
    after: int
    compared: Compared | None
    """None where no case was scored in both."""
    ends: tuple[float, float] | None
    """The interval of the gain, for the better."""
    needed: float
    """What it has to gain."""
    found: Found

    @property
    def cases_needed(self) -> int | None:
        """So many cases would settle an open step, were the true gain the observed one."""
        if self.compared is None or self.compared.gain is None or self.found is not Found.OPEN:
            return None
        if self.compared.change.is_none:
            widest = greatest_change(self.compared.declared)
            return unchanged_needed(self.compared.change, widest, self.needed)
        return cases_needed(self.compared.change, self.compared.gain - self.needed)

    @property
    def differs(self) -> bool:
        """Whether any difference is shown."""
        return self.compared is not None and self.compared.is_shown

    @property
    def gained(self) -> str:
        """The gain and its interval, in words."""
        gain = None if self.compared is None else self.compared.gain
        if gain is None:
            return "nothing that can be told"
        ends = "" if self.ends is None else f" [{self.ends[0]:+.3g}, {self.ends[1]:+.3g}]"
        return f"{gain:+.3g}{ends}"


def steps_between(
    points: Sequence[SweepPoint], needed: Mapping[tuple[int, int], float], key: str
) -> dict[tuple[int, int], Step]:
    """Compare the pairs of points of which it is said what they have to gain."""
    found = {at: gain_between(points[at[0]], points[at[1]], key) for at in needed}
    told = adjusted({at: one for at, one in found.items() if one is not None})
    steps = {}
    for at, least in needed.items():
        one = told.get(at)
        ends = None if one is None else gain_ends(one)
        steps[at] = Step(
            before=at[0],
            after=at[1],
            compared=one,
            ends=ends,
            needed=least,
            found=_found(one, ends, least),
        )
    return steps


def _found(one: Compared | None, ends: tuple[float, float] | None, needed: float) -> Found:
    if one is None or ends is None:
        return Found.OPEN
    if not exceeds(ends[1], needed):
        return Found.FLAT
    return Found.GAINS if exceeds(ends[0], needed) and one.is_found else Found.OPEN


def unfit(points: Sequence[SweepPoint], needed: Iterable[int]) -> str | None:
    """Name the first point that must not decide anything, and why."""
    for at in needed:
        if (why := points[at].unfit) is not None:
            return f"{points[at].name} cannot be counted on: {why}"
    return None


def open_told(points: Sequence[SweepPoint], steps: Sequence[Step]) -> str:
    """Say which gains are neither shown nor excluded, and what would settle that."""
    still = [step for step in steps if step.found is Found.OPEN]
    first = still[0]
    told = f"{points[first.after].name} gains {first.gained}; more than {first.needed:.3g} is"
    more = f", nor for {len(still) - 1} further" if len(still) > 1 else ""
    return f"{told} neither shown nor excluded{more}{settled_by(still)}"


def settled_by(steps: Sequence[Step]) -> str:
    """Say how many cases would settle the open ones, where that can be told."""
    known = [one for step in steps if (one := step.cases_needed) is not None]
    return f"; about {max(known):,} cases would settle it" if known else ""


def greatest_possible(steps: Sequence[Step]) -> str:
    """Say how much might still be gained."""
    highest = max((step.ends[1] for step in steps if step.ends is not None), default=None)
    return "" if highest is None else f", {max(highest, 0.0):.3g} at the most (95 % confidence)"
