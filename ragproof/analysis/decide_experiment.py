"""How far an experiment with traffic has come, and whether it may be decided yet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

from ragproof.analysis.decide_rules import Experiment
from ragproof.analysis.intervals import Z
from ragproof.analysis.power import POWER
from ragproof.core.record import CaseRow, RunRecord

OVERRUN = 0.1
"""A look counts as the planned one until so much more has been collected."""
NORMAL = NormalDist()
Units: TypeAlias = Set[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What was collected, against the plan."""

    asked: Experiment
    arms: tuple[int, int]
    """Units of randomisation in the baseline and in the candidate."""
    paired: bool
    """Whether both runs are of the same cases."""
    look: int | None
    """Which planned look this is; None where it is none."""
    widened: float
    """By how much intervals are widened, since each of several looks could err."""
    power: float | None
    """Chance that the planned sample shows the minimum effect, where the plan says both."""
    holds: tuple[str, ...] = ()
    """Why nothing may be decided."""
    notes: tuple[str, ...] = ()

    @property
    def reached(self) -> int:
        """Units of the smaller arm."""
        return min(self.arms)


def progress(
    asked: Experiment, baseline: RunRecord, candidate: RunRecord, *, arms: bool
) -> Progress:
    """Count the units of randomisation, and find the look that this is."""
    runs, paired = (baseline, candidate), not arms
    ids = [{case.id for case in run.cases} for run in runs]
    common = ids[0] & ids[1]
    counted = [
        _units(asked, (case for case in run.cases if arms or case.id in common)) for run in runs
    ]
    sizes = (len(counted[0]), len(counted[1]))
    look = _look(asked, min(sizes))
    several = len(asked.looks) + 1
    power = _power(asked, paired=paired)
    return Progress(
        asked=asked,
        arms=sizes,
        paired=paired,
        look=look,
        widened=NORMAL.inv_cdf(1 - 0.025 / several) / Z if several > 1 else 1.0,
        power=power,
        holds=(*_holds(asked, runs, min(sizes), look, _shared(*counted) if arms else 0),),
        notes=(*_notes(asked, runs, min(sizes), power, paired=paired),),
    )


def _units(asked: Experiment, cases: Iterable[CaseRow]) -> Units:
    """A query is a case; a user or a session is a group, a case without one stands alone."""
    if asked.unit == "query":
        return {("case", case.id) for case in cases}
    return {("group", case.group) if case.group else ("case", case.id) for case in cases}


def _groups_shared(runs: tuple[RunRecord, RunRecord]) -> int:
    before, after = ({case.group for case in run.cases if case.group} for run in runs)
    return len(before & after)


def _shared(before: Units, after: Units) -> int:
    """Users or sessions of both arms; that case ids are the same may be mere numbering."""
    return sum(kind == "group" for kind, _ in before & after)


def _look(asked: Experiment, reached: int) -> int | None:
    if reached >= asked.sample_size:
        return asked.sample_size
    held = (one for one in sorted(asked.looks) if one <= reached <= one * (1 + OVERRUN))
    return max(held, default=None)


def _holds(
    asked: Experiment, runs: tuple[RunRecord, RunRecord], n: int, look: int | None, shared: int
) -> Iterator[str]:
    if look is None:
        planned = ", ".join(f"{one:,}" for one in (*sorted(asked.looks), asked.sample_size))
        yield f"a look at {n:,} was not planned; planned: {planned} {_many(asked)}"
    if asked.unit == "query":
        return
    if shared:
        yield (
            f"{shared:,} {_many(asked)} are in both arms; "
            f"assigned by {asked.unit}, each belongs to one"
        )
    if not any(case.group for run in runs for case in run.cases):
        yield (
            f"no case names its {asked.unit} (`group`): "
            "repeated observations cannot be told from independent ones"
        )


def _notes(
    asked: Experiment,
    runs: tuple[RunRecord, RunRecord],
    n: int,
    power: float | None,
    *,
    paired: bool,
) -> Iterator[str]:
    many = _many(asked)
    if n < asked.sample_size:
        yield f"stopped at {n:,} of {asked.sample_size:,} planned {many} an arm"
    elif n > asked.sample_size * (1 + OVERRUN):
        yield f"{n:,} {many} an arm were collected, {asked.sample_size:,} were planned"
    lone = len({case.id for run in runs for case in run.cases if not case.group})
    grouped = any(case.group for run in runs for case in run.cases)
    if asked.unit != "query" and lone and grouped:
        yield f"{lone:,} cases name no {asked.unit}; each counts as one of its own"
    if asked.unit == "query" and not grouped:
        yield "no case names its session (`group`): each query counts as independent of all others"
    if asked.unit == "query" and not paired and (shared := _groups_shared(runs)):
        yield f"{shared:,} sessions have queries in both arms, which are taken for independent"
    if paired:
        yield "both runs are of the same cases: they are compared in pairs, not as arms"
    if power is not None and power < 0.8:
        yield (
            f"the planned {asked.sample_size:,} {many} show an effect of "
            f"{asked.minimum_effect:g} with a chance of {power:.0%}; "
            f"{_sample_needed(asked, paired=paired):,} would with 80 %"
        )


def _many(asked: Experiment) -> str:
    return "queries" if asked.unit == "query" else f"{asked.unit}s"


def _power(asked: Experiment, *, paired: bool) -> float | None:
    """Of a two-sided test at 5 %, shared among the looks, by the normal approximation."""
    if asked.minimum_effect is None or asked.baseline_sd is None:
        return None
    error = asked.baseline_sd * math.sqrt(_parts(paired=paired) / asked.sample_size)
    quantile = NORMAL.inv_cdf(1 - 0.025 / (len(asked.looks) + 1))
    return NORMAL.cdf(asked.minimum_effect / error - quantile)


def _sample_needed(asked: Experiment, *, paired: bool) -> int:
    assert asked.minimum_effect is not None
    assert asked.baseline_sd is not None
    quantile = NORMAL.inv_cdf(1 - 0.025 / (len(asked.looks) + 1))
    ratio = asked.baseline_sd * (quantile + POWER) / asked.minimum_effect
    return math.ceil(_parts(paired=paired) * ratio**2)


def _parts(*, paired: bool) -> int:
    """Two arms vary each on its own; of pairs the plan's deviation is that of the differences."""
    return 1 if paired else 2
