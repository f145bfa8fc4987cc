"""Whether a run meets its requirements, and what could not be told. Pure.

A figure is held to `min` and `max` as it is. A change is held to `max_drop` and `max_rise` by its
95 % interval: the whole interval beyond the bound fails, provided that the randomisation test,
adjusted over all changes tested, finds a change at all; the whole interval within passes; what
holds the bound is inconclusive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ragproof.analysis.evidence import Evidence, ends_of_change, gather, widest_change
from ragproof.analysis.paired import Change
from ragproof.analysis.percentiles import fewest
from ragproof.analysis.power import (
    SIGNIFICANT,
    cases_needed,
    detectable,
    unchanged_needed,
)
from ragproof.analysis.prediction_powered import HumanScore, PredictionPowered
from ragproof.analysis.requirements import (
    PERCENTILES,
    Limit,
    Policy,
    Requirement,
    Role,
    Waiver,
    better,
)
from ragproof.core.header import RunState
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.text.counting import counted


class Verdict(StrEnum):
    """What became of a requirement."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    WARN = "warn"
    """It is not met, but is only exploratory, or waived."""
    INCONCLUSIVE = "inconclusive"
    """The data can neither show nor exclude that it is met."""
    SKIP = "skip"
    """There is no figure, and the config lets that pass."""
    ERROR = "error"
    """It cannot be checked as it is written: no baseline, or one that does not fit."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """A requirement and its verdict."""

    asked: Requirement
    verdict: Verdict
    detail: str
    blocks: bool
    """Whether it alone keeps the gate from passing."""
    evidence: Evidence
    waiver: Waiver | None = None
    narrows: bool = False
    """Whether it is the width of an interval that leaves it undecided, which more cases narrow."""

    @property
    def detectable(self) -> float | None:
        """The smallest true change that would have been seen in 4 runs of 5."""
        return detectable(self.evidence.change) if self.evidence.change is not None else None

    @property
    def cases_needed(self) -> int | None:
        """So many cases would settle an inconclusive change, if it is what it seems."""
        change = self.evidence.change
        if not self.narrows or change is None or change.delta is None:
            return None
        return cases_needed(
            change, _loss(self.asked, self.evidence, change.delta) - self.asked.bound
        )


@dataclass(frozen=True, kw_only=True)
class Gate:
    """All checks of a run."""

    run: RunRecord
    baseline: RunRecord | None
    checks: tuple[Check, ...]
    policy: Policy
    notes: tuple[str, ...] = ()
    """What a reader should know of run and baseline."""

    @property
    def passed(self) -> bool:
        """Whether nothing blocks."""
        return not any(check.blocks for check in self.checks)

    @property
    def errors(self) -> tuple[Check, ...]:
        """The checks that could not be made as they are written."""
        return tuple(one for one in self.checks if one.verdict is Verdict.ERROR)


@dataclass(frozen=True, slots=True)
class _Finding:
    """A verdict before roles and waivers."""

    verdict: Verdict
    detail: str
    blocks: bool
    narrows: bool = False


def weigh(
    run: RunRecord,
    baseline: RunRecord | str,
    asked: Sequence[Requirement],
    policy: Policy,
    notes: Sequence[str] = (),
    labels: Sequence[HumanScore] = (),
) -> Gate:
    """Check every requirement; `baseline` may be the reason why there is none."""
    checks = [
        _checked(one, evidence, policy, run)
        for one, evidence in zip(asked, gather(run, baseline, asked, labels), strict=True)
    ]
    return Gate(
        run=run,
        baseline=None if isinstance(baseline, str) else baseline,
        checks=tuple(checks),
        policy=policy,
        notes=tuple(notes),
    )


def _checked(asked: Requirement, evidence: Evidence, policy: Policy, run: RunRecord) -> Check:
    found = _found(asked, evidence, policy, run)
    waiver = None
    if found.blocks and found.verdict is not Verdict.ERROR:
        if asked.role is Role.EXPLORATORY:
            found = replace(found, blocks=False, verdict=_softened(found.verdict))
        elif waiver := policy.waiver(asked.metric):
            found = replace(found, blocks=False, verdict=Verdict.WARN)
    return Check(
        asked=asked,
        verdict=found.verdict,
        detail=found.detail,
        blocks=found.blocks,
        evidence=evidence,
        waiver=waiver,
        narrows=found.narrows and found.verdict is Verdict.INCONCLUSIVE,
    )


def _softened(verdict: Verdict) -> Verdict:
    return Verdict.WARN if verdict is Verdict.FAIL else verdict


def _found(asked: Requirement, evidence: Evidence, policy: Policy, run: RunRecord) -> _Finding:
    line, value = evidence.line, evidence.value(asked)
    if line is None:
        return _missing("the run has no such metric", policy)
    if evidence.why_unknown is not None:
        return _Finding(Verdict.ERROR, evidence.why_unknown, blocks=True)
    if (gap := _gap(asked, evidence, policy, run)) is not None:
        return _Finding(Verdict.INCONCLUSIVE, gap, blocks=True)
    if value is None:
        reasons = {**line.skip_reasons, **line.not_applicable_reasons}
        why = max(reasons, key=lambda one: reasons[one], default="no case is of this slice")
        return _missing(f"nothing was scored: {why}", policy)
    change = evidence.change
    if change is not None and change.delta is None:
        return _missing("no case was scored in both runs", policy)
    count = line.scored if change is None else change.pairs
    if count < asked.min_samples:
        told = counted(count, "scored case" if change is None else "pair")
        return _undecided(asked, f"{told}, at least {asked.min_samples:,} wanted", policy)
    if change is not None:
        return _of_change(asked, evidence, change, policy)
    if asked.estimate == "plain":
        return _of_figure(asked, evidence, value)
    corrected = evidence.corrected
    if not isinstance(corrected, PredictionPowered):
        return _missing(corrected or "there are no human labels of this metric", policy)
    return _of_figure(asked, evidence, corrected.tuned.value, _corrected(corrected))


def _gap(asked: Requirement, evidence: Evidence, policy: Policy, run: RunRecord) -> str | None:
    """Why the run's figures must not be trusted, if so: too much of it is not there."""
    if run.state is RunState.FAILED:
        return "no case of the run succeeded"
    if run.state is not RunState.COMPLETED:
        return f"the run is {run.state}; go on: ragproof run --resume {run.header.id}"
    line = evidence.line
    if asked.statistic == "completion" or line is None or line.completion is None:
        return None
    if not line.scored:  # what failed throughout is no metric that does not apply
        why = next(iter(line.error_reasons), "the cases failed")
        return f"nothing was scored: {line.errors} failed: {why}"
    if not exceeds(policy.min_completion, line.completion):
        return None
    share, least = apart(line.completion, policy.min_completion)
    return f"completion {share} is below {least}: {line.errors} failed, {line.scored} scored"


