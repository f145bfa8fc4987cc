"""Whether a candidate is adopted, by rules that were fixed before. Pure.

Every clause of a rule must be met, so none needs adjusting for the others: a rule adopts wrongly
no more often than its most lenient clause. A clause on an interval is met where the whole 95 %
interval is within the bound, not met where the whole of it is beyond, undecided between.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ragproof.analysis.decide_evidence import Measured, Sources, measure
from ragproof.analysis.decide_experiment import Progress, progress
from ragproof.analysis.decide_rules import AdoptionRule, Bar, Basis, Clause
from ragproof.analysis.gate import exceeds
from ragproof.analysis.intervals import FEW, T_QUANTILES, Bounds, Z
from ragproof.analysis.power import MOST, POWER, unchanged_needed
from ragproof.analysis.prediction_powered import HumanScore
from ragproof.analysis.requirements import Role
from ragproof.core.header import RunState
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better
from ragproof.text.counting import counted


class State(StrEnum):
    """How a clause came out."""

    MET = "met"
    NOT_MET = "not met"
    UNDECIDED = "undecided"
    """The data can neither show nor exclude that it is met."""
    MISSING = "missing evidence"
    """There is no figure."""
    SHOWN = "shown"
    """It is exploratory, and decides nothing."""


class Adoption(StrEnum):
    """What comes of a rule."""

    ADOPT = "adopt"
    REJECT = "reject"
    INCONCLUSIVE = "inconclusive"
    """Not adopted either: nothing was shown."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A clause, its figure, and how it came out."""

    clause: Clause
    state: State
    measured: Measured | None
    why: str | None = None
    """Why there is no verdict on it."""
    detectable: float | None = None
    """The smallest true difference from the bound that is shown in 4 comparisons of 5."""
    cases_needed: int | None = None
    """So many cases would settle it, if it is what it seems."""


@dataclass(frozen=True, kw_only=True)
class Registration:
    """Whether a rule was fixed before both runs."""

    hash: str
    baseline: bool
    candidate: bool
    changed: Mapping[str, tuple[Any, Any]]
    """Part of the rule to what it was in the run that has another one of this name, and is now."""

    @property
    def stands(self) -> bool:
        """Whether it was."""
        return self.baseline and self.candidate


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A rule and what came of it."""

    rule: AdoptionRule
    verdict: Adoption
    findings: tuple[Finding, ...]
    registered: Registration
    progress: Progress | None = None
    """Of the experiment, where it is one."""
    holds: tuple[str, ...] = ()
    """Why nothing may be decided, whatever the figures."""
    notes: tuple[str, ...] = ()

    @property
    def consequence(self) -> str:
        """What is done now, as the rule words it."""
        return self.rule.adopt if self.verdict is Adoption.ADOPT else self.rule.otherwise


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """All rules between two runs."""

    baseline: RunRecord
    candidate: RunRecord
    decided: tuple[Decided, ...]
    told: tuple[str, ...] = ()
    """In what the runs differ."""
    doubts: tuple[str, ...] = ()
    """Differences that the user tolerates."""
    notes: tuple[str, ...] = ()

    @property
    def adopted(self) -> bool:
        """Whether every rule says so."""
        return all(one.verdict is Adoption.ADOPT for one in self.decided)


def decide(
    rule: AdoptionRule,
    baseline: RunRecord,
    candidate: RunRecord,
    registered: Registration,
    labels: Sequence[HumanScore] = (),
    *,
    min_completion: float = 0.95,
    arms: bool = False,
) -> Decided:
    """Hold two runs to a rule; `arms` are runs of different cases, each of one arm's traffic."""
    stage = None
    if rule.experiment is not None:
        stage = progress(rule.experiment, baseline, candidate, arms=arms)
    sources = Sources(
        baseline=baseline,
        candidate=candidate,
        labels=labels,
        arms=stage is not None and arms,
        min_completion=min_completion,
        min_samples=rule.min_samples,
    )
    widened = 1.0 if stage is None else stage.widened
    found = tuple(
        _finding(clause, told, widened)
        for clause, told in zip(rule.clauses, measure(rule.clauses, sources), strict=True)
    )
    holds = [*_incomplete(baseline, "baseline"), *_incomplete(candidate, "candidate")]
    holds += [] if stage is None else stage.holds
    return Decided(
        rule=rule,
        verdict=Adoption.INCONCLUSIVE if holds else _verdict(found),
        findings=found,
        registered=registered,
        progress=stage,
        holds=tuple(holds),
        notes=() if stage is None else stage.notes,
    )


