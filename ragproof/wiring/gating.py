"""Hold a run to what the config asks of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ragproof.analysis.comparable import changes_told
from ragproof.analysis.gate import Gate, weigh
from ragproof.analysis.requirements import (
    Limit,
    Policy,
    Requirement,
    Role,
    Waiver,
    Waivers,
    senseless,
)
from ragproof.core import Declared, UsageError
from ragproof.core.record import RunRecord
from ragproof.text.counting import counted
from ragproof.text.nearest import nearest
from ragproof.wiring.baselines import (
    NOTHING_TOLERATED,
    Baseline,
    Tolerated,
    baseline_kept,
    baseline_of,
)
from ragproof.wiring.fixed_rules import fixed_rules
from ragproof.wiring.human_labels import gate_labels
from ragproof.wiring.looking import Kept, Looking
from ragproof.wiring.schema import Config, GateConfig, Rule


@dataclass(frozen=True)
class Asked:
    """What the command line says of a gate."""

    run: str = "latest"
    baseline: str | Kept | None = None
    tolerated: Tolerated = NOTHING_TOLERATED


def gate(looking: Looking, asked: Asked, today: date, run: RunRecord | None = None) -> Gate:
    """Check a run; raises UsageError for rules that make no sense for it.

    `run` is its record where that was read already.
    """
    config = looking.config
    wanted = requirements(config.gate)
    if all(one.role is Role.EXPLORATORY for one in wanted):
        raise UsageError(
            "nothing can fail this gate"
            + (": every rule is exploratory" if wanted else ": it has no thresholds")
            + ". Write gate.thresholds, such as `retrieval.recall_at_k: {min: 0.85}`"
        )
    if run is None:
        run = looking.store.record(looking.store.find(asked.run, looking.project).header.id)
    refuse_senseless(config, {key: column.declared for key, column in run.columns.items()})
    labels = gate_labels(config, run)
    baseline = _baseline(looking, asked, wanted, run)
    record = baseline if isinstance(baseline, str) else baseline.record
    notes = [*_notes(config, run, baseline, today)]
    if (given := asked.baseline or config.gate.baseline) and not _is_relative(wanted):
        name = given.id if isinstance(given, Kept) else given
        notes.append(f"the baseline {name!r} was not used: no rule has max_drop or max_rise")
    return weigh(run, record, wanted, policy(config.gate, today), notes, labels)


def _is_relative(wanted: Iterable[Requirement]) -> bool:
    return any(one.limit.is_relative for one in wanted)


def requirements(gate: GateConfig) -> list[Requirement]:
    """One requirement for each limit of each rule."""
    return [
        one
        for metric in gate.thresholds
        for rule in gate.rules(metric)
        for one in _requirements(metric, rule, gate)
    ]


def _requirements(metric: str, rule: Rule, gate: GateConfig) -> Iterator[Requirement]:
    for limit in Limit:
        bound = getattr(rule, limit)
        if bound is not None:
            yield Requirement(
                metric=metric,
                limit=limit,
                bound=bound,
                statistic=rule.statistic,
                slice={
                    tag: (values,) if isinstance(values, str) else values
                    for tag, values in rule.slice.items()
                },
                role=Role(rule.role),
                noise_floor=rule.noise_floor,
                non_inferiority=rule.non_inferiority,
                min_samples=rule.min_samples or gate.min_samples,
                estimate=rule.estimate,
            )


def policy(gate: GateConfig, today: date) -> Policy:
    """What becomes of a check that cannot be decided."""
    return Policy(
        today=today,
        on_missing=gate.on_missing,
        on_inconclusive=gate.on_inconclusive,
        min_completion=gate.min_completion,
        waivers=tuple(Waiver(one.metric, one.reason, one.expires) for one in gate.waivers),
    )


def waivers(gate: GateConfig, today: date) -> Waivers:
    """The waivers of a config for its reports: those that hold, and those that ran out."""
    return policy(gate, today).waivers_told


def refuse_senseless(config: Config, declared: Mapping[str, Declared]) -> None:
    """Raise UsageError for thresholds that nothing could meet, or nothing fail.

    `declared` is metric key to declaration: of a run that there is, or of one about to begin,
    which does not know yet what its labelled figures are called.
    """
    faults = [
        f"{config.where('gate', 'thresholds', one.metric)}: {one.metric}: {fault}"
        for one in requirements(config.gate)
        if (known := declared.get(one.metric) or declared.get(one.metric.partition("[")[0]))
        for fault in senseless(one, known)
    ]
    if faults:
        raise UsageError("\n".join(faults))


def _baseline(
    looking: Looking, asked: Asked, wanted: list[Requirement], run: RunRecord
) -> Baseline | str:
    """The baseline, or why there is none; none is looked for where no rule asks for one."""
    if not _is_relative(wanted):
        return "no rule asks for a baseline"
    reference = asked.baseline or looking.config.gate.baseline
    if reference is None:
        return "there is no baseline: give --baseline RUN, or write gate.baseline"
    folder = Path.cwd() if asked.baseline else looking.config.folder
    try:
        if isinstance(reference, Kept):
            return baseline_kept(run, reference, asked.tolerated)
        return baseline_of(run, reference, looking.store, folder, asked.tolerated)
    except UsageError as fault:
        return str(fault)


def _notes(config: Config, run: RunRecord, baseline: Baseline | str, today: date) -> Iterator[str]:
    """What a reader should know before believing a verdict."""
    fixed, now = run.header.rules.get("gate"), fixed_rules(config).get("gate")
    if fixed is None:
        yield "the gate's rules were not there yet when the run began"
    elif fixed != now:
        yield "the gate's rules were changed after the run began"
    for metric in config.gate.thresholds:
        if metric not in run.columns and (close := nearest(metric, run.columns)):
            yield f"the run has no {metric}.{close}"
    for waiver in waivers(config.gate, today).expired:
        yield f"the waiver of {waiver.metric} expired on {waiver.expires}"
    if isinstance(baseline, Baseline):
        yield from baseline.notes
        cases = {case.id for case in run.cases}
        if lacks := len(cases - {case.id for case in baseline.record.cases}):
            yield f"the baseline lacks {lacks:,} of the {counted(len(cases), 'case')} of the run"
        yield from changes_told(baseline.record.header, run.header)