def _missing(why: str, policy: Policy) -> _Finding:
    skips = policy.on_missing == "skip"
    return _Finding(Verdict.SKIP if skips else Verdict.FAIL, why, blocks=not skips)


def _undecided(asked: Requirement, detail: str, policy: Policy) -> _Finding:
    if asked.non_inferiority:  # what is not shown, for whatever reason, fails
        return _Finding(Verdict.FAIL, detail, blocks=True)
    default = "warn" if asked.limit.is_relative else "fail"
    blocks = (policy.on_inconclusive or default) == "fail"
    return _Finding(Verdict.INCONCLUSIVE, detail, blocks)


def _corrected(found: PredictionPowered) -> str:
    """Say what the figure rests on, and what it was without the labels."""
    ends = found.tuned.ends
    interval = "" if ends is None else f" [{ends[0]:.3g}, {ends[1]:.3g}]"
    labelled = f"{found.labelled:,} of {counted(found.cases, 'case')} labelled by people"
    doubt = "" if found.doubt is None else f"; {found.doubt}"
    return (
        f"{interval} by prediction-powered inference, {labelled}; judged {found.judged:.3g}{doubt}"
    )


def _of_figure(asked: Requirement, evidence: Evidence, value: float, how: str = "") -> _Finding:
    said, bound = apart(value, asked.bound, _unit(asked, evidence))
    if asked.limit is Limit.MIN:
        fails, word, allowed = exceeds(asked.bound, value), "below", "at least"
    else:
        fails, word, allowed = exceeds(value, asked.bound), "above", "at most"
    told = f"{asked.statistic} {said}"
    held = f"{told} is {word}" if fails else f"{told}, {allowed}"
    text = f"{held} {bound}{f' ({how.strip()})' if how else ''}"
    return _Finding(Verdict.FAIL if fails else Verdict.PASS, text, blocks=fails)


def _of_change(asked: Requirement, evidence: Evidence, change: Change, policy: Policy) -> _Finding:
    delta = change.delta
    assert delta is not None
    told = _told(asked, evidence, change)
    share = evidence.baseline_completion
    if share is not None and exceeds(policy.min_completion, share):
        why = f"the baseline scored only {share:.3g} of what it was to score"
        return _undecided(asked, f"{told}: {why}", policy)
    if not exceeds(abs(delta), asked.noise_floor) and asked.noise_floor:
        return _Finding(
            Verdict.PASS, f"{told}: within the noise of {asked.noise_floor:g}", blocks=False
        )
    word = "drop" if asked.limit is Limit.MAX_DROP else "rise"
    bound = f"a {word} of more than {in_unit(asked.bound, _unit(asked, evidence), 6)}"
    p = evidence.p_adjusted
    assert evidence.line is not None
    declared = evidence.line.column.declared
    if (ends := ends_of_change(change, declared, asked.statistic)) is not None:
        least, most = sorted(_loss(asked, evidence, end) for end in ends)
        if not exceeds(most, asked.bound):
            return _Finding(Verdict.PASS, f"{told}: {bound} is excluded", blocks=False)
        if exceeds(least, asked.bound) and (p is None or p <= SIGNIFICANT):
            return _Finding(Verdict.FAIL, f"{told}: {bound}{_p(p)}", blocks=True)
    elif asked.statistic in PERCENTILES and not change.is_none:
        why = _no_interval(change, fewest(PERCENTILES[asked.statistic]))
        return _undecided(asked, f"{told}: {why}", policy)
    if change.is_none and change.units > 1:
        widest = widest_change(declared, asked.statistic)
        return _unchanged(asked, widest, change, f"{told}: {bound}")
    open_ = "not excluded" if asked.non_inferiority else "neither shown nor excluded"
    if ends is not None and exceeds(least, asked.bound):
        open_ += f": the interval lies beyond it, but the test does not find it{_p(p)}"
    return replace(_undecided(asked, f"{told}: {bound} is {open_}", policy), narrows=True)