def _incomplete(run: RunRecord, name: str) -> list[str]:
    if run.state is RunState.FAILED:
        return [f"no case of the {name} succeeded"]
    if run.state is RunState.COMPLETED:
        return []
    return [f"the {name} is {run.state}; go on: ragproof run --resume {run.header.id}"]


def _verdict(found: Sequence[Finding]) -> Adoption:
    states = {one.state for one in found if one.clause.role is not Role.EXPLORATORY}
    if State.NOT_MET in states:
        return Adoption.REJECT
    return Adoption.ADOPT if states == {State.MET} else Adoption.INCONCLUSIVE


def _wider(measured: Measured, factor: float) -> Measured:
    """With an interval that all looks together keep to 95 %."""
    if factor == 1 or measured.bounds.ends is None:
        return measured
    low, high = measured.bounds.ends
    value = measured.value
    ends = (value - factor * (value - low), value + factor * (high - value))
    return replace(measured, bounds=Bounds(ends, f"{measured.bounds.method}, for several looks"))


def _finding(clause: Clause, told: Measured | str, widened: float) -> Finding:
    if isinstance(told, str):
        state = State.SHOWN if clause.bar is None else State.MISSING
        return Finding(clause=clause, state=state, measured=None, why=told)
    told = _wider(told, widened)
    state, why = _state(clause, told)
    finding = Finding(clause=clause, state=state, measured=told, why=why)
    if state is not State.UNDECIDED or told.doubt is not None:  # more of the same settles no doubt
        return finding
    if told.unchanged is not None:
        more = unchanged_needed(told.unchanged, widened * told.widest, abs(clause.bound))
        return replace(finding, cases_needed=more)
    if not told.error:
        return finding
    needed = _needed(clause, told, widened)
    return replace(finding, detectable=_detectable(told, widened), cases_needed=needed)


def _state(clause: Clause, found: Measured) -> tuple[State, str | None]:
    if clause.bar is None:
        return State.SHOWN, found.doubt
    if found.doubt is not None:
        return State.UNDECIDED, found.doubt
    ends = (found.value, found.value) if clause.basis is Basis.POINT else found.bounds.ends
    if ends is None:
        return State.UNDECIDED, _no_interval(clause, found)
    least, most = sorted(_within(clause, found, end) for end in ends)
    # a gain of nothing is none: to be adopted for it, a candidate must be better
    strict = clause.bar is Bar.MIN_GAIN and clause.bound == 0
    if exceeds(least, 0.0) if strict else not exceeds(0.0, least):
        return State.MET, None
    if not exceeds(most, 0.0) if strict else exceeds(0.0, most):
        return State.NOT_MET, None
    return State.UNDECIDED, None


def _no_interval(clause: Clause, found: Measured) -> str:
    what = "pair" if found.relative and not found.arms else "scored case"
    of = "" if clause.statistic == "mean" else f" of {clause.statistic}"
    return f"{counted(found.count, what)}, too few or too alike for an interval{of}"


def _within(clause: Clause, found: Measured, value: float) -> float:
    """How far within its bound a value is; below 0 where it is beyond."""
    match clause.bar:
        case Bar.MIN | Bar.MIN_GAIN:
            return _apart(value, clause.bound)
        case Bar.MAX | Bar.MAX_RISE:
            return _apart(clause.bound, value)
        case _:
            falls = clause.better(found.declared) is not Better.LOWER
            return _apart(clause.bound, -value if falls else value)


def _apart(value: float, other: float) -> float:
    """The difference; 0 where it is only what adding up rounds."""
    return 0.0 if math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-12) else value - other


def _detectable(found: Measured, widened: float) -> float:
    units = found.count if found.units is None else found.units
    quantile = T_QUANTILES[units - 2] if 2 <= units < FEW else Z
    return (widened * quantile + POWER) * (found.error or 0.0)


def _needed(clause: Clause, found: Measured, widened: float) -> int | None:
    """By how much more the interval must shrink to lie on one side of the bound in 4 of 5."""
    distance = abs(_within(clause, found, found.value))
    if not distance or not found.error:
        return None
    needed = found.count * ((widened * Z + POWER) * found.error / distance) ** 2
    return max(found.count + 1, math.ceil(round(needed, 6))) if needed <= MOST else None