def _no_interval(change: Change, few: int) -> str:
    """Say why a percentile that changed has none: it takes so many independent units."""
    if change.units >= few:
        return "all resamples agree, which is no interval"
    if change.units < change.pairs:
        return f"an interval takes {few} groups of cases, these are {change.units}"
    return f"an interval takes {few} pairs"


def _unchanged(asked: Requirement, widest: float, change: Change, told: str) -> _Finding:
    """Judge that no pair changed, though so few of them exclude nothing.

    It is no drop that was seen, and no proof that there is none.
    """
    if not asked.non_inferiority:
        return _Finding(Verdict.PASS, f"{told} was not seen", blocks=False)
    needed = unchanged_needed(change, widest, asked.bound)
    more = f"; {needed:,} cases without a change would" if needed else ""
    return _Finding(Verdict.FAIL, f"{told} is not excluded by so few{more}", blocks=True)


def _loss(asked: Requirement, evidence: Evidence, delta: float) -> float:
    """How far a change goes in the direction that is limited."""
    assert evidence.line is not None
    is_drop = asked.limit is Limit.MAX_DROP
    falls = better(asked, evidence.line.column.declared) is Better.HIGHER
    return -delta if is_drop and falls else delta


def _told(asked: Requirement, evidence: Evidence, change: Change) -> str:
    assert change.delta is not None
    assert change.baseline is not None
    assert change.candidate is not None
    before, after = apart(change.baseline, change.candidate, _unit(asked, evidence))
    text = f"{asked.statistic} {before} -> {after}, {counted(change.pairs, 'pair')}"
    if change.is_none:
        return f"{text}, none changed"
    ends = change.bounds.ends or ()
    delta, *interval = (_signed(one, _unit(asked, evidence)) for one in (change.delta, *ends))
    return f"{text}, change {delta}" + (f" [{', '.join(interval)}]" if interval else "")


def _signed(value: float, unit: Unit) -> str:
    return f"{'-' if value < 0 else '+'}{in_unit(abs(value), unit, 3)}"


def _p(p: float | None) -> str:
    return "" if p is None else f" (p {p:.2g})"


def _unit(asked: Requirement, evidence: Evidence) -> Unit:
    if evidence.line is None or asked.statistic == "completion":
        return Unit.FRACTION
    return evidence.line.column.declared.unit


def exceeds(value: float, bound: float) -> bool:
    """Whether a value lies above a bound, not counting what adding up rounds.

    >>> exceeds(0.3, 0.3), exceeds(0.1 + 0.2, 0.3), exceeds(0.3001, 0.3)
    (False, False, True)
    """
    return value > bound and not math.isclose(value, bound, rel_tol=1e-9, abs_tol=1e-12)


def apart(value: float, other: float, unit: Unit = Unit.FRACTION) -> tuple[str, str]:
    """Write two figures with as many digits as tell them apart.

    >>> apart(0.84996, 0.85), apart(0.5, 0.85)
    (('0.84996', '0.85'), ('0.5', '0.85'))
    >>> apart(0.000155, 1.5, Unit.SECONDS), apart(0.9996, 1.0, Unit.SECONDS)
    (('0.155 ms', '1.5 s'), ('999.6 ms', '1 s'))
    """
    for digits in range(3, 17):
        said = in_unit(value, unit, digits), in_unit(other, unit, digits)
        if said[0] != said[1] or math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-12):
            return said
    return in_unit(value, unit, 17), in_unit(other, unit, 17)


def in_unit(value: float, unit: Unit, digits: int) -> str:
    """Write a figure with so many digits and its unit; less than a second in milliseconds."""
    text = f"{value:.{digits}g}"
    match unit:
        case Unit.SECONDS if 0 < abs(float(text)) < 1:
            return f"{float(text) * 1000:.{digits}g} ms"
        case Unit.SECONDS:
            return f"{text} s"
        case Unit.USD:
            return f"{text} USD"
        case _:
            return text
